"""Bazel in Bazel: a user's workspace in a temporary directory, built with this checkout of the ruleset."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path.cwd()

_MODULE = """\
module(name = "user_workspace")

bazel_dep(name = "pypto_rules", version = "0.1.0")

local_path_override(
    module_name = "pypto_rules",
    path = "{ruleset}",
)
"""

_BUILD = """\
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_op", "pypto_op_package")

pypto_op(
    name = "leaky_scale",
    dtypes = {"io_t": ["float16", "float"]},
)

pypto_op_package(
    name = "pkg",
    ops = [":leaky_scale"],
    vendor_name = "acme",
)
"""


@dataclass(frozen=True)
class Spawn:
    """One action that was looked up or run: `cached` when its result came from a cache."""

    mnemonic: str
    cached: bool
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """How a Bazel command ended, and what it ran."""

    code: int
    text: str
    spawns: list[Spawn] = field(default_factory=list)

    def ran(self, mnemonic: str) -> list[Spawn]:
        """The actions of a mnemonic that really ran."""
        return [spawn for spawn in self.spawns if spawn.mnemonic == mnemonic and not spawn.cached]

    @property
    def counts(self) -> Counter[str]:
        """How many actions of each mnemonic really ran."""
        return Counter(spawn.mnemonic for spawn in self.spawns if not spawn.cached)


class Workspace:
    """A workspace with one operator, `//ops/leaky_scale`, and its package `:pkg`."""

    def __init__(
        self,
        directory: Path,
        disk_cache: Path | None = None,
        variables: Mapping[str, str] | None = None,
        umask: int = 0o022,
        name: str = "workspace",
    ) -> None:
        """Copy the ruleset, write the workspace below `directory`; `variables` and `umask` are those of its shell."""
        self.path = directory / name
        self.op = self.path / "ops/leaky_scale"
        self.kernel = self.op / "op_kernel/leaky_scale.py"
        self._ruleset = directory / "ruleset"
        self._output_base = directory / "output_base"
        self._log = directory / "execution_log.json"
        self._variables = _environment() | dict(variables or {})
        self._umask = umask
        self._flags = [f"--disk_cache={disk_cache}"] if disk_cache else []
        shutil.copytree(ROOT, self._ruleset, ignore=shutil.ignore_patterns("__pycache__"), symlinks=False)
        self.kernel.parent.mkdir(parents=True)
        shutil.copy(ROOT / "tests/e2e/op_kernel/leaky_scale.py", self.kernel)
        (self.path / "MODULE.bazel").write_text(_MODULE.format(ruleset=self._ruleset))
        (self.op / "BUILD.bazel").write_text(_BUILD)
        shutil.copy(ROOT / ".bazelrc", self.path / ".bazelrc")

    def edit(self, path: Path, old: str, new: str) -> None:
        """Replace text that must be there exactly once."""
        text = path.read_text()
        assert text.count(old) == 1, (old, text)
        path.write_text(text.replace(old, new))

    def bazel(self, command: str, *args: str) -> Result:
        """Run a Bazel command in the workspace."""
        self._log.unlink(missing_ok=True)
        logged = [*self._flags, f"--execution_log_json_file={self._log}"] if command in ("build", "test", "run") else []
        done = subprocess.run(
            [
                "bash",
                str(self._ruleset / "bazelw"),
                f"--output_base={self._output_base}",
                command,
                "--color=no",
                "--curses=no",
                *logged,
                *args,
            ],
            cwd=self.path,
            env=self._variables,
            umask=self._umask,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Result(done.returncode, done.stdout, _read_log(self._log))

    def launcher(self) -> Path:
        """A program that starts this workspace's Bazel, for scripts that call one."""
        path = self.path.parent / "launcher"
        path.write_text(f'#!/bin/bash\nexec bash {self._ruleset}/bazelw --output_base={self._output_base} "$@"\n')
        path.chmod(0o755)
        return path

    def build(self, *args: str) -> Result:
        """Build the package (or what `args` names); the build must succeed."""
        result = self.bazel("build", *(args or ["//ops/leaky_scale:pkg"]))
        assert result.code == 0, result.text
        return result

    def output(self, name: str) -> bytes:
        """The bytes of an output of //ops/leaky_scale."""
        return (self.path / "bazel-bin/ops/leaky_scale" / name).read_bytes()

    def close(self) -> None:
        """Stop the server."""
        self.bazel("shutdown")


def _environment() -> dict[str, str]:
    """What a user's shell would have; the private root of the launcher is found whatever becomes of HOME."""
    kept = ("HOME", "PATH", "PYPTO_BAZEL", "USER", "XDG_CACHE_HOME")
    found = {name: os.environ[name] for name in kept if name in os.environ}
    return {"XDG_CACHE_HOME": str(Path(found["HOME"], ".cache"))} | found if "HOME" in found else found


def _read_log(path: Path) -> list[Spawn]:
    """The execution log: JSON objects one after the other."""
    if not path.exists():
        return []
    text, decoder, position, spawns = path.read_text(), json.JSONDecoder(), 0, []
    while position < len(text):
        item, position = decoder.raw_decode(text, position)
        while position < len(text) and text[position].isspace():
            position += 1
        spawns.append(Spawn(item["mnemonic"], item.get("cacheHit", False), tuple(item.get("listedOutputs", []))))
    return spawns
