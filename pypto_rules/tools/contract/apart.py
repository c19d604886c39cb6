"""A check as the tool's commands make it: in a process of its own, and watched."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from typing import Any

from pypto_rules.tools.contract import check, failures, guard, isolation, load, manifest
from pypto_rules.tools.contract.problems import render


@dataclass(frozen=True)
class Report:
    """What came of a check: the text of kernel.json and a line about it, or problems and their texts."""

    manifest: str
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

        def work() -> bytes:
            files = [str(request.kernel), *(str(path) for path, _ in request.helpers)]
            watch = guard.Guard(files, scratch, request.search_path(), strict=strict)
            os.chdir(scratch)
            os.environ["TMPDIR"] = tempfile.tempdir = scratch
            watch.install()
            return json.dumps(asdict(_reported(check.check(request, max_variants, watch)))).encode("ascii")

        try:
            return Report(**json.loads(isolation.run(work, limits)))
        except isolation.Died as death:
            index = load.read(request)
            problem = failures.death_problem(str(death), index.kernel)
            return Report("", "", [problem.to_json()], [render(problem, index.lines)])


def _reported(result: check.Result) -> Report:
    if result.kernel is None:
        return Report("", "", [problem.to_json() for problem in result.problems], list(result.texts))
    return Report(manifest.dumps(manifest.to_json(result.kernel)), _summary(result.kernel), [], [])


def _summary(kernel: manifest.Kernel) -> str:
    keys = len(kernel.tiling_key.valid)
    return (
        f"{kernel.kernel_name}: ok; {len(kernel.params)} parameters, {kernel.tiling.name} {kernel.tiling.sizeof} B, "
        f"{kernel.tiling_key.name} {keys} TilingKey{'s' if keys != 1 else ''}"
    )
