"""Says what kernels are built with, where CANN was looked for, and what to do next."""

from __future__ import annotations

import json
import sys
from pathlib import Path

_HERE = Path(__file__).parent
# The modules' root, where files of other repositories lie, too.
_ROOT = _HERE.parents[2]

# (state of CANN, kernel_backend) → what that means and what can be done.
_INSTALL = (
    "To build for AI Cores, install CANN and `source <its directory>/set_env.sh`, or declare it in MODULE.bazel "
    "(extension `cann`); then run this again."
)
_SAID = {
    ("none", "auto"): f"Kernels are built for the CPU twin. {_INSTALL}",
    ("none", "cann"): f"No kernel can be built: kernel_backend is cann, and there is no CANN. {_INSTALL}",
    ("none", "twin"): f"Kernels are built for the CPU twin, as kernel_backend says. {_INSTALL}",
    ("broken", "auto"): "No kernel can be built: see above what is wrong with CANN, and the fix.",
    ("broken", "cann"): "No kernel can be built: see above what is wrong with CANN, and the fix.",
    (
        "broken",
        "twin",
    ): "Kernels are built for the CPU twin, as kernel_backend says. CANN cannot be used: see above.",
    ("found", "auto"): "Kernels are built with CANN, for the SoCs that are not refused above.",
    ("found", "cann"): "Kernels are built with CANN, for the SoCs that are not refused above.",
    ("found", "twin"): "Kernels are built for the CPU twin, as kernel_backend says; without the flag it would be CANN.",
}


def report(root: Path, situation: Path) -> str:
    """The text: what was found, then what it means."""
    facts = json.loads(situation.read_text(encoding="utf-8"))
    found = [
        path.read_text(encoding="utf-8") for name in ("report.txt", "toolkit.txt") if (path := root / name).exists()
    ]
    said = _SAID[facts["cann"], facts["kernel_backend"]]
    return "\n".join([*found, f"kernel_backend: {facts['kernel_backend']}", said])


def main() -> int:
    """Exit status: 0, whatever was found."""
    print(report(_ROOT, _HERE / "situation.json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
