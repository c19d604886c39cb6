"""Action 3: the library of a `_def.cpp` → op.json."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.opdef.check import DefinitionError, op_json
from pypto_rules.tools.opdef.dump import raw_definitions


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="opdef", description=__doc__)
    parser.add_argument("--dump", type=Path, required=True, help="the backend's program that loads the library")
    parser.add_argument("--library", type=Path, required=True, help="the compiled `_def.cpp`")
    parser.add_argument("--shown", required=True, help="the `_def.cpp`, as messages call it")
    parser.add_argument("--op-type", default="", help="the operator type; default: the only one")
    parser.add_argument("--out", type=Path, required=True, help="op.json to write")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 the definition cannot be used."""
    args = parse(argv)
    try:
        raw = raw_definitions(args.dump, args.library, args.shown)
        data = op_json(raw, args.op_type or None, args.shown)
        args.out.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except DefinitionError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"opdef: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
