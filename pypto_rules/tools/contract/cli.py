"""Command line: `contract emit` for the build action, `contract check` by hand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import check, load, manifest, schema

_USAGE = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="contract", description="Check a PyPTO Pro kernel file against the rules of offline delivery."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="{check,emit}")
    by_hand = commands.add_parser("check", help="check a kernel file and say what is wrong")
    by_hand.add_argument("kernel", metavar="FILE.py", help="the kernel file")
    by_hand.add_argument("--json", action="store_true", help="print the result as JSON")
    emit = commands.add_parser("emit", help="check a kernel file and write its kernel.json")
    emit.add_argument("--kernel", required=True, metavar="FILE.py", help="the kernel file")
    emit.add_argument("--out", required=True, metavar="kernel.json", help="where to write the manifest")
    for command in (by_hand, emit):
        command.add_argument(
            "--src", action="append", default=[], metavar="HELPER.py", help="a module the kernel imports"
        )
        command.add_argument(
            "--import-root", action="append", default=[], metavar="DIR", help="a directory to import modules from"
        )
        command.add_argument(
            "--max-variants",
            type=_positive,
            default=schema.DEFAULT_MAX_VARIANTS,
            metavar="N",
            help="the most TilingKey combinations allowed (default: %(default)s)",
        )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _absolute(shown: str) -> Path:
    """`bazel run` starts the tool elsewhere; relative names mean the user's directory."""
    return Path(os.path.normpath(os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd()), shown)))


def _request(options: argparse.Namespace) -> load.Request:
    return load.Request(
        kernel=_absolute(options.kernel),
        shown=options.kernel,
        helpers=tuple((_absolute(shown), shown) for shown in options.src),
        import_roots=tuple(_absolute(shown) for shown in options.import_root),
    )


def _print_problems(result: check.Result) -> None:
    for text in result.texts:
        print(text, file=sys.stderr)


def _check(options: argparse.Namespace) -> int:
    result = check.check(_request(options), options.max_variants)
    if options.json:
        kernel = manifest.to_json(result.kernel) if result.kernel else None
        errors = [problem.to_json() for problem in result.problems]
        sys.stdout.write(manifest.dumps({"ok": result.kernel is not None, "kernel": kernel, "errors": errors}))
    elif result.kernel is not None:
        print(_summary(result.kernel))
    else:
        _print_problems(result)
    return 0 if result.kernel is not None else 1


def _summary(kernel: manifest.Kernel) -> str:
    keys = len(kernel.tiling_key.valid)
    return (
        f"{kernel.kernel_name}: ok; {len(kernel.params)} parameters, {kernel.tiling.name} {kernel.tiling.sizeof} B, "
        f"{kernel.tiling_key.name} {keys} TilingKey{'s' if keys != 1 else ''}"
    )


def _emit(options: argparse.Namespace) -> int:
    out = _absolute(options.out)  # before the user's file runs, which may change the directory
    result = check.check(_request(options), options.max_variants)
    if result.kernel is None:
        _print_problems(result)
        return 1
    try:
        manifest.write(result.kernel, out)
    except OSError as error:
        print(f"contract: cannot write {options.out}: {error.strerror}", file=sys.stderr)
        return _USAGE
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; the exit code is 0 without problems, 1 with problems, 2 for wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the user's names may be Chinese whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(argv)
    return _check(options) if options.command == "check" else _emit(options)
