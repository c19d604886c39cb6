"""The stand-in pypto_pro generates code that depends on a kernel's statements, and on nothing else."""

import importlib
import importlib.util
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.cann.toolkit import assemble

LEAKY_SCALE = Path("tests/e2e/op_kernel/leaky_scale.py").read_text()
REPORT = Path("tests/cases/reports/base/leaky_scale.py").read_text()

MIXED = """
from __future__ import annotations

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

TILE = 64


@dataclass
class MixedTiling:
    shape: int[4]
    scale: float
    last: bool


class MixedKey:
    mode = TilingKeyField(bits=2, values=[3, 5])


def widen(wide, source, dtype):
    "Its text follows the statement that calls it."
    if dtype == pl.DT_FP32:
        pl.add(wide, source, 0.0)
    else:
        pl.cast(wide, source, TILE if mode == 3 else 1)


@pl.jit(tiling_key=MixedKey, datatype={"x": "io_t"})
def mixed(x: pl.Ptr[pl.DT_UINT8], w: pl.Ptr[pl.DT_FP32], workspace: pl.Ptr[pl.DT_UINT8], tiling: MixedTiling):
    with pl.section_cube():
        pl.matmul(x, w)
    if mode == 5:
        with pl.section_vector():
            widen(w, x, io_t)
"""


@pytest.fixture(scope="module")
def site_packages(tmp_path_factory):
    return assemble.make(tmp_path_factory.mktemp("cann") / "toolkit") / "python/site-packages"


@pytest.fixture
def jit(site_packages, monkeypatch):
    monkeypatch.syspath_prepend(site_packages)
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    monkeypatch.delenv("PYPTOPRO_JIT_ARCH", raising=False)
    return importlib.import_module("pypto_pro.runtime.jit")


def load(path, text, name):
    """The kernel of a file with such a text."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("kernel_file", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel_file"] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["kernel_file"]
    return getattr(module, name)


def generate(jit, tmp_path, text, name="leaky_scale", dtype="FP16"):
    """Results by the values of the key, each in a directory of its own."""
    kernel = load(tmp_path / f"{name}.py", text, name)
    arch = jit._setup_arch_env("a2")
    schema, results = kernel.tilingkey_schema, {}
    chosen = dict.fromkeys(kernel.datatype_schema, importlib.import_module("pypto_pro").DataType[dtype])
    types_ = jit._validate_datatype_key(kernel.datatype_schema, chosen)
    for values in schema.enumerate_valid():
        key = dict(zip(schema.field_names(), values, strict=True))
        packed = schema.pack(key)
        prog = kernel.to_kernel_def(key, types_)
        results[values] = jit._codegen(prog, arch, False, tilingkey_packed=packed, out_dir=tmp_path / f"tk_{packed}")
    return results


def contents(results):
    return {values: result.content for values, result in results.items()}


def test_result_and_files(jit, tmp_path):
    results = generate(jit, tmp_path, REPORT)
    assert list(results) == [(0, 64), (0, 128), (0, 256), (1, 64), (1, 128)]
    result = results[1, 128]
    assert result.kernel_name == "leaky_scale"
    assert (result.has_cube, result.has_vector) == (False, True)
    pointers = [("half", "x"), ("half", "y"), ("uint8_t", "workspace"), ("uint8_t", "tiling")]
    assert result.entry_params == [(*pointer, True) for pointer in pointers]
    header = "#pragma once\nclass LeakyScaleTiling {\npublic:\n    int64_t total; int64_t per_core; float alpha; \n};\n"
    assert result.tiling_headers == {"LeakyScaleTiling_tiling.h": header}
    directory = tmp_path / "tk_3"
    assert result.build_dir == str(directory)
    assert (directory / "kernel.cpp").read_text() == result.content
    assert (directory / "LeakyScaleTiling_tiling.h").read_text() == header


def test_branches_are_folded(jit, tmp_path):
    results = contents(generate(jit, tmp_path, REPORT))
    assert all(("pl.add(" in text) == (tail == 0) for (tail, _), text in results.items())
    assert all(("pl.mul(" in text) == (tail == 1) for (tail, _), text in results.items())


def test_a_comment_changes_nothing(jit, tmp_path):
    edited = '"""A new docstring."""\n\n' + LEAKY_SCALE.replace("pl.load(", "# Loads the tile.\n            pl.load(")
    assert contents(generate(jit, tmp_path, LEAKY_SCALE)) == contents(generate(jit, tmp_path, edited))


def test_an_edited_branch_changes_its_keys_only(jit, tmp_path):
    before = contents(generate(jit, tmp_path, LEAKY_SCALE))
    edited = LEAKY_SCALE.replace("count = pl.min(tile, ", "count = pl.max(tile, ")
    after = contents(generate(jit, tmp_path, edited))
    assert {values for values in before if before[values] != after[values]} == {(1, 64), (1, 128)}


def test_sections_helpers_and_constants(jit, tmp_path):
    results = generate(jit, tmp_path, MIXED, "mixed", "BF16")
    cores = {values: (result.has_cube, result.has_vector) for values, result in results.items()}
    assert cores == {(3,): (True, False), (5,): (True, True)}
    text = results[(5,)].content
    assert "// widen(w, x, DT_BF16)\n    //     pl.cast(wide, source, 1)\n" in text
    assert "follows the statement" not in text
    assert text.count("pl.matmul(x, w)") == 1
    assert "int64_t shape[4]; float scale; bool last; " in results[(3,)].tiling_headers["MixedTiling_tiling.h"]
    edited = generate(jit, tmp_path, MIXED.replace("pl.add(wide", "pl.sub(wide"), "mixed", "BF16")
    assert contents(edited) == contents(results)


@pytest.mark.parametrize("core", ["CUBE", "VEC"])
def test_generated_code_compiles(jit, tmp_path, site_packages, core):
    result = generate(jit, tmp_path, MIXED, "mixed", "BF16")[(5,)]
    toolkit = site_packages.parents[1]
    header = next(toolkit.rglob("kernel_operator.h"))
    command = ["g++", "-fsyntax-only", "-Wall", "-Werror", f"-D__DAV_{core}__", f"-I{header.parent}"]
    subprocess.run([*command, f"-I{toolkit}/include", Path(result.build_dir, "kernel.cpp")], check=True)


def test_operations_of_the_stand_in(jit, tmp_path):
    operations = ["pl.standin_error()", "pl.standin_empty_object()", "pl.load("]
    edited = LEAKY_SCALE.replace("pl.load(", f"\n{' ' * 12}".join(operations))
    line = edited.splitlines().index("            pl.standin_error()") + 1
    text = generate(jit, tmp_path, edited)[0, 64].content
    assert f"    // leaky_scale.py:{line}\n    standin_undeclared();\n    // STANDIN_EMPTY_OBJECT\n" in text


def test_errors_in_helpers(jit, tmp_path):
    edited = MIXED.replace("pl.cast(wide", "pl.standin_error()\n        pl.cast(wide")
    text = generate(jit, tmp_path, edited, "mixed", "BF16")[(5,)].content
    assert "\n    standin_undeclared();\n" in text


def test_architectures(jit, site_packages, monkeypatch):
    with pytest.raises(ValueError, match=r"PyPTO Pro only supports arch 'a2', 'a3', 'a5', got 'a9'"):
        jit._setup_arch_env("a9")
    assert jit._setup_arch_env("a3") == "a3"
    config = importlib.import_module("pypto_pro.runtime.compile_config").get_jit_compile_config()
    cores = {(False, False): (1, 2), (True, False): (1, 0), (False, True): (0, 1), (True, True): (1, 2)}
    for (cube, vector), expected in cores.items():
        target = config.resolve_kernel_target("a2", has_cube=cube, has_vector=vector)
        assert (target.aic_per_block, target.aiv_per_block) == expected


def test_wrong_calls(jit, tmp_path):
    kernel = load(tmp_path / "leaky_scale.py", LEAKY_SCALE, "leaky_scale")
    dtype = importlib.import_module("pypto_pro").DataType
    with pytest.raises(ValueError, match="disagree: DT_FP16 vs DT_FP32"):
        jit._validate_datatype_key(kernel.datatype_schema, {"x": dtype.FP16, "y": dtype.FP32})
    with pytest.raises(ValueError, match="is not valid"):
        kernel.to_kernel_def({"tail": 1, "tile": 256}, {"io_t": dtype.FP16})
    prog = kernel.to_kernel_def({"tail": 1, "tile": 128}, {"io_t": dtype.FP16})
    with pytest.raises(RuntimeError, match="call _setup_arch_env"):
        jit._codegen(prog, "a2", False, out_dir=tmp_path)
    jit._setup_arch_env("a2")
    with pytest.raises(ValueError, match="tilingkey_packed 4"):
        jit._codegen(prog, "a2", False, tilingkey_packed=4, out_dir=tmp_path)
