"""A check as the tool's commands make it: in a process of its own, and watched."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from pypto_rules.tools.contract import check, failures, guard, isolation, load, manifest
from pypto_rules.tools.contract.problems import render


@dataclass(frozen=True)
class Report:
    """What came of a check: a file with the text of kernel.json and a line about it, or problems and their texts."""

    manifest: IO[bytes] | None
    summary: str
    problems: list[dict[str, Any]]
    texts: list[str]


def report(
    request: load.Request, max_variants: int, *, strict: bool, limits: isolation.Limits = isolation.LIMITS
) -> Report:
    """Check a kernel file; `strict` lets it read declared files only, else also modules it finds by itself.

    It runs in an empty directory that is removed afterwards.

    Raises:
        isolation.Crashed: the tool has a fault, or the kernel file broke the Python that runs it.
    """

    with tempfile.TemporaryDirectory(prefix="pypto-") as scratch:

        def work(alive: Callable[[], None]) -> bytes:
            files = [str(request.kernel), *(str(path) for path, _ in request.helpers)]
            watch = guard.Guard(files, scratch, request.search_path(), strict=strict)
            os.chdir(scratch)
            os.environ["TMPDIR"] = tempfile.tempdir = scratch
            watch.install()
            result = check.check(request, max_variants, watch, alive)
            if result.kernel is None:
                problems = [problem.to_json() for problem in result.problems]
                return json.dumps({"summary": "", "problems": problems, "texts": result.texts}).encode("ascii")
            written.writelines(part.encode("utf-8") for part in manifest.lines(result.kernel))
            written.flush()
            return json.dumps({"summary": _summary(result.kernel), "problems": [], "texts": []}).encode("ascii")

        written = tempfile.TemporaryFile()  # noqa: SIM115 - handed out; too long for memory with a million combinations
        try:
            found = json.loads(isolation.run(work, limits))
        except isolation.Died as death:
            index = load.read(request)
            problem = failures.death_problem(str(death), index.kernel)
            found = {"summary": "", "problems": [problem.to_json()], "texts": [render(problem, index.lines)]}
        written.seek(0)
        return Report(None if found["problems"] else written, **found)


def _summary(kernel: manifest.Kernel) -> str:
    keys = len(kernel.tiling_key.valid)
    return (
        f"{kernel.kernel_name}: ok; {len(kernel.params)} parameters, {kernel.tiling.name} {kernel.tiling.sizeof} B, "
        f"{kernel.tiling_key.name} {keys} TilingKey{'s' if keys != 1 else ''}"
    )
