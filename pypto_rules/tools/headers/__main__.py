"""Action 2: kernel.json → headers of TilingData and TilingKey, and the TilingData as a Python module."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.headers import render

_OP_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="headers", description=__doc__)
    parser.add_argument("--manifest", type=Path, required=True, help="kernel.json of the contract tool")
    parser.add_argument(
        "--op-type", help="operator type to register under; default: CamelCase of the kernel file's name"
    )
    parser.add_argument("--out-dir", type=Path, help="directory to write all headers to, under their own names")
    parser.add_argument(
        "--host-include", type=Path, help="header to write that includes them in the order that compiles"
    )
    parser.add_argument(
        "--python-dir", type=Path, help="directory for sys.path to write pypto_tiling/<kernel name>.py to"
    )
    parser.add_argument("--tiling-data", type=Path, help="TilingData header to write, whatever its file name")
    parser.add_argument("--tiling-key", type=Path, help="TilingKey header to write")
    parser.add_argument("--registration", type=Path, help="registration header to write")
    parser.add_argument(
        "--registration-source", type=Path, help="source to write that includes the registration header"
    )
    args = parser.parse_args(argv)
    outputs = (
        "out_dir",
        "host_include",
        "python_dir",
        "tiling_data",
        "tiling_key",
        "registration",
        "registration_source",
    )
    if not any(getattr(args, output) for output in outputs):
        options = ", ".join("--" + output.replace("_", "-") for output in outputs)
        parser.error(f"nothing to write; give one or more of {options}")
    if args.op_type is not None and not _OP_TYPE.fullmatch(args.op_type):
        parser.error(f"--op-type '{args.op_type}' is no operator type: a letter, then letters, digits, underscores")
    return args


def write(args: argparse.Namespace) -> None:
    """Write what was asked for."""
    kernel = manifest.read(args.manifest)
    headers = render.headers_of(kernel, args.op_type or render.camel_case(kernel.op_file))
    if args.out_dir:
        args.out_dir.mkdir(parents=True, exist_ok=True)
        for name, text in headers:
            (args.out_dir / name).write_text(text, encoding="utf-8")
    if args.python_dir:
        # Without __init__.py: the directories of several kernels are one namespace package.
        module = args.python_dir / "pypto_tiling" / f"{kernel.kernel_name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(render.python_module_text(kernel), encoding="utf-8")
    outputs = (
        (args.tiling_data, headers.tiling_data[1]),
        (args.tiling_key, headers.tiling_key[1]),
        (args.registration, headers.registration[1]),
        (args.registration_source, render.registration_source_text(headers)),
        (args.host_include, render.host_include_text(headers)),
    )
    for path, text in outputs:
        if path:
            path.write_text(text, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 the manifest cannot be used or a header not written."""
    try:
        write(parse(argv))
    except (manifest.ManifestError, OSError) as error:
        print(f"headers: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
