"""Command line of the CANN code generator."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.codegen.variants import Wanted
from pypto_rules.tools.contract import manifest
from pypto_rules.tools.selection.selection import SelectionError
from toolchains.cann.binary.kernel_types import CUBE, VEC
from toolchains.cann.codegen import driver, private
from toolchains.cann.codegen.kernel_file import KernelError


def parser() -> argparse.ArgumentParser:
    """The options."""
    result = argparse.ArgumentParser(prog="codegen", description="Generates C++ of a PyPTO kernel with pypto_pro.")
    result.add_argument("--kernel", required=True, help="the kernel file")
    result.add_argument("--src", action="append", default=[], help="a helper module it imports; repeatable")
    result.add_argument(
        "--import-root", action="append", default=[], help="where helpers are imported from; repeatable"
    )
    result.add_argument("--manifest", required=True, help="kernel.json of the kernel")
    result.add_argument("--op-type", required=True, help="CamelCase operator type; names the binaries")
    result.add_argument("--columns", help="JSON list of dtype columns; default: all of the OpDef")
    result.add_argument("--op-def", help="op.json of the operator")
    result.add_argument("--soc", required=True, help="SoC, e.g. ascend910b")
    result.add_argument("--feature", action="append", default=[], choices=("debug", "oom"), help="how it is compiled")
    for core in (CUBE, VEC):
        result.add_argument(f"--out-dir-{core}", type=Path, required=True, help="directory for one .cpp per variant")
    result.add_argument("--variants", type=Path, required=True, help="variants.json to write")
    result.add_argument("--source-map", type=Path, required=True, help="source_map.json to write")
    for flag in ("--tiling-keys", "--dtypes"):
        result.add_argument(
            flag, action="append", default=[], metavar="SELECTION", help="only the variants like this; repeatable"
        )
    return result


def main(argv: list[str] | None = None) -> int:
    """Generate; 0 if all variants were written, 1 with an error on stderr and nothing written."""
    if hasattr(sys.stderr, "reconfigure"):  # the user's names may be Chinese whatever the locale is
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parser().parse_args(argv)
    try:
        request = driver.Request(
            kernel=options.kernel,
            helpers=options.src,
            import_roots=options.import_root,
            manifest=options.manifest,
            op_type=options.op_type,
            columns=options.columns,
            op_def=options.op_def,
            soc=options.soc,
            oom="oom" in options.feature,
            wanted=Wanted(tuple(options.tiling_keys), tuple(options.dtypes)),
        )
        result = driver.generate(request)
    except (InputError, KernelError, SelectionError, manifest.ManifestError, private.PrivateError) as error:
        print(f"codegen: error: {error}", file=sys.stderr)
        return 1
    _write(result, options)
    return 0


def _write(result: driver.Result, options: argparse.Namespace) -> None:
    for core in (CUBE, VEC):
        directory = getattr(options, f"out_dir_{core}")
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in result.texts[core].items():
            (directory / name).write_bytes(text.encode("utf-8"))
    options.variants.write_bytes(manifest.dumps(result.variants).encode("utf-8"))
    options.source_map.write_bytes(manifest.dumps(result.source_map).encode("utf-8"))
