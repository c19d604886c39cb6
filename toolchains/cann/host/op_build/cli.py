"""op_build of a CANN toolkit as the tools of a host toolchain.

`dump` takes the place of the twin's program that loads a `_def.cpp`, `aclnn` of its generator of the aclnn interface;
`proto` writes the prototype.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pypto_rules.tools.opdef import model
from pypto_rules.tools.opdef.dump import WRONG
from toolchains.cann.host.op_build.definitions import definitions
from toolchains.cann.host.op_build.generated import hand_over
from toolchains.cann.host.op_build.run import DefinitionWrong, OpBuild, OpBuildError

# aclnn_type → what op_build is told to begin names with.
_PROJECTS = {"aclnn": "aclnn", "aclnn_inner": "aclnnInner"}
_NO_ACLNN = "aclnnExc"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="op_build_tool", description=__doc__)
    commands = parser.add_subparsers(required=True)
    _command(commands, "dump", dump).add_argument("--out", type=Path, required=True, help="raw description to write")
    generators = [_command(commands, "aclnn", aclnn), _command(commands, "proto", proto)]
    generators[0].add_argument("--type", choices=sorted(_PROJECTS), default="aclnn", help="which interface")
    for command in generators:
        command.add_argument("--op", type=Path, required=True, help="op.json of the operator")
        command.add_argument("--header-dir", type=Path, required=True, help="directory for the header")
        command.add_argument("--source", type=Path, required=True, help="source to write")
    return parser.parse_args(argv)


def _command(commands: argparse._SubParsersAction, name: str, run: Callable[..., None]) -> argparse.ArgumentParser:
    command = commands.add_parser(name)
    command.set_defaults(run=run)
    command.add_argument("--op-build", type=Path, required=True, help="CANN's program")
    command.add_argument("--lib64", type=Path, required=True, help="directory of CANN's libraries")
    command.add_argument("--socs", required=True, help="SoCs that are built for, joined by ;")
    command.add_argument("--library", type=Path, required=True, help="the compiled `_def.cpp`")
    return command


def dump(op_build: OpBuild, args: argparse.Namespace) -> None:
    """What the library defines."""
    with op_build.outputs(args.library, _NO_ACLNN, aclnn=False) as directory:
        args.out.write_text(json.dumps(definitions(directory), indent=1) + "\n", encoding="utf-8")


def aclnn(op_build: OpBuild, args: argparse.Namespace) -> None:
    """Header and source of the aclnn interface."""
    op_type, project = model.read(args.op, args.op.name).op_type, _PROJECTS[args.type]
    with op_build.outputs(args.library, project, aclnn=True) as directory:
        hand_over(directory, f"{project}_", "", op_type, args.header_dir, args.source)


def proto(op_build: OpBuild, args: argparse.Namespace) -> None:
    """Header and source of the prototype."""
    op_type = model.read(args.op, args.op.name).op_type
    with op_build.outputs(args.library, _NO_ACLNN, aclnn=False) as directory:
        hand_over(directory, "", "_proto", op_type, args.header_dir, args.source)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 op_build did not do it, WRONG the `_def.cpp` is wrong."""
    args = parse(argv)
    try:
        args.run(OpBuild(args.op_build, args.lib64, tuple(args.socs.split(";"))), args)
    except DefinitionWrong as error:
        print(error, file=sys.stderr)
        return WRONG
    except (OpBuildError, model.OpDefError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
