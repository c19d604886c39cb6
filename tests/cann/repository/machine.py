"""A user's workspace on machines with and without CANN."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.workspace import Result, Workspace

KERNEL = "//ops/leaky_scale:leaky_scale"
TWIN = "--@pypto_rules//pypto_rules/settings:kernel_backend=twin"
CANN = "--@pypto_rules//pypto_rules/settings:kernel_backend=cann"


class Machine:
    """The workspace, and what its shell says of CANN."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.workspace = Workspace(directory)
        self._home = directory / "home"

    def _shell(self, variables: dict[str, Path]) -> list[str]:
        return [f"--repo_env={name}={value}" for name, value in {"HOME": self._home, **variables}.items()]

    def doctor(self, *flags: str, **variables: Path) -> str:
        """What the doctor says."""
        result = self.workspace.bazel("run", "@pypto_rules//pypto_rules/tools:doctor", *flags, *self._shell(variables))
        assert result.code == 0, result.text
        return result.text

    def analyze(self, *flags: str, **variables: Path) -> Result:
        """Find the kernel's toolchains, and build nothing."""
        return self.workspace.bazel("build", "--nobuild", KERNEL, *flags, *self._shell(variables))

    def refused(self, *flags: str, **variables: Path) -> str:
        """The error of a kernel that cannot be built, which is there once."""
        result = self.analyze(*flags, **variables)
        assert result.code != 0, result.text
        assert result.text.count("\n  fix: ") == 1, result.text
        return result.text

    def declare(self, tag: str) -> None:
        """Write a tag of the extension `cann` into MODULE.bazel, in place of the one there."""
        path = self.workspace.path / "MODULE.bazel"
        head = path.read_text().partition("\ncann = ")[0]
        path.write_text(f'{head}\ncann = use_extension("@pypto_rules//pypto_rules:extensions.bzl", "cann")\n{tag}\n')

    def toolkit_was_fetched(self) -> bool:
        """Whether anything of a toolkit lies in the repository that is fetched for kernels."""
        return any(self.directory.glob("output_base/external/*pypto_cann_toolkit/python"))
