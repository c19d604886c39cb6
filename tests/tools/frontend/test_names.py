"""Any kernel loads: every public name, used anywhere in a body; what the twin cannot generate is said once, by name."""

from __future__ import annotations

import enum
from pathlib import Path

import pypto_pro.language as pl
import pytest

from tests.tools.frontend.support import KERNEL, MESSAGE, Outcome, kernel

NAMES = [line for line in Path(__file__).with_name("names.txt").read_text().split("\n") if line and line[0] != "#"]
ENUMERATIONS = [name for name in NAMES if isinstance(getattr(pl, name, None), enum.EnumMeta)]
LAYOUTS = ["ND", "DN", "NZ", "ZN", "NN", "ZZ"]
DTYPES = [name for name in NAMES if name.startswith("DT_")]
BELOW = {
    "system": "sync_src sync_dst bar_m bar_mte1 bar_mte2 bar_mte3 bar_fix bar_all set_cross_core wait_cross_core "
    "sync_all dcci mutex_lock mutex_unlock set_mm_layout_transform",
    "mutex": "mutex_lock mutex_unlock",
    "simt": "thread_idx block_dim block_idx grid_dim linear_thread_idx warp_size syncthreads threadfence_block "
    "threadfence cast bitcast abs min max sqrt exp2 log1p isnan popcount mul_hi fma atomic_add atomic_cas launch",
    "Vf": "create_mask update_mask full load_align store_align store_unalign store_unalign_post squeeze_store_unalign "
    "unalign_reg_for_store mem_bar max add sub mul",
    "pipeline": "PipelineConfig stage transform_pipeline",
}


def check_one(outcome: Outcome, name: str, module: str = "") -> None:
    """The kernel loads; code generation takes it or refuses it with one message that has the name, at its line."""
    assert outcome.problems == []
    assert len(outcome.errors) <= 1, outcome.errors
    for error in outcome.errors:
        match = MESSAGE.match(error)
        line = KERNEL.format(statement="HERE", module=module).split("HERE")[0].count("\n") + 1
        assert match and int(match["line"]) == line, error
        assert name in match["what"], error
        assert "\n    " in error and error.endswith("^")


def test_the_front_end_has_every_public_name_and_no_name_twice():
    assert [name for name in NAMES if not hasattr(pl, name) or name not in pl.__all__] == []
    assert len(NAMES) == len(set(NAMES)) == 193


@pytest.mark.parametrize("name", sorted(set(NAMES) - {*ENUMERATIONS, *LAYOUTS, *DTYPES}))
def test_a_body_may_call_any_name(name, tmp_path):
    check_one(kernel(tmp_path, f"pl.{name}(a, b)"), f"pl.{name}")
    check_one(kernel(tmp_path, f"t = pl.{name}(a, b, a, axis=1)"), f"pl.{name}")


@pytest.mark.parametrize("name", sorted(set(NAMES) - {*ENUMERATIONS, *DTYPES}))
def test_a_body_may_name_any_name(name, tmp_path):
    outcome = kernel(tmp_path, f"t = pl.{name}")
    assert outcome.problems == outcome.errors == []


@pytest.mark.parametrize(("space", "name"), [(space, name) for space in BELOW for name in BELOW[space].split()])
def test_names_of_namespaces(space, name, tmp_path):
    check_one(kernel(tmp_path, f"t = pl.{space}.{name}(a, b)"), f"pl.{space}.{name}")
    check_one(
        kernel(tmp_path, f"t = space.{name}(a, b)", f"from pypto_pro.language import {space} as space"),
        f"{space}.{name}",
    )


@pytest.mark.parametrize("family", ENUMERATIONS)
def test_members_of_enumerations_as_arguments(family, tmp_path):
    for member in getattr(pl, family).__members__:
        check_one(kernel(tmp_path, f"pl.exp(b, pl.{family}.{member})"), "pl.exp")
        check_one(kernel(tmp_path, f"pl.cast(b, a, mode=pl.{family}.{member})"), "pl.cast")
        check_one(kernel(tmp_path, f"pl.Vf.add(a, b, mode=pl.{family}.{member})"), "pl.Vf.add")


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name, tmp_path):
    statement = f"t = pl.TileType(shape=[1, 64], dtype=pl.DT_FP16, layout=pl.{name})"
    check_one(kernel(tmp_path, statement), "pl.TileType")


@pytest.mark.parametrize("name", DTYPES)
def test_data_types(name, tmp_path):
    check_one(kernel(tmp_path, f"t = pl.TileType(shape=[1, 64], dtype=pl.{name})"), f"pl.{name}")


DECORATORS = [
    "@pl.inline", "@pl.function", "@pl.function(type=pl.FunctionType.Helper)", "@pl.vector_function",
    '@pl.vector_function(mode="simt", max_threads=256)', "@pl.simt.function", "@pl.simt.function(max_threads=32)",
    "@pl.pipeline.stage", "@pl.kernel",
]  # fmt: skip


@pytest.mark.parametrize("decorator", DECORATORS)
def test_decorators_of_helpers(decorator, tmp_path):
    module = f"{decorator}\ndef helper(t: pl.Tile[[1, 64], pl.DT_FP16], n: pl.DT_INT64 = 1):\n    pl.exp(t, t)\n"
    assert kernel(tmp_path, "pass", module).codes == []
    check_one(kernel(tmp_path, "helper(a)", module), "helper", module)
    if decorator == "@pl.inline":
        assert kernel(tmp_path, "helper(a)", module).codes == []


def test_programs(tmp_path):
    module = "@pl.program\nclass Program:\n    @pl.function\n    def main(self, n: pl.DT_INT64):\n        return n\n"
    assert kernel(tmp_path, "pass", module).codes == []
