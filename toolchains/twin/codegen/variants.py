"""The variants of the twin: dtype column × valid TilingKey, all cores in one; and the constants they fold."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pypto_rules.tools.codegen.columns import Column
from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.codegen.variants import Wanted, columns, joined, keys, label, source_name
from pypto_rules.tools.contract import manifest
from toolchains.twin.codegen import dtypes
from toolchains.twin.codegen.state import Variant
from toolchains.twin.codegen.values import Const, Value

_CORE = "vector"


@dataclass(frozen=True)
class Item:
    """One variant to generate."""

    column: int
    dtypes: Column
    key: manifest.ValidKey
    combo: dict[str, int]
    core: str
    source: str

    def label(self, kernel: str, soc: str) -> str:
        """The variant in the words of an error message."""
        return label(kernel, soc, self.combo, self.dtypes)


def enumerate_items(kernel: manifest.Kernel, given: list[Column], wanted: Wanted) -> list[Item]:
    """The wanted variants in the order of variants.json. SelectionError for wishes that fit nothing."""
    chosen = keys(kernel, wanted)
    items = []
    for index in columns(kernel, given, wanted):
        for key in chosen:
            combo = kernel.tiling_key.as_dict(key.combo)
            source = source_name(kernel.kernel_name, joined(kernel, given[index]), combo, _CORE)
            items.append(Item(index, given[index], key, combo, _CORE, source))
    _check_unique(items)
    return items


def _check_unique(items: list[Item]) -> None:
    seen: dict[str, Item] = {}
    for item in items:
        if item.source in seen:
            raise InputError(f"two dtype columns are equal: {json.dumps(item.dtypes)}; fix: remove one of them")
        seen[item.source] = item


def variant_of(item: Item, soc: str) -> Variant:
    """The constants of a variant."""
    constants: dict[str, Value] = {name: Const(value) for name, value in item.combo.items()}
    constants.update({name: Const(dtypes.BY_CANN[dtype]) for name, dtype in item.dtypes.items()})
    return Variant(soc, constants)
