"""Checks a vendor package: contents, size, what its JSON files say, what its libraries show and register."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.package_check import abi, device, files, jsons, registered
from pypto_rules.tools.package_check.vendor import Vendor


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line; paths are relative to the runfiles directory."""
    parser = argparse.ArgumentParser(prog="package_check", description=__doc__)
    parser.add_argument("--vendor", type=Path, required=True, help="vendors/<vendor> of the package's tree")
    parser.add_argument("--run", type=Path, required=True, help="the installer")
    parser.add_argument("--run-time", type=Path, required=True, help="the library that host libraries are loaded into")
    parser.add_argument("--must-contain", action="append", default=[], help="pattern of a path in the tree")
    parser.add_argument("--must-not-contain", action="append", default=[], help="likewise")
    parser.add_argument("--max-size", default="", help="of the installer: bytes, or with K, M or G")
    return parser.parse_args(argv)


def problems(args: argparse.Namespace) -> list[str]:
    """Everything that is wrong."""
    vendor = Vendor(args.vendor.resolve(), args.run.resolve())
    # What reads these files further on takes their form for granted.
    misshapen = jsons.schema_problems(vendor)
    if misshapen:
        return misshapen
    return [
        *files.manifest_problems(vendor),
        *files.content_problems(vendor, args.must_contain, args.must_not_contain),
        *files.size_problems(vendor, args.max_size),
        *files.path_problems(vendor),
        *jsons.problems(vendor),
        *abi.problems(vendor),
        *device.problems(vendor),
        *registered.problems(vendor, args.run_time.resolve()),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 nothing is wrong, 1 something is."""
    found = problems(parse(argv))
    for text in found:
        print(f"package_check: error: {text}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
