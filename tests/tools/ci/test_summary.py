"""Counting the results of a CI run."""

import json
from pathlib import Path

import pytest

from tools.ci import summary


def configured(label: str, test: bool = True) -> dict:
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"} if test else {}}


def summary_of(label: str, status: str) -> dict:
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def skipped(label: str) -> dict:
    return {"id": {"targetCompleted": {"label": label}}, "aborted": {"reason": "SKIPPED"}}


def finished(code: int) -> dict:
    return {"id": {"buildFinished": {}}, "finished": {"exitCode": {"code": code} if code else {"name": "SUCCESS"}}}


def test_each_target_counts_once():
    events = [configured("//:a"), configured("//:b"), configured("//:lib", test=False)]
    events += [summary_of("//:a", "PASSED"), summary_of("//:b", "FLAKY"), finished(0)]
    results = summary.test_results("x", events)
    assert (results.passed, results.failed) == (["x //:a", "x //:b"], [])


@pytest.mark.parametrize("status", ["FAILED", "TIMEOUT", "FAILED_TO_BUILD", "INCOMPLETE", "NO_STATUS"])
def test_every_other_status_is_a_failure(status: str):
    results = summary.test_results("x", [configured("//:a"), summary_of("//:a", status), finished(3)])
    assert (results.passed, results.failed) == ([], [f"x //:a: {status}"])


def test_one_failing_configuration_fails_the_target():
    events = [configured("//:a"), summary_of("//:a", "PASSED"), summary_of("//:a", "FAILED"), finished(3)]
    assert summary.test_results("x", events).failed == ["x //:a: FAILED"]


def test_what_did_not_run_is_not_passed():
    results = summary.test_results(
        "x", [configured("//:a"), configured("//:b"), summary_of("//:b", "PASSED"), finished(0)]
    )
    assert (results.passed, results.failed) == (["x //:b"], ["x //:a: did not run"])


def test_an_incompatible_target_is_skipped():
    events = [configured("//:a"), skipped("//:a"), configured("//:b"), summary_of("//:b", "PASSED"), finished(0)]
    results = summary.test_results("x", events)
    assert (results.passed, results.failed, results.skipped) == (["x //:b"], [], ["x //:a"])


@pytest.mark.parametrize(
    ("events", "reason"), [([], "did not finish"), ([finished(1)], "exit code 1"), ([finished(4)], "exit code 4")]
)
def test_a_run_that_stopped_is_a_failure(events: list, reason: str):
    assert reason in summary.test_results("x", events).failed[0]
    assert reason in summary.build_results("x", events).failed[0]


def test_a_build_counts_once():
    assert summary.build_results("x", [configured("//:a"), finished(0)]).passed == ["build of x"]


def test_a_cut_off_event_file_is_read_to_the_cut(tmp_path: Path):
    file = tmp_path / "events.json"
    file.write_text(json.dumps(configured("//:a")) + '\n{"id": {"testSum')
    assert summary.read_events(file) == [configured("//:a")]
    assert summary.read_events(tmp_path / "absent") == []


@pytest.mark.parametrize(("good", "line", "code"), [(True, "3 passed, 0 failed", 0), (False, "2 passed, 1 failed", 1)])
def test_last_line_and_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str], good: bool, line: str, code: int):
    (tmp_path / "lint.json").write_text(json.dumps({"ruff": good}))
    events = [configured("//:a"), summary_of("//:a", "PASSED"), finished(0)]
    (tmp_path / "events.json").write_text("".join(json.dumps(event) + "\n" for event in events))
    named = f"x={tmp_path}/events.json"
    assert summary.main(["--lint", f"{tmp_path}/lint.json", "--build", named, "--test", named]) == code
    assert capsys.readouterr().out.splitlines()[-1] == line


def test_missing_linters_are_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert summary.main(["--lint", f"{tmp_path}/absent.json"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed"
