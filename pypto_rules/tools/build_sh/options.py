"""The command line of operator projects' build.sh (cann-flow, section 6), as far as it means something here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

HELP = """\
bash build.sh --pkg [--soc=<soc>[,<soc>…]] [--ops=<op>[,<op>…]] [--vendor_name=<vendor>] [-j<N>] [-O<level>]
bash build.sh --run_example <op> eager [cust] [--soc=<soc>] [-j<N>]
bash build.sh -u [--ops=<op>[,<op>…]] [--soc=<soc>]
bash build.sh --make_clean | --help

  --pkg            build the vendor installer into build_out/
  --soc            SoCs of the package; default: ascend910b
  --ops            operators of the package; default: all of this workspace
  --vendor_name    default: custom
  --run_example    run the operator's aclnn example, with the operator as it is built now
  -u               run the tests
  -j<N>, -O<level> jobs, and optimisation of host code
"""

# Options of build.sh that have no meaning here, and why.
_REFUSED = {
    "--aicpu": "AI CPU operators are not built by pypto_rules",
    "--asan": "use --copt=-fsanitize=address with Bazel",
    "--build-type": "use -c dbg or -c opt with Bazel",
    "--cann_3rd_lib_path": "nothing is downloaded while building; Bazel fetches what MODULE.bazel names",
    "--ccache": "Bazel caches; share it with --disk_cache or --remote_cache",
    "--dump_cce": "look at the generated sources: bazel build <operator> --output_groups=sources",
    "--experimental": "name the operators with --ops",
    "--jit": "kernels are always in the package",
    "--mssanitizer": "the twin checks every access; for NPU kernels use copts of the operator",
    "--oom": "the twin checks every access; for NPU kernels use copts of the operator",
    "--opapi": "build the package, --pkg; the library is in it",
    "--opgraph": "build the package, --pkg; the library is in it",
    "--ophost": "build the package, --pkg; the library is in it",
    "--opkernel": "build one operator: bazel build //<directory>:<operator>",
    "--pkg-type": "installers are .run files",
    "--simulator": "the twin runs without one",
    "--static": "there is no static package",
}
_KNOWN = ("--pkg", "--soc", "--ops", "--vendor_name", "--run_example", "--make_clean", "--help", "-u", "-j", "-O")
_VALUED = ("--soc", "--ops", "--vendor_name")
_JOBS = re.compile(r"-j(\d+)")
_LEVEL = re.compile(r"-O[0-3s]")


class UsageError(ValueError):
    """The command line cannot be carried out; the text says why and what can."""


@dataclass
class Options:
    """What is to be done."""

    package: bool = False
    test: bool = False
    clean: bool = False
    help: bool = False
    example: str = ""
    socs: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()
    vendor_name: str = "custom"
    jobs: str = ""
    level: str = ""

    @property
    def bazel_flags(self) -> list[str]:
        """Flags of every build, the same for all, so that Bazel keeps its analysis.

        Operators need not be visible to the package that is made for the occasion.
        """
        flags = ["--check_visibility=false"]
        flags += [f"--@pypto_rules//pypto_rules/settings:soc={soc}" for soc in self.socs]
        flags += [f"--jobs={self.jobs}"] if self.jobs else []
        return flags + ([f"--copt={self.level}"] if self.level else [])


def parse(words: Sequence[str]) -> Options:
    """Read a command line.

    Raises:
        UsageError: an option is unknown or has no meaning here, or its value is missing.
    """
    options = Options()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in _VALUED:
            _set_value(options, name, value if equals else _next(rest, name))
        elif word == "--pkg":
            options.package = True
        elif word == "-u":
            options.test = True
        elif word == "--make_clean":
            options.clean = True
        elif word in ("-h", "--help"):
            options.help = True
        elif word == "--run_example":
            options.example = _example(rest)
        elif word == "-j" or _JOBS.fullmatch(word):
            options.jobs = word[2:] or _next(rest, "-j")
        elif _LEVEL.fullmatch(word):
            options.level = word
        else:
            raise UsageError(_refusal(name))
    if not (options.package or options.test or options.clean or options.help or options.example):
        raise UsageError("nothing to do; give --pkg, --run_example <op> eager, -u, --make_clean or --help")
    return options


def _set_value(options: Options, name: str, value: str) -> None:
    if not value:
        raise UsageError(f"{name} is empty; give {name}=<value>")
    if name == "--vendor_name":
        options.vendor_name = value
        return
    items = tuple(dict.fromkeys(item for item in re.split("[,;]", value) if item))
    if name == "--soc":
        options.socs = items
    else:
        options.ops = items


def _next(rest: list[str], name: str) -> str:
    if not rest or rest[0].startswith("-"):
        raise UsageError(f"{name} needs a value")
    return rest.pop(0)


def _example(rest: list[str]) -> str:
    op = _next(rest, "--run_example")
    mode = _next(rest, f"--run_example {op}")
    if mode != "eager":
        raise UsageError(f"--run_example {op} {mode}: only eager is there, which calls the operator through aclnn")
    if rest and not rest[0].startswith("-"):
        package = rest.pop(0)
        if package != "cust":
            raise UsageError(f"--run_example {op} eager {package}: only cust is there, the operators of this workspace")
    return op


def _refusal(name: str) -> str:
    if name in _REFUSED:
        return f"{name} has no meaning here: {_REFUSED[name]}"
    near = difflib.get_close_matches(name, [*_KNOWN, *_REFUSED], n=1)
    return f"unknown option '{name}'" + (f"; did you mean {near[0]}?" if near else "; see --help")
