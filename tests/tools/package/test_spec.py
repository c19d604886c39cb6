"""What the package tool accepts as a spec, and what it says of the rest."""

from typing import Any

import pytest

from pypto_rules.tools.package import spec
from pypto_rules.tools.package.errors import PackageError


def valid() -> dict[str, Any]:
    return {
        "vendor_name": "acme",
        "version": "1.0.0",
        "arch": "x86_64",
        "backend": "twin",
        "ops": [op("one"), op("two")],
    }


def op(name: str, **changes: Any) -> dict[str, Any]:
    described = {
        "op_type": name.title(),
        "op_file": name,
        "kernel_name": name,
        "kernel_json": "kernel.json",
        "sources": [{"path": f"ops/{name}.py", "short": f"{name}.py"}],
        "headers": "headers",
        "socs": [{"soc": "ascend910b", "binaries": "b", "variants": "v.json"}],
    }
    return {**described, **changes}


def test_a_valid_spec() -> None:
    read = spec.from_json({**valid(), "ops": [op("two"), op("one", headers=["a.h", "b.h"])]})
    assert [o.op_file for o in read.ops] == ["one", "two"]
    assert [str(h) for h in read.ops[0].headers] == ["a.h", "b.h"]
    assert read.package_file == "cann-ops-acme_linux-x86_64.run"
    assert read.socs == ("ascend910b",)


@pytest.mark.parametrize("name", ["a", "acme", "Acme_2", "x" * 64, "custom_math"])
def test_vendor_names(name: str) -> None:
    assert spec.vendor_name_problem(name) is None


@pytest.mark.parametrize(
    "name", ["", "1acme", "_acme", "a-b", "a b", "a/b", "..", "a\n", "ä", "x" * 65, "$(id)", "a'b"]
)
def test_refused_vendor_names(name: str) -> None:
    problem = spec.vendor_name_problem(name)
    assert problem is not None
    assert f"vendor_name '{name}'" in problem
    assert spec.VENDOR_NAME_RULE in problem
    with pytest.raises(PackageError, match="is not usable"):
        spec.from_json({**valid(), "vendor_name": name})


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ({"arch": "riscv64"}, ["arch 'riscv64'", "aarch64, x86_64"]),
        (
            {"host": {"plugins": [{"framework": "mxnet", "path": "x"}]}},
            ["framework 'mxnet'", "caffe, onnx, tensorflow"],
        ),
        ({"backend": "gpu"}, ["backend 'gpu'", "cann, twin"]),
        ({"version": "1 0"}, ["version '1 0'"]),
        ({"version": None}, ["version is None", "must be a string"]),
        ({"package_file": "../x.run"}, ["package_file '../x.run'"]),
        ({"toolkit": {"cann": "8.5\nx=y"}}, ["toolkit: the version of cann '8.5\nx=y'"]),
        ({"backend": "cann"}, ["toolkit does not say the version of 'cann'", "`toolkit` of the pypto_toolchain"]),
        (
            {"host": {"backend": "cann"}},
            ["kernels are of the backend twin, the host side is of cann", "settings:kernel_backend=twin"],
        ),
        ({"ops": []}, ["no operator", "ops"]),
        ({"ops": None}, ["ops is None", "must be a list"]),
        ({"ops": [op("one"), op("two", op_file="one", kernel_name="one")]}, ["same file name 'one'", "(One)", "(Two)"]),
        ({"ops": [op("one"), op("two", op_type="One")]}, ["one (One) and two (One)", "same type 'One'"]),
        ({"ops": [op("one", socs=[])]}, ["operator one", "SoCs are []"]),
        ({"ops": [op("one", op_type="a/b")]}, ["operator one: op_type 'a/b'"]),
        ({"ops": [op("one", sources=[{"path": "x.py", "short": "../x.py"}])]}, ["operator one", "source '../x.py'"]),
        ({"ops": [op("one", sources=[{"path": "x.py", "short": "/x.py"}])]}, ["operator one", "source '/x.py'"]),
        ({"ops": [op("one", sources=[{"path": "x.py", "short": "a\nb.py"}])]}, ["operator one", "relative path"]),
    ],
)
def test_refused_specs(changes: dict[str, Any], texts: list[str]) -> None:
    with pytest.raises(PackageError) as refused:
        spec.from_json({**valid(), **changes})
    for text in texts:
        assert text in str(refused.value)


def test_one_soc_twice_in_an_operator() -> None:
    twice = op("one", socs=2 * op("one")["socs"])
    with pytest.raises(PackageError, match="each must occur once"):
        spec.from_json({**valid(), "ops": [twice]})
