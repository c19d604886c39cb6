"""The project's own contract cases: layouts, keys and entries of valid files; every problem of the others, in one run.

`own/README.md` says what `expected.json` holds and which rule has which case.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
from pathlib import Path

import pytest
from pypto_rules.tools.contract import opdef

from tests.tools.contract.support import check_file

CASES = Path("tests/cases/own")
ALL = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
_CTYPES = {"int64_t": ctypes.c_int64, "float": ctypes.c_float, "bool": ctypes.c_bool}


def expected_of(case: str) -> dict:
    return json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))


def checked(case: str, expected: dict, directory: Path):
    """Check the case's kernel in a copy of its folder; other modules in it are declared helpers."""
    place = directory / expected.get("where", "case")
    shutil.copytree(CASES / case, place)
    kernel = expected["kernel"]
    helpers = tuple((path, path.name) for path in sorted(place.glob("*.py")) if path.name != kernel)
    described = opdef.read(place / "op.json", "op.json") if (place / "op.json").exists() else None
    limit = expected.get("max_variants", 4096)
    return check_file(place / kernel, max_variants=limit, helpers=helpers, op_def=described)


VALID = [case for case in ALL if "errors" not in expected_of(case)]
REFUSED = [case for case in ALL if "errors" in expected_of(case)]


@pytest.mark.parametrize("case", VALID)
def test_valid(case, tmp_path):
    expected = expected_of(case)
    result = checked(case, expected, tmp_path)
    assert result.texts == ()
    kernel = result.kernel
    tiling, key = kernel.tiling, kernel.tiling_key
    assert expected["tiling"] == {
        "name": tiling.name,
        "sizeof": tiling.sizeof,
        "align": tiling.align,
        "fields": [[field.name, field.ctype, field.offset] for field in tiling.fields],
    }
    assert expected["tiling_key"] == {
        "name": key.name,
        "fields": [[field.name, field.bits, field.offset, list(field.values)] for field in key.fields],
        "combinations": key.total_combos,
        "valid": [[list(valid.combo), hex(valid.packed)] for valid in key.valid],
    }
    assert expected["entry"] == [
        f"{parameter.ctype}{'*' * parameter.pointer} {parameter.name}" for parameter in kernel.entry_params
    ]
    assert expected["datatype"] == kernel.datatype


@pytest.mark.parametrize("case", VALID)
def test_expected_layout_is_that_of_a_compiler(case):
    """ctypes lays the expected fields out as the C compiler of this machine does."""
    expected = expected_of(case)["tiling"]
    members = []
    for name, spelled, _ in expected["fields"]:
        element, count = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", spelled).groups()
        members.append((name, _CTYPES[element] * int(count) if count else _CTYPES[element]))
    struct = type("Struct", (ctypes.Structure,), {"_fields_": members})
    offsets = [getattr(struct, name).offset for name, _ in members]
    assert offsets == [offset for _, _, offset in expected["fields"]]
    assert (ctypes.sizeof(struct), ctypes.alignment(struct)) == (expected["sizeof"], expected["align"])


@pytest.mark.parametrize("case", VALID)
def test_expected_keys_decode_to_their_values(case):
    """Field by field, as the device takes a key apart: the bits at the offset are an index into the values."""
    expected = expected_of(case)["tiling_key"]
    end = 0
    for _, bits, offset, _ in expected["fields"]:
        assert offset == end
        end += bits
    for combo, packed in expected["valid"]:
        indices = [int(packed, 16) >> offset & (1 << bits) - 1 for _, bits, offset, _ in expected["fields"]]
        assert combo == [values[i] for i, (_, _, _, values) in zip(indices, expected["fields"], strict=True)]


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, tmp_path):
    expected = expected_of(case)
    result = checked(case, expected, tmp_path)
    assert result.kernel is None
    found = [
        (problem.code.removeprefix("PYPTO-"), problem.path, problem.line, problem.col) for problem in result.problems
    ]
    assert found == [(wanted["code"], wanted["file"], wanted["line"], wanted["col"]) for wanted in expected["errors"]]
    for problem, wanted in zip(result.problems, expected["errors"], strict=True):
        assert wanted["says"] in problem.message + "; fix: " + problem.fix
        assert problem.fix and " at 0x" not in problem.message and str(tmp_path) not in problem.message


def test_there_are_enough_cases_and_the_readme_names_each():
    readme = (CASES / "README.md").read_text(encoding="utf-8")
    assert len(ALL) >= 60
    assert [case for case in ALL if case.partition("_")[0] not in re.findall(r"\b\d{3}\b", readme)] == []
