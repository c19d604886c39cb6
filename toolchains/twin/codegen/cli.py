"""Command line of the code generator."""

from __future__ import annotations

import argparse
import sys

from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.codegen.variants import Wanted
from pypto_rules.tools.selection.selection import SelectionError
from toolchains.twin.codegen import driver

DEPTH = 10000  # of Python's stack: a long sum is a deep tree, and 1000 terms are no mistake


def parser() -> argparse.ArgumentParser:
    """The options."""
    result = argparse.ArgumentParser(prog="codegen", description="Generates the twin's C++ sources of a PyPTO kernel.")
    result.add_argument("--kernel", required=True, help="the kernel file")
    result.add_argument("--src", action="append", default=[], help="a helper module it imports; repeatable")
    result.add_argument("--manifest", required=True, help="kernel.json of the kernel")
    result.add_argument("--op-type", required=True, help="CamelCase operator type, for variants.json")
    result.add_argument("--columns", help="JSON list of dtype columns; default: all of the OpDef")
    result.add_argument("--op-def", help="op.json of the operator")
    result.add_argument("--soc", required=True, help="SoC, e.g. ascend910b")
    result.add_argument("--out-dir", required=True, help="directory for one .cpp per variant")
    result.add_argument("--variants", required=True, help="variants.json to write")
    result.add_argument("--source-map", required=True, help="source_map.json to write")
    for flag in ("--tiling-keys", "--dtypes"):
        result.add_argument(
            flag, action="append", default=[], metavar="SELECTION", help="only the variants like this; repeatable"
        )
    return result


def main(argv: list[str] | None = None) -> int:
    """Generate; 0 if all variants were written, 1 with errors on stderr and nothing written."""
    if hasattr(sys.stderr, "reconfigure"):  # the user's names may be Chinese whatever the locale is
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parser().parse_args(argv)
    try:
        wanted = Wanted(tuple(options.tiling_keys), tuple(options.dtypes))
        request = driver.Request(
            options.kernel,
            options.manifest,
            options.columns,
            options.soc,
            options.op_type,
            options.src,
            wanted,
            options.op_def,
        )
        sys.setrecursionlimit(DEPTH)
        result = driver.generate(request)
    except (InputError, SelectionError) as error:
        print(f"codegen: error: {error}", file=sys.stderr)
        return 1
    if result.errors:
        count = len(result.errors)
        print("\n".join(result.errors), file=sys.stderr)
        print(f"codegen: {count} error{'s' if count > 1 else ''}; nothing was generated", file=sys.stderr)
        return 1
    driver.write(result, options.out_dir, options.variants, options.source_map)
    return 0
