"""The operators of a workspace, and Bazel in it."""

from __future__ import annotations

import difflib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pypto_rules.tools.build_sh.options import UsageError

# Where the package for what is asked for is declared, and its installer copied to.
PACKAGE_DIRECTORY = "build_out"


@dataclass(frozen=True)
class Workspace:
    """A directory with a MODULE.bazel, and the program that starts Bazel."""

    root: Path
    launcher: str

    def bazel(self, *words: str) -> int:
        """Run Bazel as a user sees it; its exit status."""
        print("+ bazel " + " ".join(words), file=sys.stderr, flush=True)
        return subprocess.run([self.launcher, *words], cwd=self.root, check=False).returncode

    def operators(self) -> dict[str, str]:
        """The labels of all operators by name.

        Raises:
            UsageError: the BUILD files cannot be loaded, or two operators have one name.
        """
        found: dict[str, str] = {}
        for label in self._query("kind('pypto_operator rule', //...)"):
            name = label.rpartition(":")[2]
            if name in found:
                raise UsageError(f"there are two operators {name}: {found[name]} and {label}; name targets with Bazel")
            found[name] = label
        return found

    def chosen(self, names: Sequence[str]) -> dict[str, str]:
        """Those operators, or all.

        Raises:
            UsageError: one is not there; with those of a name near it.
        """
        known = self.operators()
        if not known:
            raise UsageError("there is no pypto_op in this workspace")
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=3)
                hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(sorted(known))}"
                raise UsageError(f"no operator is called '{name}'; {hint}")
        return {name: known[name] for name in names} if names else known

    def examples_of(self, label: str) -> list[str]:
        """The aclnn examples beside an operator."""
        package = label.rpartition(":")[0]
        return self._query(f"filter('example', kind('cc_test rule', {package}:all))")

    def write_package(self, labels: Sequence[str], vendor_name: str) -> str:
        """Write the BUILD file of a package of these operators; its label."""
        directory = self.root / PACKAGE_DIRECTORY
        directory.mkdir(exist_ok=True)
        ops = "".join(f'        "{label}",\n' for label in labels)
        (directory / "BUILD.bazel").write_text(
            "# Written by build.sh for what it was asked for last.\n"
            'load("@pypto_rules//pypto_rules:defs.bzl", "pypto_op_package")\n\n'
            f'pypto_op_package(\n    name = "pkg",\n    ops = [\n{ops}    ],\n    vendor_name = "{vendor_name}",\n'
            '    tags = ["manual"],\n)\n',
            encoding="utf-8",
        )
        return f"//{PACKAGE_DIRECTORY}:pkg"

    def files_of(self, label: str, flags: Sequence[str]) -> list[Path]:
        """The default outputs of a target that was built with these flags."""
        shown = self._run("cquery", "--output=files", *flags, label)
        execution_root = Path(self._run("info", "execution_root").strip())
        return [execution_root / line for line in shown.splitlines() if line]

    def _query(self, expression: str) -> list[str]:
        return sorted(self._run("query", "--order_output=no", expression).split())

    def _run(self, *words: str) -> str:
        command = [self.launcher, *words]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UsageError(f"bazel {words[0]} failed:\n{done.stderr.strip()}")
        return done.stdout
