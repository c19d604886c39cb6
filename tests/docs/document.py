"""Reads a document of errors: for each code its rule, why it is there, a failing and a corrected snippet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_HEADING = re.compile(r"^## (\S+): (.+)$", re.MULTILINE)
_SETUP = re.compile(r"<!-- check: (.*?) -->")
_FENCE = re.compile(r"^(?P<label>\S[^\n]*:)\n\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([\w.]+)`")


@dataclass
class Snippet:
    """A kernel and the files beside it."""

    text: str = ""
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class Entry:
    """What the document says about a code; `setup` holds the words of its `<!-- check: … -->` comments."""

    rule: str
    prose: str
    setup: dict[str, str]
    failing: Snippet
    corrected: Snippet


def _read_entry(rule: str, text: str) -> Entry:
    words = [word.partition("=") for comment in _SETUP.findall(text) for word in comment.split()]
    entry = Entry(rule, "", {name: value for name, _, value in words}, Snippet(), Snippet())
    for fence in _FENCE.finditer(text):
        label = fence["label"]
        if label.startswith(("Fails", "Correct")):
            chosen = entry.failing if label.startswith("Fails") else entry.corrected
            assert not chosen.text, f"{rule}: two snippets {label}"
            chosen.text = fence["text"]
            continue
        for word, snippet in (("failing", entry.failing), ("corrected", entry.corrected)):
            if word in label or "for both" in label:
                snippet.files[_FILE.search(label)[1]] = fence["text"]
    entry.prose = re.sub(r"^# .*$", "", _FENCE.sub("", _SETUP.sub("", text)), flags=re.MULTILINE).strip()
    return entry


class Document:
    """`codes` as the headings have them, `entries` by code, and `skeleton`, the file that completes the snippets."""

    def __init__(self, path: str) -> None:
        text = Path(path).read_text(encoding="utf-8")
        headings = [*_HEADING.finditer(text)]
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        self.codes = [heading[1] for heading in headings]
        self.entries = {h[1]: _read_entry(h[2], text[h.end() : end]) for h, end in zip(headings, ends, strict=True)}
        self.skeleton = re.search(r"```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
