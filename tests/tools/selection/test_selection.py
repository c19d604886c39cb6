"""Selections of variants: what they choose, and what is said of those that fit nothing."""

from __future__ import annotations

import pytest

from pypto_rules.tools.contract.manifest import Kernel, KeyField, TilingData, TilingKey, ValidKey
from pypto_rules.tools.selection.selection import SelectionError, select_columns, select_keys

FIELDS = (KeyField("mode", 1, 0, (0, 1)), KeyField("tile", 2, 1, (64, 128, 256)))
COMBOS = [(0, 64), (0, 128), (0, 256), (1, 64), (1, 128)]
VALID = tuple(ValidKey(c, c[0] | FIELDS[1].values.index(c[1]) << 1, "") for c in COMBOS)
KEY = TilingKey("Key", FIELDS, 3, True, 6, VALID)
KERNEL = Kernel("scale", "scale", KEY, None, TilingData("t", "T", 8, 8, ()), (), (), False, True)
COLUMNS = [{"io_t": "float16", "w_t": "float"}, {"io_t": "float", "w_t": "float"}, {"io_t": "int8", "w_t": "int32"}]


def keys(*selections: str) -> list[tuple[int, ...]]:
    return [key.combo for key in select_keys(selections, KERNEL)]


@pytest.mark.parametrize(
    ("selections", "combos"),
    [
        ([], COMBOS),
        (["mode=1"], [(1, 64), (1, 128)]),
        (["mode=0,tile=64|256"], [(0, 64), (0, 256)]),
        ([" mode = 0x1 , tile = 0x40 "], [(1, 64)]),
        (["tile=256", "mode=1,tile=128"], [(0, 256), (1, 128)]),
        (["3"], [(1, 128)]),
        (["0x0", "4"], [(0, 64), (0, 256)]),
        (["scale:mode=1,tile=64"], [(1, 64)]),
        (["other:nothing=7"], COMBOS),
        (["other:3", "scale:3"], [(1, 128)]),
    ],
)
def test_keys(selections, combos):
    assert keys(*selections) == combos


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        ("mode=2", "'mode' is never '2'; found 'mode=2'; allowed mode=0|1"),
        ("mdoe=1", "'mdoe' is no TilingKey field of scale (did you mean 'mode'?)"),
        ("mode=1,tile=256", "no TilingKey of scale is like this"),
        ("5", "no TilingKey of scale is like this; found '5'; allowed 0: mode=0,tile=64; 2: mode=0,tile=128"),
        ("mode", "a selection is <name>=<value>"),
        ("mode=", "a selection is <name>=<value>"),
        ("", "a selection is <name>=<value>"),
        ("mode=1,mode=0", "each name once"),
        ("scale:mode=x", "'mode' is never 'x'"),
    ],
)
def test_keys_that_fit_nothing(selection, words):
    with pytest.raises(SelectionError) as raised:
        keys(selection)
    assert words in str(raised.value)
    assert str(raised.value).endswith("; fix: --@pypto_rules//pypto_rules/settings:tiling_keys=mode=0")


@pytest.mark.parametrize(
    ("selections", "indices"),
    [
        ([], [0, 1, 2]),
        (["float16"], [0]),
        (["float"], [0, 1]),
        (["io_t=float"], [1]),
        (["io_t=float|int8,w_t=int32"], [2]),
        (["float16", "w_t=int32"], [0, 2]),
        (["other:bool"], [0, 1, 2]),
    ],
)
def test_columns(selections, indices):
    assert select_columns(selections, "scale", COLUMNS) == indices


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        ("bool", "no dtype column of scale is like this; found 'bool'; allowed io_t=float16,w_t=float; "),
        ("io=float", "'io' is no dtype variable of scale"),
        ("io_t=bool", "'io_t' is never 'bool'; found 'io_t=bool'; allowed io_t=float|float16|int8"),
        ("io_t=float16,w_t=int32", "no dtype column of scale is like this"),
    ],
)
def test_columns_that_fit_nothing(selection, words):
    with pytest.raises(SelectionError) as raised:
        select_columns([selection], "scale", COLUMNS)
    assert words in str(raised.value)


def test_a_kernel_without_dtype_variables_cannot_be_narrowed_by_them():
    with pytest.raises(SelectionError, match="scale has no dtype variable"):
        select_columns(["float"], "scale", [{}])
    assert select_columns([], "scale", [{}]) == select_columns(["other:float"], "scale", [{}]) == [0]
