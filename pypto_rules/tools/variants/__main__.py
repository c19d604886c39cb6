"""`bazel run <kernel>.variants`: the variants of a kernel as a table, as JSON or as CSV."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.variants import render
from pypto_rules.tools.variants.rows import Row, rows_of


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line; users give `--format` only."""
    parser = argparse.ArgumentParser(prog="variants", description=__doc__)
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: %(default)s")
    parser.add_argument("--label", required=True, help=argparse.SUPPRESS)
    for option in ("--manifest", "--variants"):
        parser.add_argument(option, type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--sources", type=Path, action="append", required=True, help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def _notes(rows: Sequence[Row], kernel: manifest.Kernel, narrowed: dict[str, Any] | None) -> list[str]:
    texts = len({row.text for row in rows})
    notes = [f"{len(rows)} variants with {texts} different texts; those with the same text are compiled to equal code."]
    if narrowed is not None:
        by = [f"--{name} {' '.join(narrowed[name])}" for name in ("tiling_keys", "dtypes") if narrowed[name]]
        notes.append(f"Narrowed by {' and '.join(by)}; {kernel.op_file} has {narrowed['of']} variants.")
    return notes


def main(argv: Sequence[str] | None = None) -> int:
    """Print the variants; exit status 0."""
    if hasattr(sys.stdout, "reconfigure"):  # the user's names may be Chinese whatever the locale is
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = parse(argv)
    kernel = manifest.read(args.manifest)
    variants = json.loads(args.variants.read_text(encoding="utf-8"))
    rows = rows_of(variants, args.sources)
    about = {name: variants[name] for name in ("kernel_name", "op_file", "backend", "soc", "narrowed")}
    if args.format == "json":
        sys.stdout.write(render.as_json(rows, about))
    elif args.format == "csv":
        sys.stdout.write(render.as_csv(rows))
    else:
        heading = f"{args.label}: {variants['kernel_name']} for {variants['soc']}, backend {variants['backend']}"
        sys.stdout.write(render.as_table(rows, heading, _notes(rows, kernel, variants["narrowed"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
