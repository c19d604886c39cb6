"""op.json → ops-info and prototypes, by hand; the package tool uses the modules. Compares a list of binaries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.op_info import binary_json, ops_info, proto
from pypto_rules.tools.opdef import model


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="op_info", description=__doc__)
    parser.add_argument("--op", type=Path, action="append", required=True, help="op.json of an operator; repeatable")
    parser.add_argument("--soc", help="the SoC of --ini, --json and --binary-json")
    parser.add_argument("--ini", type=Path, help="aic-<soc>-ops-info.ini to write")
    parser.add_argument("--json", type=Path, help="aic-<soc>-ops-info.json to write")
    parser.add_argument("--proto", type=Path, help="<op>_proto.h to write, of the first operator")
    parser.add_argument("--binary-json", type=Path, help="list of binaries of the first operator to compare")
    parser.add_argument("--checked", type=Path, help="file to write when --binary-json agrees")
    args = parser.parse_args(argv)
    if (args.ini or args.json or args.binary_json) and not args.soc:
        parser.error("--ini, --json and --binary-json need --soc")
    return args


def run(args: argparse.Namespace) -> list[str]:
    """Write what was asked for; returns the differences of --binary-json."""
    ops = [model.read(path, path.name) for path in args.op]
    for path, render in ((args.ini, ops_info.ini_text), (args.json, ops_info.json_text)):
        if path:
            path.write_text(render(ops, args.soc), encoding="utf-8")
    if args.proto:
        args.proto.write_text(proto.text(ops[0]), encoding="utf-8")
    if not args.binary_json:
        return []
    found = binary_json.differences(ops[0], args.soc, args.binary_json, str(args.binary_json))
    if args.checked and not found:
        args.checked.write_text("")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 an operator or a list is wrong."""
    try:
        found = run(parse(argv))
    except (model.OpDefError, OSError) as error:
        print(f"op_info: error: {error}", file=sys.stderr)
        return 1
    if found:
        print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
