"""Starts op_build on the library of a `_def.cpp`, in a directory of its own and with an environment of its own."""

from __future__ import annotations

import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# What a shell says of a program that the loader could not start.
_NOT_STARTED = 127


class OpBuildError(ValueError):
    """op_build did not do it; the text says what it said."""


class DefinitionWrong(OpBuildError):
    """The `_def.cpp` is wrong: `<what>; fix: <edit>`."""


@dataclass(frozen=True)
class OpBuild:
    """op_build of a toolkit: the program, the directory of the toolkit's libraries, the SoCs that are built for."""

    program: Path
    lib64: Path
    socs: tuple[str, ...]

    @contextmanager
    def outputs(self, library: Path, project: str, aclnn: bool) -> Iterator[Path]:
        """What op_build writes for a library, in a directory that is removed afterwards.

        Args:
            library: the compiled `_def.cpp`.
            project: what the aclnn functions and their files begin with: aclnn, aclnnInner; aclnnExc without any.
            aclnn: whether they are generated.

        Raises:
            OpBuildError: it failed.
        """
        with tempfile.TemporaryDirectory() as scratch:
            home, out = Path(scratch, "home"), Path(scratch, "out")
            home.mkdir()
            out.mkdir()
            # The output directory is named by a dot, so that no text that op_build writes can hold a path of this run.
            done = subprocess.run(
                [str(self.program.absolute()), str(library.absolute()), "."],
                cwd=out,
                env=self._environment(home, project, aclnn),
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            if done.returncode != 0:
                raise _failure(done.returncode, f"{done.stderr.strip()}\n{done.stdout.strip()}".strip())
            yield out

    def _environment(self, home: Path, project: str, aclnn: bool) -> dict[str, str]:
        """All that op_build sees (cann-flow, section 3.4); its log goes below HOME."""
        return {
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "LD_LIBRARY_PATH": str(self.lib64.absolute()),
            "OPS_ACLNN_GEN": "1" if aclnn else "0",
            "OPS_PRODUCT_NAME": ";".join(self.socs),
            "OPS_PROJECT_NAME": project,
            "OPS_PROTO_SEPARATE": "1",
            "PATH": "/usr/bin:/bin",
        }


def _failure(status: int, said: str) -> OpBuildError:
    if status < 0:
        name = signal.Signals(-status).name
        return DefinitionWrong(
            f"the OpDef crashed while op_build constructed it ({name}){': ' + said if said else ''}; "
            "fix: look at what its constructor calls; it runs on the build machine"
        )
    if status == _NOT_STARTED:
        return OpBuildError(f"op_build of the CANN toolkit cannot be started, its lib64 lacks what it needs: {said}")
    return OpBuildError(f"op_build ended with status {status}: {said or 'it said nothing'}")
