"""op_build's way to an op.json and the twin's lead to the same one, for the operators of the examples.

What op_build does not say differs, and nothing else: lines; whether tensors are made contiguous, which op_build's own
aclnn sources see to; what ExtendCfgInfo gave and what is there without it, which say the same of the operator.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pypto_rules.tools.aclnn import signature
from pypto_rules.tools.op_info import ops_info
from pypto_rules.tools.opdef import model
from tests.cann.host.definitions import compiled
from tests.tools.opdef import definitions as twin

# The examples are a module of their own, which Bazel does not look into from here.
OPERATORS = Path(__file__).resolve().parents[3] / "examples" / "ops"
EXAMPLES = sorted(OPERATORS.glob("*/op_host/*_def.cpp"))
UNSAID = {"at", "auto_contiguous", "ignore_contiguous", "extended"}


def said(value: Any) -> Any:
    """What both say of an operator; the order of SoCs is the OpDef's or the alphabet's."""
    if isinstance(value, dict):
        return {key: said(item) for key, item in value.items() if key not in UNSAID}
    return [said(item) for item in value] if isinstance(value, list) else value


def both(directory: Path, path: Path) -> tuple[Path, Path]:
    """op.json through op_build, and through the twin's dump."""
    text, name = path.read_text(encoding="utf-8"), path.name.removesuffix("_def.cpp")
    definition = compiled(directory, text, name)
    assert definition.read() == 0
    (directory / "twin").mkdir()
    status, op_json = twin.read(directory / "twin", text)
    assert status == 0
    return definition.op_json, op_json


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_op_json(tmp_path: Path, path: Path) -> None:
    ours, twins = (json.loads(file.read_text()) for file in both(tmp_path, path))
    assert said(ours) == said(twins)
    assert ours["at"] == f"op_host/{path.name}"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_what_is_made_of_it(tmp_path: Path, path: Path) -> None:
    ours, twins = (model.read(file, "op.json") for file in both(tmp_path, path))
    assert sorted(ours.socs) == sorted(twins.socs)
    for soc in ours.socs:
        assert ops_info.json_text([ours], soc) == ops_info.json_text([twins], soc)
        assert ours.for_soc(soc).columns == twins.for_soc(soc).columns
    names = [[(p.name, p.ctype) for p in signature.parameters(op)] for op in (ours, twins)]
    assert names[0] == names[1]


def test_the_examples_are_there() -> None:
    assert [path.parts[-3] for path in EXAMPLES] == ["add_example", "scale_by", "sum_rows"]


def test_both_aclnn_headers_declare_the_same_functions(tmp_path: Path) -> None:
    """Through g++'s preprocessor and without spaces, so that the texts may differ."""
    path = next(path for path in EXAMPLES if path.parts[-3] == "sum_rows")
    definition = compiled(tmp_path, path.read_text(encoding="utf-8"), "sum_rows")
    assert (definition.read(), definition.generate("aclnn")) == (0, 0)
    declared = functions(tmp_path / "headers/aclnn_sum_rows.h")
    op = model.read(definition.op_json, "op.json")
    wanted = ",".join(f"{p.ctype} {p.name}" for p in signature.parameters(op))
    first, second = declared
    assert first == squeezed(f"aclnnSumRowsGetWorkspaceSize({wanted},uint64_t* workspaceSize,aclOpExecutor** executor)")
    assert second.startswith("aclnnSumRows(void*workspace,")


def squeezed(text: str) -> str:
    return "".join(text.split())


def functions(header: Path) -> list[str]:
    """The functions a header declares, without spaces."""
    command = ["g++", "-E", "-P", "-x", "c", "-I/nowhere", "-"]
    text = "\n".join(line for line in header.read_text().splitlines() if not line.startswith("#include"))
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    statements = [statement for statement in done.stdout.split(";") if "aclnnStatus" in statement]
    return [squeezed(statement.partition("aclnnStatus ")[2]) for statement in statements]
