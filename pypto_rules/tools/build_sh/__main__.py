"""What `build.sh` runs: its command line, carried out by Bazel."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.build_sh.options import HELP, Options, UsageError, parse
from pypto_rules.tools.build_sh.workspace import PACKAGE_DIRECTORY, Workspace


def package(options: Options, workspace: Workspace) -> int:
    """Build the installer of the operators asked for into build_out/."""
    operators = workspace.chosen(options.ops)
    label = workspace.write_package(list(operators.values()), options.vendor_name)
    status = workspace.bazel("build", *options.bazel_flags, label)
    if status != 0:
        return status
    for built in workspace.files_of(label, options.bazel_flags):
        target = workspace.root / PACKAGE_DIRECTORY / built.name
        target.unlink(missing_ok=True)
        shutil.copy2(built, target)
        print(f"build.sh: {target.relative_to(workspace.root)} holds {', '.join(operators)}")
    return 0


def run_example(options: Options, workspace: Workspace) -> int:
    """Run the aclnn examples beside an operator."""
    (label,) = workspace.chosen([options.example]).values()
    examples = workspace.examples_of(label)
    if not examples:
        raise UsageError(
            f"there is no aclnn example beside {label}; add a pypto_aclnn_example whose name has 'example' in it"
        )
    statuses = [workspace.bazel("run", *options.bazel_flags, example) for example in examples]
    return max(statuses)


def test(options: Options, workspace: Workspace) -> int:
    """Run the tests beside the operators asked for."""
    labels = workspace.chosen(options.ops).values()
    packages = dict.fromkeys(label.rpartition(":")[0] + ":all" for label in labels)
    return workspace.bazel("test", "--build_tests_only", *options.bazel_flags, *packages)


def carry_out(options: Options, workspace: Workspace) -> int:
    """Everything asked for, until something fails."""
    if options.clean:
        shutil.rmtree(workspace.root / PACKAGE_DIRECTORY, ignore_errors=True)
        return workspace.bazel("clean")
    steps = [(options.package, package), (options.test, test), (bool(options.example), run_example)]
    for wanted, step in steps:
        status = step(options, workspace) if wanted else 0
        if status != 0:
            return status
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a step failed, 2 the command line or the workspace is wrong."""
    try:
        options = parse(sys.argv[1:] if argv is None else argv)
        if options.help:
            print(HELP, end="")
            return 0
        root = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
        if not root:
            raise UsageError("this program is started by build.sh, through `bazel run`")
        return carry_out(options, Workspace(Path(root), os.environ.get("PYPTO_LAUNCHER", "bazel")))
    except UsageError as error:
        print(f"build.sh: error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
