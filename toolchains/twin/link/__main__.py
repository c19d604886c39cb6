"""Action 6 of the twin: objects and variants.json → one shared object and one json per dtype column."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import model
from toolchains.twin.link.binary import SUFFIX, binary_name, columns_of, describe
from toolchains.twin.link.linker import LinkError, link_column, objects_by_source


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line; every path is an input or output of the action."""
    parser = argparse.ArgumentParser(prog="link", description=__doc__)
    parser.add_argument("--manifest", type=Path, required=True, help="kernel.json")
    parser.add_argument("--variants", type=Path, required=True, help="variants.json of the code generator")
    parser.add_argument("--op-def", type=Path, help="op.json of the operator: one binary for each of its columns")
    parser.add_argument("--objects", type=Path, required=True, help="directory of objects, one per variant")
    parser.add_argument("--linker", required=True, help="the C++ toolchain's linker driver")
    parser.add_argument("--out-dir", type=Path, required=True, help="directory of binaries")
    return parser.parse_args(argv)


def link(args: argparse.Namespace) -> None:
    """Link every column."""
    kernel = manifest.read(args.manifest)
    variants = json.loads(args.variants.read_text(encoding="utf-8"))
    objects = objects_by_source(sorted(args.objects.rglob("*.o")))
    args.out_dir.mkdir(parents=True, exist_ok=True)
    op = model.read(args.op_def, args.op_def.name).for_soc(variants["soc"]) if args.op_def else None
    for column in columns_of(variants, op, kernel.datatype):
        binary = binary_name(variants["op_type"], column)
        shared_object = args.out_dir / (binary + SUFFIX)
        link_column(args.linker, column, binary, objects, shared_object)
        digest = hashlib.sha256(shared_object.read_bytes()).hexdigest()
        description = describe(kernel, variants, column, binary, digest)
        (args.out_dir / f"{binary}.json").write_text(manifest.dumps(description), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a column cannot be linked."""
    try:
        link(parse(argv))
    except (LinkError, manifest.ManifestError, model.OpDefError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
