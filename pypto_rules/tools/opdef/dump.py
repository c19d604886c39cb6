"""Runs the dump on the library of a `_def.cpp`: what it defines, or why it cannot be loaded."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from pypto_rules.tools.opdef.check import DefinitionError

# Exit status of a dump that read the library and found it wrong: stderr then says what, and the fix.
WRONG = 3


def raw_definitions(dump: Path, library: Path, shown: str) -> dict[str, Any]:
    """What the library defines, unchecked.

    Its static initialisers are the user's code and may crash, so that they run in a process of their own.

    Raises:
        DefinitionError: the library cannot be loaded, with what the loader or the crash says, or the dump found it
            wrong.
    """
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "raw.json")
        command = [str(dump), "--library", str(library), "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            return json.loads(out.read_text(encoding="utf-8"))
    said = done.stderr.strip()
    if done.returncode == WRONG:
        raise DefinitionError(f"{shown}: error: {said}")
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        raise DefinitionError(
            f"{shown}:1: error: the OpDef crashed while it was constructed ({name}){': ' + said if said else ''}; "
            "fix: look at what its constructor calls; it runs on the build machine"
        )
    raise DefinitionError(
        f"{shown}:1: error: the OpDef cannot be loaded: {said}; fix: a _def.cpp holds the OpDef alone; "
        "what it calls must be in `deps`"
    )
