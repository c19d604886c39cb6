"""Action 6 of CANN: objects and variants.json → one AI Core binary and one json per column."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import model
from toolchains.cann.link import table as tables
from toolchains.cann.link.describe import describe
from toolchains.cann.link.linker import LinkError, link_column, objects_by_source


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line; every path is an input or output of the action."""
    parser = argparse.ArgumentParser(prog="link", description=__doc__)
    parser.add_argument("--manifest", type=Path, required=True, help="kernel.json")
    parser.add_argument("--variants", type=Path, required=True, help="variants.json of the code generator")
    parser.add_argument("--op-def", type=Path, help="op.json of the operator, for what a binary supports")
    parser.add_argument(
        "--objects", type=Path, action="append", required=True, help="directory of objects; repeatable, one per core"
    )
    parser.add_argument("--linker", required=True, help="CANN's ld.lld")
    parser.add_argument("--feature", action="append", default=[], choices=("debug", "oom"), help="how it was compiled")
    parser.add_argument("--out-dir", type=Path, required=True, help="directory of binaries")
    return parser.parse_args(argv)


def link(args: argparse.Namespace) -> None:
    """Link every column."""
    kernel = manifest.read(args.manifest)
    table = tables.read(args.variants)
    op = model.read(args.op_def, args.op_def.name).for_soc(table.soc) if args.op_def else None
    objects = objects_by_source(sorted(path for directory in args.objects for path in directory.rglob("*.o")))
    args.out_dir.mkdir(parents=True, exist_ok=True)
    for column in table.columns:
        out = args.out_dir / f"{column.binary}.o"
        link_column(args.linker, column, objects, out, "debug" in args.feature)
        digest = hashlib.sha256(out.read_bytes()).hexdigest()
        described = describe(kernel, table, column, op, digest, "oom" in args.feature)
        text = json.dumps(described, indent=2) + "\n"
        (args.out_dir / f"{column.binary}.json").write_text(text, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a column cannot be linked."""
    try:
        link(parse(argv))
    except (LinkError, manifest.ManifestError, model.OpDefError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
