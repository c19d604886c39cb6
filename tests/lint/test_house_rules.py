"""House rules that no linter knows: where actions are made, how long rule files are, what sources may not name."""

import re
from pathlib import Path

ROOT = Path.cwd()


def files(*patterns):
    """Files of the distribution that match, by path from the root."""
    found = sorted({path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()})
    assert found, patterns
    return found


def test_actions_are_made_in_one_place():
    made = [
        str(path.relative_to(ROOT))
        for path in files("pypto_rules/**/*.bzl", "toolchains/**/*.bzl")
        if re.search(r"\.actions\.run(_shell)?\(|\bactions\.run(_shell)?\(", path.read_text())
    ]
    assert made == ["pypto_rules/private/actions.bzl"]


def test_rule_files_are_short():
    too_long = {str(path): n for path in files("**/*.bzl") if (n := len(path.read_text().splitlines())) > 400}
    assert too_long == {}


def test_documents_link_to_files_that_are_there():
    broken = [
        f"{document.name}: {target}"
        for document in files("*.md", "docs/*.md", "pypto_rules/**/*.md", "toolchains/**/*.md")
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
        # The examples are a module of their own, out of reach of a test of this one.
        if not target.startswith("examples/") and not (document.parent / target).exists()
    ]
    assert broken == []


def test_tools_never_read_a_clock():
    clock = re.compile(r"datetime\.(now|today)|time\.time\(|os\.getpid|\buuid[14]\b|\bgetnode\b")
    guilty = [str(p) for p in files("pypto_rules/tools/**/*.py", "toolchains/**/*.py") if clock.search(p.read_text())]
    assert guilty == []
