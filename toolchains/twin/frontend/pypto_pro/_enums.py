"""The enumerations of `pypto_pro.language`, by their documented members."""

from __future__ import annotations

import enum

from pypto_pro._errors import unknown_name

_MEMBERS = {
    "FunctionType": "Opaque Orchestration InCore Helper",
    "MemorySpace": "DDR Vec Mat Left Right Acc Bias Scaling ScaleLeft ScaleRight",
    "TilePad": "null zero max min",
    "CompactMode": "null normal row_plus_one",
    "PipeType": "MTE1 MTE2 MTE3 M V S FIX ALL",
    "TensorLayout": "ND DN NZ ZN NN ZZ",
    "ReluPreMode": "NoRelu NormalRelu",
    "AtomicType": "AtomicNone AtomicAdd",
    "STPhase": "Unspecified Partial Final",
    "AccPhase": "Unspecified Partial Final",
    "AccToVecMode": "SingleModeVec0 SingleModeVec1 DualModeSplitM DualModeSplitN",
    "RoundMode": "CAST_NONE CAST_RINT CAST_ROUND CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD",
    "QuantMode": "SYM ASYM",
    "CrossCoreSyncMode": "INTER_BLOCK INTER_SUBBLOCK INTRA_BLOCK UNICAST_BLOCK",
    "SyncCoreType": "AIV_ONLY AIC_ONLY MIX",
    "SyncAllMode": "HARD SOFT",
    "CacheLine": "SINGLE_CACHE_LINE ENTIRE_DATA_CACHE",
    "DcciDst": "AUTO CACHELINE_OUT CACHELINE_UB CACHELINE_ALL CACHELINE_ATOMIC",
    "FillPadMode": "NORMAL EXPAND INPLACE",
    "MaskPattern": "ALL ALLF VL1 VL2 VL3 VL4 VL8 VL16 VL32 VL64 VL128 M3 M4 H Q",
    "MergeMode": "ZEROING MERGING",
    "ReduceMode": "SUM MAX MIN",
    "CompareMode": "EQ NE LT LE GT GE",
    "DuplicatePos": "LOWEST HIGHEST",
    "CastLayout": "ZERO ONE TWO THREE",
    "VFRoundMode": "CAST_ROUND CAST_RINT CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD CAST_HYBRID",
    "SaturateMode": "OFF ON",
    "BinType": "BIN0 BIN1",
    "HistType": "ACCUMULATE FREQUENCY",
    "SqueezeMode": "NO_STORE_REG STORE_REG",
    "PackPart": "LOWER UPPER",
    "MaskWidth": "B32 B16",
    "LoadDist": (
        "NORM BRC BRC_B8 BRC_B16 BRC_B32 US US_B8 US_B16 DS DS_B8 DS_B16 UNPK UNPK_B8 UNPK_B16 UNPK_B32 UNPK4 BLK "
        "E2B E2B_B16 E2B_B32 DINTLV_B8 DINTLV_B16 DINTLV_B32"
    ),
    "StoreDist": (
        "NORM NORM_B8 NORM_B16 NORM_B32 FIRST_ELEMENT FIRST_ELEMENT_B8 FIRST_ELEMENT_B16 FIRST_ELEMENT_B32 "
        "PACK PACK_B16 PACK_B32 PACK_B64 PACK4 PACK4_B32 INTLV INTLV_B8 INTLV_B16 INTLV_B32"
    ),
    "DataCopyMode": "NORM DATA_BLOCK_LOAD DATA_BLOCK_COPY",
    "MemBarMode": "VST_VLD VLD_VST VST_VST VST_LD VST_ST VLD_ST ST_VLD ST_VST LD_VST VV_ALL VS_ALL SV_ALL",
    "IndexOrder": "INCREASE_ORDER DECREASE_ORDER",
}


class _NamedMeta(enum.EnumMeta):
    """Adds the closest member names to the error for an unknown member."""

    def __getattr__(cls, name: str) -> object:
        members = cls.__dict__.get("_member_map_", {})
        if name in members:  # Python 3.10 and 3.11 find members here
            return members[name]
        if name.startswith("_"):
            raise AttributeError(name)
        raise unknown_name(f"pl.{cls.__name__}", name, members)


class _Named(enum.Enum, metaclass=_NamedMeta):
    def __repr__(self) -> str:
        return f"pl.{type(self).__name__}.{self.name}"


NAMES = tuple(_MEMBERS)


def enumeration(name: str) -> type[enum.Enum]:
    """An enumeration class by its name; made when first asked for, since a kernel uses a few of them."""
    return _Named(name, _MEMBERS[name], module="pypto_pro.language")
