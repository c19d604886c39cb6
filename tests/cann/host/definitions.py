"""`_def.cpp` sources of tests, read through the stand-in's op_build and through the twin's dump."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pypto_rules.tools.opdef import __main__ as opdef
from tests.cann.toolkit import assemble
from toolchains.cann.host.op_build import cli

COMPILER = assemble.host_side.COMPILER
SOCS = "ascend910b;ascend910_93;ascend950"


@functools.cache
def toolkit() -> Path:
    """A stand-in toolkit with its host side, for the whole process."""
    return assemble.make(Path(tempfile.mkdtemp()) / "cann", host=True)


@dataclass(frozen=True)
class Definition:
    """A compiled `_def.cpp`, with the files that are made of it beside it."""

    source: Path
    library: Path

    @property
    def directory(self) -> Path:
        """Where its files are."""
        return self.library.parent

    @property
    def op_json(self) -> Path:
        """op.json, made by `read`."""
        return self.directory / "op.json"

    def arguments(self, command: str, *more: str) -> list[str]:
        """A command line of the op_build tool, without the outputs."""
        program, lib64 = toolkit() / "tools/opbuild/op_build", toolkit() / "lib64"
        fixed = ["--op-build", str(program), "--lib64", str(lib64), "--socs", SOCS, "--library", str(self.library)]
        return [command, *fixed, *more]

    def read(self, *options: str) -> int:
        """Run the OpDef tool as `pypto_op_def` does; its exit status."""
        dump = self.directory / "dump"
        words = [sys.executable, "-m", cli.__name__, *self.arguments("dump")]
        lines = [f"#!{sys.executable}", "import subprocess, sys"]
        # The library is in the arguments already.
        lines.append(f"sys.exit(subprocess.run({words!r} + sys.argv[3:]).returncode)")
        dump.write_text("\n".join(lines))
        dump.chmod(0o755)
        files = ["--dump", str(dump), "--library", str(self.library), "--out", str(self.op_json)]
        return opdef.main([*files, "--shown", f"op_host/{self.source.name}", *options])

    def generate(self, command: str, *options: str) -> int:
        """Run a generator; its exit status. Its files are `headers` and `generated.cpp`."""
        outputs = ["--header-dir", str(self.directory / "headers"), "--source", str(self.directory / "generated.cpp")]
        return cli.main(self.arguments(command, "--op", str(self.op_json), *outputs, *options))


def compiled(directory: Path, text: str, name: str = "scale") -> Definition:
    """Compile a `_def.cpp` against the stand-in toolkit."""
    source, library = directory / f"{name}_def.cpp", directory / "library.so"
    source.write_text(text)
    options = ["-std=c++17", "-fPIC", "-shared", "-D_GLIBCXX_USE_CXX11_ABI=0", f"-I{toolkit()}/include"]
    command = [COMPILER, *options, str(source), "-o", str(library), f"-L{toolkit()}/lib64", "-lregister", "-lexe_graph"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Definition(source, library)
