"""Writes into a workspace what makes it feel like an operator project: `build.sh`."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="init", description=__doc__)
    parser.add_argument(
        "--launcher", default="bazel", help="what starts Bazel, from the workspace's root: bazel, bazelisk, ../bazelw"
    )
    parser.add_argument("--force", action="store_true", help="write over a build.sh that is there")
    return parser.parse_args(argv)


def build_sh(launcher: str) -> str:
    """The text of build.sh."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
    environment.filters["shell_quoted"] = shlex.quote
    return environment.get_template("build.sh.j2").render(launcher=launcher)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 written, 1 there is one already, or it cannot be written."""
    args = parse(argv)
    path = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."), "build.sh")
    if path.exists() and not args.force:
        print(f"init: error: {path} is there already; --force writes over it", file=sys.stderr)
        return 1
    try:
        path.write_text(build_sh(args.launcher), encoding="utf-8")
        path.chmod(0o755)
    except OSError as error:
        print(f"init: error: cannot write {path}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"Wrote {path}. Try: bash build.sh --help")
    return 0


if __name__ == "__main__":
    sys.exit(main())
