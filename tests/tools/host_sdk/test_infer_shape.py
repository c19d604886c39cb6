"""InferShape and InferDataType."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pypto_rules.testing.errors import HostSideError
from tests.tools.host_sdk.harness import PREAMBLE, compile_library, param, request, runtime, tensor

UNKNOWN = [param("y", tensor(dtype="undefined"))]


def infer(directory: Path, body: str, register: str = "", before: str = "", **changes: Any) -> list[dict[str, Any]]:
    text = (
        f"{PREAMBLE}{before}\nnamespace ops {{\nstatic ge::graphStatus Infer(gert::InferShapeContext* context)\n"
        f"{{\n{body}\n    return ge::GRAPH_SUCCESS;\n}}\nIMPL_OP_INFERSHAPE(Op).InferShape(Infer){register};\n}}\n"
    )
    library = compile_library(directory, text)
    return runtime().ask("pypto_twin_infer_shape", request(library, outputs=UNKNOWN) | changes)["outputs"]


RANK = "context->GetInputShape(0)->GetDimNum()"
SAME = "*context->GetOutputShape(0) = *context->GetInputShape(0);"


@pytest.mark.parametrize("shape", [[2, 3], [], [0], [-1, 3], [-2], [7] * 25])
def test_the_same_shape(shape: list[int], tmp_path: Path) -> None:
    outputs = infer(tmp_path, SAME, inputs=[param("x", tensor(*shape))])
    assert outputs == [{"shape": shape, "dtype": "undefined"}]


def test_appended_dimensions_and_attributes(tmp_path: Path) -> None:
    body = """
    gert::Shape* y = context->GetOutputShape(0);
    y->SetDimNum(0);
    y->AppendDim(*context->GetAttrs()->GetInt(0)).AppendDim(context->GetInputShape(0)->GetShapeSize());"""
    outputs = infer(tmp_path, body, attrs=[{"name": "n", "type": "int", "value": 4}])
    assert outputs[0]["shape"] == [4, 6]


def test_dtypes(tmp_path: Path) -> None:
    assert infer(tmp_path, SAME, ".InferOutDataTypeSameWithFirstInput()")[0]["dtype"] == "float"


def test_dtypes_by_a_function(tmp_path: Path) -> None:
    before = """
    static ge::graphStatus InferDtype(gert::InferDataTypeContext* context)
    {
        OP_CHECK_IF(context->GetInputDataType(5) != ge::DT_UNDEFINED, OP_LOGE(context, "?"), return ge::GRAPH_FAILED);
        return context->SetOutputDataType(0, ge::DT_INT64);
    }"""
    assert infer(tmp_path, SAME, ".InferDataType(InferDtype)", before)[0]["dtype"] == "int64"


def test_a_shape_by_the_elements_of_an_input(tmp_path: Path) -> None:
    body = """
    gert::Shape* y = context->GetOutputShape(0);
    y->SetDimNum(0);
    y->AppendDim(context->GetInputTensor(0)->GetData<int32_t>()[0]);"""
    inputs = [param("x", tensor(1, dtype="int32", data="2a000000"))]
    assert infer(tmp_path, body, ".InputsDataDependency({0})", inputs=inputs)[0]["shape"] == [42]


def test_failures(tmp_path: Path) -> None:
    with pytest.raises(HostSideError, match="the InferShape function of Op failed: rank 2 is not 4"):
        infer(tmp_path, f'OP_LOGE(context, "rank %zu is not 4", {RANK}); return ge::GRAPH_FAILED;')


def test_indices_beyond_the_end(tmp_path: Path) -> None:
    body = f"""
    OP_CHECK_IF(context->GetInputShape(1) != nullptr || context->GetOutputShape(1) != nullptr ||
                    context->GetOptionalInputShape(3) != nullptr, OP_LOGE(context, "?"), return ge::GRAPH_FAILED);
    {SAME}"""
    assert infer(tmp_path, body)[0]["shape"] == [2, 3]
