"""Tiling functions: what they read of a call, what they decide, and what becomes of their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_rules.testing.errors import HostSideError
from tests.tools.host_sdk.harness import compile_library, param, request, runtime, tensor, tile, tiling_source

FILL = "auto* tiling = context->GetTilingData<TilingData>(); *tiling = {0, 0}; context->SetBlockDim(1);"


def numbers(answer: dict) -> list[int]:
    data = bytes.fromhex(answer["tiling_data"])
    return [int.from_bytes(data[at : at + 8], "little", signed=True) for at in range(0, len(data), 8)]


def shown(directory: Path, expression: str, before: str = "", register: str = "", **changes: object) -> int:
    """The value of an expression in a tiling function."""
    body = f"context->GetTilingData<TilingData>()->a = static_cast<int64_t>({expression}); context->SetBlockDim(1);"
    return numbers(tile(directory, body, before, register, **changes))[0]


def refused(directory: Path, body: str, before: str = "", register: str = "", **changes: object) -> str:
    with pytest.raises(HostSideError) as error:
        tile(directory, body, before, register, **changes)
    return str(error.value)


def test_decisions(tmp_path: Path) -> None:
    body = """
    auto* tiling = context->GetTilingData<TilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->a = 7;
    tiling->b = -1;
    context->SetTilingKey(1);
    context->SetBlockDim(12);
    context->SetScheduleMode(1);
    size_t* sizes = context->GetWorkspaceSizes(2);
    sizes[0] = 5;"""
    answer = tile(tmp_path, body)
    assert numbers(answer) == [7, -1]
    assert (answer["tiling_key"], answer["key_problem"], answer["block_dim"]) == ("1", "", 12)
    assert (answer["workspaces"], answer["schedule_mode"], answer["most_blocks"]) == ([5, 0], 1, 48)


INPUTS = [
    param("x", tensor(2, 3, dtype="float16")),
    param("bias", kind="optional"),
    param("list", tensor(4), tensor(5, 6, dtype="int32", format="NCHW"), kind="dynamic"),
    param("w", tensor(7), kind="optional"),
]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("context->GetInputShape(0)->GetStorageShape().GetDim(1)", 3),
        ("context->GetInputShape(0)->GetOriginShape().GetShapeSize()", 6),
        ("context->GetInputShape(2)->GetStorageShape().GetDim(1)", 6),
        ("context->GetInputShape(4) == nullptr", 1),
        ("context->GetOptionalInputShape(1) == nullptr", 1),
        ("context->GetOptionalInputShape(3)->GetStorageShape().GetDim(0)", 7),
        ("context->GetDynamicInputShape(2, 1)->GetStorageShape().GetDimNum()", 2),
        ("context->GetDynamicInputShape(2, 2) == nullptr", 1),
        ("context->GetOutputShape(0)->GetStorageShape().GetDim(0)", 2),
        ("context->GetOutputShape(1) == nullptr", 1),
        ("context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16", 1),
        ("context->GetInputDesc(2)->GetStorageFormat() == ge::FORMAT_NCHW", 1),
        ("context->GetOptionalInputDesc(1) == nullptr", 1),
        ("context->GetDynamicInputDesc(2, 1)->GetDataType() == ge::DT_INT32", 1),
        ("context->GetInputTensor(0)->GetDataType() == ge::DT_FLOAT16", 1),
        ("context->GetInputTensor(0)->GetAddr() == nullptr", 1),
        ("context->GetComputeNodeInfo()->GetIrInputsNum()", 4),
        ("context->GetComputeNodeInfo()->GetInputsNum()", 4),
        ("context->GetComputeNodeInfo()->GetInputInstanceInfo(2)->GetInstanceNum()", 2),
        ("context->GetComputeNodeInputNum()", 4),
        ("std::string(context->GetNodeType()) == \"Op\"", 1),
        ("Ops::Base::CeilDiv(7, 2) * 100 + Ops::Base::CeilAlign(7, 4) * 10 + Ops::Base::FloorAlign(7, 4)", 484),
        ("Ops::Base::CeilDiv(-7, 2) * 10 + Ops::Base::CeilDiv(7, 0)", -23),
        ("ge::GetSizeByDataType(ge::DT_BF16)", 2),
    ],
)  # fmt: skip
def test_what_is_read_of_a_call(expression: str, value: int, tmp_path: Path) -> None:
    assert shown(tmp_path, expression, inputs=INPUTS) == value


ATTRS = [
    {"name": "i", "type": "int", "value": -5},
    {"name": "f", "type": "float", "value": 0.5},
    {"name": "b", "type": "bool", "value": True},
    {"name": "s", "type": "str", "value": "mean"},
    {"name": "li", "type": "list_int", "value": [3, 4]},
    {"name": "lf", "type": "list_float", "value": [1.5]},
    {"name": "lb", "type": "list_bool", "value": [False, True]},
    {"name": "lli", "type": "list_list_int", "value": [[1], [2, 3]]},
]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("*context->GetAttrs()->GetInt(0)", -5),
        ("*context->GetAttrs()->GetAttrPointer<int64_t>(0)", -5),
        ("*context->GetAttrs()->GetFloat(1) * 10", 5),
        ("*context->GetAttrs()->GetBool(2)", 1),
        ("std::string(context->GetAttrs()->GetStr(3)) == \"mean\"", 1),
        ("context->GetAttrs()->GetListInt(4)->GetData()[1] * 10 + context->GetAttrs()->GetListInt(4)->GetSize()", 42),
        ("context->GetAttrs()->GetAttrPointer<gert::ContinuousVector>(4)->GetSize()", 2),
        ("context->GetAttrs()->GetAttrPointer<gert::TypedContinuousVector<int64_t>>(4)->GetData()[0]", 3),
        ("context->GetAttrs()->GetListFloat(5)->GetData()[0] * 2", 3),
        ("context->GetAttrs()->GetListBool(6)->GetData()[1]", 1),
        ("context->GetAttrs()->GetListListInt(7)->Get(1)->GetSize()", 2),
        ("context->GetAttrs()->GetAttrNum()", 8),
        ("context->GetAttrs()->GetInt(8) == nullptr", 1),
    ],
)  # fmt: skip
def test_attributes(expression: str, value: int, tmp_path: Path) -> None:
    assert shown(tmp_path, expression, attrs=ATTRS) == value


def test_an_attribute_read_as_another_type(tmp_path: Path) -> None:
    text = refused(tmp_path, "context->GetAttrs()->GetInt(1);", attrs=ATTRS)
    assert "attribute 1 ('f') of Op is a float, and is read as a int" in text
    assert text.startswith("the tiling function of Op:")


@pytest.mark.parametrize("declared", [".InputsDataDependency({0})", ".TilingInputsDataDependency({0})"])
def test_elements_of_an_input_that_tiling_depends_on(declared: str, tmp_path: Path) -> None:
    inputs = [param("x", tensor(2, dtype="int64", data=(9).to_bytes(8, "little").hex() * 2))]
    expression = "context->GetInputTensor(0)->GetData<int64_t>()[1] * 100 + context->GetInputTensor(0)->GetSize()"
    assert shown(tmp_path, expression, register=declared, inputs=inputs) == 916


@pytest.mark.parametrize(
    ("soc", "cube", "vector", "ub", "arch"),
    [("ascend910b", 24, 48, 196608, 2201), ("ascend910_93", 24, 48, 196608, 2201), ("ascend950", 32, 64, 253952, 3510)],
)
def test_platform(soc: str, cube: int, vector: int, ub: int, arch: int, tmp_path: Path) -> None:
    platform = "platform_ascendc::PlatformAscendC(context->GetPlatformInfo())"
    before = """
    static uint64_t Size(gert::TilingContext* context, platform_ascendc::CoreMemType type)
    {
        uint64_t bytes = 0;
        platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreMemSize(type, bytes);
        return bytes;
    }"""
    body = f"""
    auto* tiling = context->GetTilingData<TilingData>();
    const auto platform = {platform};
    tiling->a = platform.GetCoreNumAic() * 1000 + platform.GetCoreNumAiv();
    tiling->b = Size(context, platform_ascendc::CoreMemType::UB);
    context->SetBlockDim(platform.CalcTschBlockDim(9, platform.GetCoreNumAic(), platform.GetCoreNumAiv()));
    context->GetWorkspaceSizes(2)[0] = platform.GetLibApiWorkSpaceSize();
    context->GetWorkspaceSizes(2)[1] = static_cast<size_t>(platform.GetCurNpuArch());"""
    answer = tile(tmp_path, body, before, soc=soc)
    assert numbers(answer) == [cube * 1000 + vector, ub]
    assert answer["block_dim"] == 5
    assert answer["workspaces"] == [0, arch]


def test_an_unknown_soc(tmp_path: Path) -> None:
    assert "does not model the SoC 'ascend310p'; it has ascend910b, ascend910_93, ascend950" in refused(
        tmp_path, FILL, soc="ascend310p"
    )


def test_compile_info(tmp_path: Path) -> None:
    before = """
    struct Info { int64_t cores = 3; };
    static ge::graphStatus Parse(gert::TilingParseContext* context)
    {
        context->GetCompiledInfo<Info>()->cores +=
            platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
        return ge::GRAPH_SUCCESS;
    }"""
    assert shown(tmp_path, "context->GetCompileInfo<Info>()->cores", before, ".TilingParse<Info>(Parse)") == 51


def test_raw_tiling_data(tmp_path: Path) -> None:
    body = """
    gert::TilingData* raw = context->GetRawTilingData();
    const int64_t values[] = {5, 6};
    if (raw->Append(values, 2) != ge::GRAPH_SUCCESS || raw->Append(values[0]) == ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    context->SetBlockDim(1);"""
    assert numbers(tile(tmp_path, body)) == [5, 6]


def test_tiling_data_by_macros(tmp_path: Path) -> None:
    before = """
    BEGIN_TILING_DATA_DEF(Data)
    TILING_DATA_FIELD_DEF(int64_t, a);
    TILING_DATA_FIELD_DEF_ARR(int32_t, 2, b)
    END_TILING_DATA_DEF;
    REGISTER_TILING_DATA_CLASS(Op, Data)"""
    body = """
    Data data;
    const int32_t pair[] = {1, 2};
    data.set_a(4);
    data.set_b(pair);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->SetBlockDim(data.get_a());"""
    answer = tile(tmp_path, body, before)
    assert numbers(answer) == [4, (2 << 32) + 1]
    assert answer["block_dim"] == 4


def test_two_registered_sizes_are_refused_when_the_library_is_loaded(tmp_path: Path) -> None:
    before = """
    BEGIN_TILING_DATA_DEF(One)
    TILING_DATA_FIELD_DEF(int64_t, a)
    END_TILING_DATA_DEF
    REGISTER_TILING_DATA_CLASS(Op, One)
    BEGIN_TILING_DATA_DEF(Two)
    TILING_DATA_FIELD_DEF(int32_t, a)
    END_TILING_DATA_DEF
    REGISTER_TILING_DATA_CLASS(Op, Two)"""
    text = refused(tmp_path, FILL, before)
    assert "two TilingData classes of different sizes are registered for Op: One has 8 bytes, Two has 4;" in text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "OP_CHECK_IF(true, OP_LOGE(context, \"x has %d dims\", 3), return ge::GRAPH_FAILED);",
            "the tiling function of Op failed: x has 3 dims",
        ),
        ("return ge::GRAPH_FAILED;", "the tiling function of Op failed, and logged no reason (OP_LOGE)"),
        ("return ge::GRAPH_PARAM_INVALID;", "failed with status 50331649"),
        ("throw std::runtime_error(\"oops\");", "the tiling function of Op threw an exception: oops"),
        ("int* none = nullptr; OP_CHECK_NULL_WITH_CONTEXT(context, none);", "failed: none is nullptr"),
        ("context->GetTilingData<TilingData>();", "the tiling function of Op did not call SetBlockDim"),
        ("context->SetBlockDim(1);", "filled in 0 bytes of TilingData, but the kernel reads 16"),
        (
            "context->GetTilingData<int64_t>();",
            "called with a class of 8 bytes, but the TilingData of Op's kernel has 16",
        ),
        ("context->GetRawTilingData()->SetDataSize(17);", "SetDataSize of 17 bytes, but there is room for 16"),
        ("context->SetAicpuBlockDim(1);", "TilingContext::SetAicpuBlockDim is not supported by the CPU twin"),
        ("context->GetAttrs()->GetTensor(0);", "RuntimeAttrs::GetTensor is not supported by the CPU twin"),
        (
            "fe::PlatFormInfos* none = nullptr; platform_ascendc::PlatformAscendC platform(none);",
            "PlatformAscendC is made from a null platform; check context->GetPlatformInfo()",
        ),
        (
            "platform_ascendc::PlatformAscendCManager::GetInstance();",
            "PlatformAscendCManager::GetInstance is not supported by the CPU twin",
        ),
        (
            "fe::PlatformInfoManager::Instance().InitializePlatformInfo();",
            "PlatformInfoManager::InitializePlatformInfo is not supported by the CPU twin",
        ),
    ],
)  # fmt: skip
def test_mistakes(body: str, said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, f"[[maybe_unused]] auto* unused = context; {body}", "#include <stdexcept>\n")


def test_an_operator_that_is_not_registered(tmp_path: Path) -> None:
    library = compile_library(tmp_path, tiling_source(FILL))
    with pytest.raises(HostSideError) as error:
        runtime().ask("pypto_twin_tiling", request(library, op_type="Ops"))
    assert "Ops has no tiling function; registered in this library: Op; register it with" in str(error.value)


def test_a_library_that_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(HostSideError, match="cannot load the host library"):
        runtime().ask("pypto_twin_tiling", request(tmp_path / "absent.so"))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("2", "2 is not a TilingKey of op: no combination decodes to it; pack it with GET_TPL_TILING_KEY"),
        ("INVALID_TILING_KEY", "it is INVALID_TILING_KEY, what GET_TPL_TILING_KEY gives for values that are not"),
    ],
)
def test_keys_that_are_none(key: str, said: str, tmp_path: Path) -> None:
    before = '}\n#include "ascendc/host_api/tiling/template_argument.h"\nnamespace optiling {'
    problem = tile(tmp_path, f"{FILL} context->SetTilingKey({key});", before)["key_problem"]
    assert said in problem and problem.endswith("there are 0: mode=0; 1: mode=1")


def test_what_a_library_registers(tmp_path: Path) -> None:
    library = compile_library(tmp_path, tiling_source(FILL))
    answer = runtime().ask("pypto_twin_registered", {"library": str(library)})
    assert (answer["tiling_ops"], answer["infershape_ops"]) == (["Op"], [])


# A crash in the user's function is an error that names the function; the process lives.
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("context->SetBlockDim(*context->GetAttrs()->GetInt(7));", "used a null pointer; check what the context gives"),
        ("volatile int zero = 0; context->SetBlockDim(7 / zero);", "divided by zero"),
        ("*reinterpret_cast<volatile int*>(0x700000000000) = 1;", "used memory that is not there, at 0x700000000000"),
    ],
)
def test_a_crash(body: str, said: str, tmp_path: Path) -> None:
    for attempt in range(2):
        (tmp_path / str(attempt)).mkdir()
        assert refused(tmp_path / str(attempt), body).startswith(f"the tiling function of Op: {said}")
