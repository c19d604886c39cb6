"""Checks host sources for copies of the kernel's TilingData that differ from it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.host_copies.compare import problems


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="host_copies", description=__doc__)
    parser.add_argument("--manifest", type=Path, required=True, help="kernel.json of the contract tool")
    parser.add_argument("--op-type", required=True, help="operator type the TilingData is registered for")
    parser.add_argument("--out", type=Path, required=True, help="file to write when nothing is wrong")
    parser.add_argument("sources", type=Path, nargs="*", help="host sources and headers")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 no copy differs, 1 one does, or a file cannot be read."""
    args = parse(argv)
    try:
        kernel = manifest.read(args.manifest)
        texts = {str(path): path.read_text(encoding="utf-8", errors="replace") for path in args.sources}
    except (manifest.ManifestError, OSError) as error:
        print(f"host_copies: error: {error}", file=sys.stderr)
        return 1
    found = [problem for path, text in texts.items() for problem in problems(kernel, args.op_type, path, text)]
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    args.out.write_text("")
    return 0


if __name__ == "__main__":
    sys.exit(main())
