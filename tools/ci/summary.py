"""Counts what a CI run checked: linters, builds and Bazel tests.

    summary.py --lint lint.json --build NAME=events.json --test NAME=events.json

Reads the report of tools/lint/run and Bazel's build event files. Prints what failed and what was skipped,
and at the end one line `N passed, N failed`. A test counts as passed only when Bazel says that it ran and
passed; a run of Bazel that stopped for another reason than a failing test counts as one failure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PASSED_STATUS = ("PASSED", "FLAKY")
# Exit codes of Bazel: 0 success, 3 built but tests failed.
TESTS_FAILED = 3


@dataclass
class Results:
    """What passed, failed and was skipped, by name; failures carry a reason."""

    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, other: Results) -> None:
        """Adds the results of another part."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def read_events(path: Path) -> list[dict[str, Any]]:
    """Returns the events of a build event file, none when Bazel did not write it or was cut off."""
    events = []
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                events.append(json.loads(line))
            except ValueError:
                break
    return events


def exit_code(events: Iterable[dict[str, Any]]) -> int | None:
    """Returns the exit code of the Bazel command, None when it did not end."""
    for event in events:
        if "buildFinished" in event["id"] and "finished" in event:
            return event["finished"].get("exitCode", {}).get("code", 0)
    return None


def build_results(name: str, events: list[dict[str, Any]]) -> Results:
    """Returns one result for a `bazel build`."""
    code = exit_code(events)
    if code == 0:
        return Results(passed=[f"build of {name}"])
    return Results(failed=[f"build of {name}: {_ending(code)}"])


def test_results(name: str, events: list[dict[str, Any]]) -> Results:
    """Returns one result for each test target of a `bazel test`."""
    expected: set[str] = set()
    skipped: set[str] = set()
    status: dict[str, list[str]] = {}
    for event in events:
        identity = event["id"]
        if "targetConfigured" in identity and event.get("configured", {}).get("testSize"):
            expected.add(identity["targetConfigured"]["label"])
        elif "targetCompleted" in identity and event.get("aborted", {}).get("reason") == "SKIPPED":
            skipped.add(identity["targetCompleted"]["label"])
        elif "testSummary" in identity:
            label = identity["testSummary"]["label"]
            status.setdefault(label, []).append(event.get("testSummary", {}).get("overallStatus", "NO_STATUS"))
    results = Results()
    for label in sorted(expected | status.keys()):
        title = f"{name} {label}"
        bad = [value for value in status.get(label, ["did not run"]) if value not in PASSED_STATUS]
        if not bad:
            results.passed.append(title)
        elif label in skipped:
            results.skipped.append(title)
        else:
            results.failed.append(f"{title}: {bad[0]}")
    code = exit_code(events)
    if code not in (0, TESTS_FAILED) or (code == TESTS_FAILED and not results.failed):
        results.failed.append(f"test run of {name}: {_ending(code)}")
    return results


def _ending(code: int | None) -> str:
    return "Bazel did not finish" if code is None else f"Bazel ended with exit code {code}"


def lint_results(path: Path) -> Results:
    """Returns one result for each linter."""
    if not path.is_file():
        return Results(failed=["linters: did not run"])
    report = json.loads(path.read_text(encoding="utf-8"))
    return Results(
        passed=[f"lint {name}" for name, good in report.items() if good],
        failed=[f"lint {name}: failed" for name, good in report.items() if not good],
    )


def _named_file(text: str) -> tuple[str, Path]:
    name, equal, path = text.partition("=")
    if not equal:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FILE")
    return name, Path(path)


def main(argv: list[str]) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lint", type=Path, action="append", default=[])
    parser.add_argument("--build", type=_named_file, action="append", default=[])
    parser.add_argument("--test", type=_named_file, action="append", default=[])
    options = parser.parse_args(argv)
    results = Results()
    for path in options.lint:
        results.add(lint_results(path))
    for name, path in options.build:
        results.add(build_results(name, read_events(path)))
    for name, path in options.test:
        results.add(test_results(name, read_events(path)))
    for line in results.failed:
        print(f"FAILED  {line}")
    for line in results.skipped:
        print(f"skipped {line}")
    print(f"{len(results.passed)} passed, {len(results.failed)} failed")
    return 1 if results.failed or not results.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
