"""A machine to install on: runs scripts in a fixed environment, with commands replaced that are to fail."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

# Counts its calls and at call number AT does ACTION, else runs the real command. It knows no --help, so that mv seems
# to be one without --exchange, whatever this machine's can do.
_SHIM = """#!{python} -B
import os, pathlib, signal, sys
if "--help" in sys.argv:
    sys.exit(0)
here = pathlib.Path(__file__)
count = here.with_suffix(".count")
calls = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(calls))
if calls == {at}:
    if "{action}" == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
    sys.stderr.write("{name}: made to fail\\n")
    sys.exit(1)
os.execv("{real}", ["{real}", *sys.argv[1:]])
"""

# An mv that can exchange two names, and then ACTION. That it takes three renames to do so does not matter here.
_EXCHANGING_MV = """#!{python} -B
import os, signal, sys
if sys.argv[1:] == ["--help"]:
    print("  --exchange  exchange source and destination")
elif "--exchange" in sys.argv:
    if "{action}" == "refuse":
        sys.exit(1)
    one, two = sys.argv[-2:]
    os.rename(one, one + ".between")
    os.rename(two, one)
    os.rename(one + ".between", two)
    if "{action}" == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
else:
    os.execv("/bin/mv", ["/bin/mv", *sys.argv[1:]])
"""

_SYSTEM_PATH = "/usr/bin:/bin"


@dataclass
class Machine:
    """`run` runs a command; what it sees of the world is `environment`."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    umask: int = -1

    def __post_init__(self) -> None:
        (self.root / "tmp").mkdir(parents=True)
        self.commands.mkdir()

    @property
    def commands(self) -> Path:
        """Directory of replaced commands, first in PATH."""
        return self.root / "commands"

    @property
    def leftovers(self) -> list[str]:
        """What scripts left in TMPDIR."""
        return sorted(p.name for p in (self.root / "tmp").iterdir())

    def replace(self, name: str, text: str) -> None:
        """Replace a command by a script."""
        path = self.commands / name
        path.write_text(text)
        path.chmod(0o755)

    def break_command(self, name: str, at: int, action: str) -> None:
        """Make call number `at` of a command fail ("fail"), or kill -9 who calls it ("kill")."""
        real = next(str(Path(d, name)) for d in _SYSTEM_PATH.split(":") if Path(d, name).exists())
        self.replace(name, _SHIM.format(python=sys.executable, at=at, action=action, name=name, real=real))

    def exchanging_mv(self, action: str) -> None:
        """An mv with --exchange, after which nothing happens ("none") or its caller is killed ("kill").

        "refuse": an mv on a file system that has no exchange.
        """
        self.replace("mv", _EXCHANGING_MV.format(python=sys.executable, action=action))

    def repair(self) -> None:
        """All commands are the system's again."""
        for path in self.commands.iterdir():
            path.unlink()

    def run(self, *command: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd or self.root,
            env=self._environment(environment),
            umask=self.umask,
            capture_output=True,
            text=True,
            check=False,
        )

    def start(self, *command: object) -> subprocess.Popen[bytes]:
        """Start a command."""
        return subprocess.Popen(
            [str(part) for part in command],
            cwd=self.root,
            env=self._environment({}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _environment(self, more: dict[str, str]) -> dict[str, str]:
        path = f"{self.commands}:{_SYSTEM_PATH}"
        return {"PATH": path, "HOME": str(self.root), "TMPDIR": str(self.root / "tmp"), **self.environment, **more}
