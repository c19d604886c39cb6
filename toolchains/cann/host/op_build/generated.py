"""Which of op_build's files are an operator's: its aclnn interface, its prototype."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pypto_rules.tools.opdef.model import snake_case
from toolchains.cann.host.op_build.run import OpBuildError


def hand_over(directory: Path, beginning: str, end: str, op_type: str, header_dir: Path, source: Path) -> None:
    """Copy header and source of an operator, `<beginning><op><end>.{h,cpp}`; the header keeps its name.

    Raises:
        OpBuildError: op_build wrote none.
    """
    stems = [f"{beginning}{name}{end}" for name in _file_names(op_type)]
    written = [stem for stem in stems if all(_has_text(directory / f"{stem}{suffix}") for suffix in (".h", ".cpp"))]
    if not written:
        found = ", ".join(sorted(path.name for path in directory.iterdir())) or "nothing"
        raise OpBuildError(f"op_build wrote no {stems[0]}.h and .cpp for {op_type}; it wrote {found}")
    header_dir.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(directory / f"{written[0]}.h", header_dir / f"{written[0]}.h")
    shutil.copyfile(directory / f"{written[0]}.cpp", source)


def _file_names(op_type: str) -> list[str]:
    """What CANN's two conversions make of an operator type: they differ in acronyms (cann-flow, section 1.1)."""
    return list(dict.fromkeys([snake_case(op_type), re.sub(r"(?<!^)(?=[A-Z])", "_", op_type).lower()]))


def _has_text(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
