"""What tests give an operator: tensors and attributes by the OpDef, and what is said of those that do not fit."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from pypto_rules.testing.errors import KernelCallError
from pypto_rules.testing.operands import Tensor, attr_values, by_name, on_soc, output_dtypes, params_of
from pypto_rules.tools.opdef import model

OP = model.from_json(
    {
        "op_type": "Op",
        "inputs": [
            {"name": "x", "dtypes": ["float16", "float"]},
            {"name": "mask", "param_type": "optional", "dtypes": ["bool", "bool"]},
            {"name": "parts", "param_type": "dynamic", "dtypes": ["float16", "float"]},
        ],
        "outputs": [{"name": "y", "dtypes": ["float", "int32"]}],
        "attrs": [
            {"name": "scale", "type": "float", "required": False, "default": 2.0},
            {"name": "axes", "type": "list_int"},
            {"name": "keep", "type": "bool", "required": False, "default": False},
        ],
        "socs": {"ascend910b": {}},
    }
).for_soc("ascend910b")


def given(**inputs):
    return params_of(OP.inputs, inputs)


def test_tensors_in_every_form():
    x, mask, parts = given(
        x=np.arange(6, dtype=np.float16).reshape(2, 3).T, parts=[((4, 0), "float"), Tensor((), "float", "NCHW")]
    )
    # Elements travel in the order of the array's indices, however it lies in memory.
    assert x["tensors"] == [
        {"shape": [3, 2], "dtype": "float16", "data": np.float16([0, 3, 1, 4, 2, 5]).tobytes().hex()}
    ]
    assert (mask["kind"], mask["tensors"]) == ("optional", [])
    assert parts["tensors"] == [
        {"shape": [4, 0], "dtype": "float", "format": "ND"},
        {"shape": [], "dtype": "float", "format": "NCHW"},
    ]


def test_bfloat16_and_numbers():
    x, _, _ = given(x=np.array([1.0], ml_dtypes.bfloat16), parts=[])
    assert x["tensors"][0]["dtype"] == "bfloat16"
    x, _, _ = given(x=np.float32(1.5), parts=[])
    assert x["tensors"] == [{"shape": [], "dtype": "float", "data": np.float32(1.5).tobytes().hex()}]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "'x' is missing; it is required"),
        ({"x": 3.0}, "'x' is 3.0; give a Tensor, (shape, dtype) or a numpy array"),
        ({"x": np.zeros(2, np.complex64)}, "'x' has the dtype complex64; known are bfloat16, bool"),
        ({"x": ((2,), "half")}, "'x' has the dtype 'half'; known are bfloat16, bool"),
        ({"x": ((2,), "float"), "parts": ((2,), "float")}, "'parts' is a list of tensors; give a list, found tuple"),
        ({"x": ((2,), "float"), "parts": None}, "'parts' is missing; it is dynamic"),
    ],
)
def test_tensors_that_do_not_fit(inputs, said):
    with pytest.raises(KernelCallError) as error:
        given(**inputs)
    assert str(error.value).startswith(said)


def test_a_shape_cannot_be_negative():
    with pytest.raises(KernelCallError, match=r"Tensor has the shape \(2, -1\); dimensions are 0 or more"):
        Tensor((2, -1), "float")


def test_names():
    with pytest.raises(
        KernelCallError, match=r"'marks' is no input of the operator \(did you mean 'mask'\?\); it has x"
    ):
        by_name({"marks": 1}, OP.inputs, "input")
    with pytest.raises(KernelCallError, match="'zzz' is no attribute of the operator; it has scale, axes, keep"):
        attr_values(OP, {"zzz": 1})


def test_attributes_have_their_defaults():
    assert [(attr.name, value) for attr, value in attr_values(OP, {"axes": (0, -1), "scale": 3})] == [
        ("scale", 3), ("axes", [0, -1]), ("keep", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("attrs", "said"),
    [
        ({}, "attribute 'axes' (list_int) is missing, and has no default"),
        ({"axes": 1}, "attribute 'axes' is 1; its type is list_int"),
        ({"axes": [1.5]}, "attribute 'axes' is [1.5]; its type is list_int"),
        ({"axes": [True]}, "attribute 'axes' is [True]; its type is list_int"),
        ({"axes": [], "scale": "2"}, "attribute 'scale' is '2'; its type is float"),
        ({"axes": [], "keep": 1}, "attribute 'keep' is 1; its type is bool"),
    ],
)
def test_attributes_that_do_not_fit(attrs, said):
    with pytest.raises(KernelCallError) as error:
        attr_values(OP, attrs)
    assert str(error.value) == said


def test_output_dtypes_are_those_inferred_or_of_the_column():
    inputs = given(x=((2,), "float"), parts=[((2,), "float")])
    assert output_dtypes(OP, inputs, ["undefined"]) == ["int32"]
    assert output_dtypes(OP, inputs, ["float"]) == ["float"]
    mixed = given(x=((2,), "float"), parts=[((2,), "float16")])
    with pytest.raises(KernelCallError, match=r"the OpDef of Op has no column for \(x: float, parts: float16\)"):
        output_dtypes(OP, mixed, ["undefined"])


def test_a_soc_without_the_operator():
    op = model.from_json({"op_type": "Op", "inputs": [], "outputs": [], "socs": {"ascend950": {}}})
    with pytest.raises(KernelCallError, match="Op is not registered for ascend910b; its OpDef has AddConfig for"):
        on_soc(op, "ascend910b")
