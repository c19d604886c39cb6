"""InferShape functions that public operator projects share: elementwise and broadcast."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from pypto_rules.testing.errors import HostSideError
from tests.tools.host_sdk.harness import compile_library, param, request, runtime, tensor

SOURCE = """
#include "infershape_broadcast_util.h"
#include "infershape_elewise_util.h"
#include "register/op_impl_registry.h"

namespace ops {
static ge::graphStatus Two(gert::InferShapeContext* context)
{
    OP_LOGI("a text alone");
    return Ops::Base::InferShape4Broadcast(context);
}
static ge::graphStatus Three(gert::InferShapeContext* context)
{
    OP_CHECK_IF(context->GetInputShape(2)->GetDimNum() > 5,
                OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(context->GetNodeName(), "c",
                    std::to_string(context->GetInputShape(2)->GetDimNum()).c_str(), "it must be within [0, 5]."),
                return ge::GRAPH_FAILED);
    return Ops::Base::InferShape4Broadcast(context, 3);
}
IMPL_OP_INFERSHAPE(Elewise).InferShape(Ops::Base::InferShape4Elewise);
IMPL_OP_INFERSHAPE(Two).InferShape(Two);
IMPL_OP_INFERSHAPE(Three).InferShape(Three);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_library(tmp_path_factory.mktemp("utilities"), SOURCE)


def infer(library: Path, op_type: str, *shapes: tuple[int, ...]) -> list[int]:
    inputs = [param(f"x{index}", tensor(*shape)) for index, shape in enumerate(shapes)]
    changes = {"op_type": op_type, "inputs": inputs, "outputs": [param("y", tensor(dtype="undefined"))]}
    return runtime().ask("pypto_twin_infer_shape", request(library) | changes)["outputs"][0]["shape"]


def test_elementwise(library: Path) -> None:
    assert infer(library, "Elewise", (2, 0, 3), (9,)) == [2, 0, 3]


SHAPES = [(), (1,), (0,), (3,), (4,), (2, 3), (1, 3), (2, 1), (0, 3), (5, 1, 1), (1, 2, 3)]


def test_broadcast_as_numpy_does_it(library: Path) -> None:
    for one, other in itertools.product(SHAPES, SHAPES):
        try:
            expected = list(np.broadcast_shapes(one, other))
        except ValueError:
            with pytest.raises(HostSideError, match="cannot be broadcast to"):
                infer(library, "Two", one, other)
            continue
        assert infer(library, "Two", one, other) == expected, (one, other)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((-1, 3), (1, 1), [-1, 3]),
        ((-1, 3), (7, 3), [7, 3]),
        ((7, 1), (-1, 3), [7, 3]),
        ((-1,), (-1,), [-1]),
        ((-2,), (4, 5), [-2]),
        ((4, 5), (-2,), [-2]),
    ],
)
def test_unknown_dimensions(one: tuple[int, ...], other: tuple[int, ...], expected: list[int], library: Path) -> None:
    assert infer(library, "Two", one, other) == expected


def test_three_inputs_and_a_reason(library: Path) -> None:
    assert infer(library, "Three", (4,), (3, 1), (2, 1, 1)) == [2, 3, 4]
    with pytest.raises(HostSideError, match=r"c has rank 6: it must be within \[0, 5\]\."):
        infer(library, "Three", (1,), (1,), (1,) * 6)
