"""op.json → `aclnn_<op>.h` and `aclnn_<op>.cpp`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.aclnn import render
from pypto_rules.tools.aclnn.signature import AclnnError
from pypto_rules.tools.opdef import model


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="aclnn", description=__doc__)
    parser.add_argument("--op", type=Path, required=True, help="op.json of the operator")
    parser.add_argument("--type", choices=("aclnn", "aclnn_inner"), default="aclnn", help="which interface")
    parser.add_argument("--header-dir", type=Path, required=True, help="directory for the header, under its own name")
    parser.add_argument("--source", type=Path, required=True, help="source to write")
    return parser.parse_args(argv)


def write(args: argparse.Namespace) -> None:
    """Write both files."""
    op = model.read(args.op, args.op.name)
    header, source = render.header_text(op, args.type), render.source_text(op, args.type)
    args.header_dir.mkdir(parents=True, exist_ok=True)
    (args.header_dir / (render.file_stem(op, args.type) + ".h")).write_text(header, encoding="utf-8")
    args.source.write_text(source, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 the operator can have no such interface."""
    try:
        write(parse(argv))
    except (AclnnError, model.OpDefError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
