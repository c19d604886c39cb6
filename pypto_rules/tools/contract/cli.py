"""Command line: `contract emit` for the build action, `contract check` by hand."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pypto_rules.tools.contract import apart, isolation, load, manifest, opdef, schema

_USAGE = 2
_FAULT = 3
_INTERRUPTED = 130
_BLOCK = 1 << 16


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
        command.add_argument("--op-def", metavar="op.json", help="the operator's OpDef, to check the kernel against")
        command.add_argument("--soc", metavar="SOC", help="the SoC whose configuration of the OpDef counts")
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
        op_def=opdef.read(_absolute(options.op_def), options.op_def, options.soc) if options.op_def else None,
        import_roots=tuple(_absolute(shown) for shown in options.import_root),
    )


def _check(options: argparse.Namespace) -> int:
    report = apart.report(_request(options), options.max_variants, strict=False)
    if options.json:
        sys.stdout.writelines(_as_json(report))
    elif report.manifest:
        print(report.summary)
    _print_problems([] if options.json else report.texts)
    return 0 if report.manifest else 1


def _as_json(report: apart.Report) -> Iterator[str]:
    """`{"ok": …, "kernel": …, "errors": …}`; the kernel's text goes through in blocks, one level deeper."""
    frame = {"ok": not report.problems, "kernel": None, "errors": report.problems}
    before, after = manifest.dumps(frame).split("null", 1)
    yield before
    if report.manifest is None:
        yield "null"
    else:
        text = io.TextIOWrapper(report.manifest, "utf-8")
        last = ""  # the newline at the end of the file is left out
        for block in iter(lambda: text.read(_BLOCK), ""):
            yield (last + block.removesuffix("\n")).replace("\n", "\n ")
            last = "\n" if block.endswith("\n") else ""
    yield after


def _emit(options: argparse.Namespace) -> int:
    report = apart.report(_request(options), options.max_variants, strict=True)
    _print_problems(report.texts)
    if not report.manifest:
        return 1
    try:
        with _absolute(options.out).open("wb") as out:
            shutil.copyfileobj(report.manifest, out)
    except OSError as error:
        print(f"contract: cannot write {options.out}: {error.strerror}", file=sys.stderr)
        return _USAGE
    return 0


def _print_problems(texts: Sequence[str]) -> None:
    for text in texts:
        print(text, file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; exit code 0: no problems, 1: problems, 2: wrong usage, 3: a fault of the tool."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # the user's names may be Chinese whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(argv)
    try:
        return _check(options) if options.command == "check" else _emit(options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except opdef.OpDefError as error:
        print(f"contract: {error}", file=sys.stderr)
        return _USAGE
    except isolation.Crashed as crash:
        print(f"contract: a fault of this tool, please report it with the kernel file\n{crash}", file=sys.stderr)
        return _FAULT
