"""What a C++ compiler makes of the generated headers: layout, packed keys, registration."""

from pathlib import Path

import pytest

from pypto_rules.tools.contract.manifest import Kernel
from pypto_rules.tools.headers import render
from tests.tools.headers import compile as cpp
from tests.tools.headers.kernels import KERNELS, kernel, own, truth

NAMES = sorted(KERNELS)
CASES = Path("tests/cases/contract")
OWN = Path("tests/cases/own")
OWN_CASES = sorted(p.parent.name for p in OWN.glob("0*/expected.json"))
VALID_CASES = sorted(p.name for p in CASES.iterdir() if p.name[:2] < "51" and not p.name.startswith("16_"))


def generate(subject: Kernel, directory: Path) -> None:
    """All headers of `subject`, and `host.h`, in `directory`."""
    headers = render.headers_of(subject, "OpType")
    for name, text in headers:
        (directory / name).write_text(text)
    (directory / "host.h").write_text(render.host_include_text(headers))


def layout_and_keys(subject: Kernel) -> str:
    """A program that prints size and offsets of the TilingData and the packed key of every valid combination."""
    data = subject.tiling.name
    lines = [f'std::printf("%zu %zu\\n", sizeof({data}), alignof({data}));']
    lines += [f'std::printf("%zu\\n", offsetof({data}, {field.name}));' for field in subject.tiling.fields]
    for valid in subject.tiling_key.valid:
        arguments = ", ".join(f"{value}u" for value in valid.combo)
        lines.append(f'std::printf("%llu\\n", static_cast<unsigned long long>(GET_TPL_TILING_KEY({arguments})));')
    return "#include <cstddef>\n#include <cstdio>\nint main() {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("name", NAMES)
def test_layout_and_keys_agree_with_the_manifest(name: str, tmp_path: Path) -> None:
    check_layout_and_keys(kernel(name), tmp_path)


@pytest.mark.parametrize("case", VALID_CASES)
def test_layout_and_keys_agree_with_the_real_front_end(case: str, tmp_path: Path) -> None:
    check_layout_and_keys(truth(CASES / case), tmp_path)


def test_there_are_cases() -> None:
    assert len(VALID_CASES) >= 12
    assert len(OWN_CASES) >= 50


@pytest.mark.parametrize("case", OWN_CASES)
def test_layout_and_keys_of_our_own_cases(case: str, tmp_path: Path) -> None:
    """The header's own assertions hold, and so do these on every packed key; nothing has to be run for that."""
    subject = own(OWN / case)
    generate(subject, tmp_path)
    lines = [f'static_assert(sizeof({subject.tiling.name}) == {subject.tiling.sizeof}, "");']
    for valid in subject.tiling_key.valid:
        arguments = ", ".join(f"{value}u" for value in valid.combo)
        lines.append(f'static_assert(GET_TPL_TILING_KEY({arguments}) == {valid.packed}u, "");')
    done = cpp.compile_only(tmp_path, "\n".join(lines), "-include", "host.h", "-fsyntax-only")
    assert done.returncode == 0, done.stderr


def check_layout_and_keys(subject: Kernel, tmp_path: Path) -> None:
    generate(subject, tmp_path)
    printed = cpp.run(tmp_path, layout_and_keys(subject), "-include", "host.h").splitlines()
    tiling = subject.tiling
    expected = [f"{tiling.sizeof} {tiling.align}", *(str(field.offset) for field in tiling.fields)]
    assert printed == expected + [str(valid.packed) for valid in subject.tiling_key.valid]


@pytest.mark.parametrize("model", [[], ["-DSTAND_IN_ALIGNS_FIELDS"]], ids=["end_to_end", "aligned"])
@pytest.mark.parametrize("name", NAMES)
def test_registered_size_and_offsets_are_those_of_the_struct(name: str, model: list[str], tmp_path: Path) -> None:
    subject = kernel(name)
    generate(subject, tmp_path)
    source = f"""
#include <cstdio>
#include "{subject.tiling.name}_registration.h"
int main() {{
    const auto data = optiling::Registry().at("OpType")();
    std::printf("%s %zu\\n", data->GetTilingClassName(), data->GetDataSize());
    for (const auto& [name, offset] : data->offsets) {{
        std::printf("%zu %s\\n", offset, name.c_str());
    }}
}}
"""
    first, *rest = cpp.run(tmp_path, source, "-include", "host.h", *model).splitlines()
    assert first == f"{subject.tiling.name} {subject.tiling.sizeof}"
    fields = sorted(int(line.split()[0]) for line in rest if not line.split()[1].startswith("padding_"))
    declared = {field.name: field.offset for field in subject.tiling.fields}
    assert fields == sorted(offset for name, offset in declared.items() if not name.startswith("padding_"))


def test_registration_keeps_names_the_macros_allow(tmp_path: Path) -> None:
    text = render.registration_text(kernel("nasty_names").tiling, "OpType")
    declared = [line for line in text.splitlines() if line.startswith("TILING_DATA_FIELD_DEF")]
    assert declared == [
        "TILING_DATA_FIELD_DEF(int64_t, data_size_value);",
        "TILING_DATA_FIELD_DEF(bool, x);",
        "TILING_DATA_FIELD_DEF_ARR(uint8_t, 3, padding_1_bytes);",
        "TILING_DATA_FIELD_DEF(float, x_handler_value);",
        "TILING_DATA_FIELD_DEF(int64_t, class_);",
        "TILING_DATA_FIELD_DEF(bool, padding_1);",
        "TILING_DATA_FIELD_DEF_ARR(uint8_t, 7, padding_2_bytes);",
        "TILING_DATA_FIELD_DEF(int64_t, padding_2);",
    ]


def test_plain_class_and_registration_do_not_collide(tmp_path: Path) -> None:
    subject = kernel("mixed")
    generate(subject, tmp_path)
    source = f"""
#include "{subject.tiling.name}_registration.h"
namespace optiling {{
int Fill({subject.tiling.name}* tiling) {{
    tiling->total = 7;
    return static_cast<int>(tiling->total);
}}
}}
int main() {{
    {subject.tiling.name} plain{{}};
    return optiling::Fill(&plain) - 7;
}}
"""
    cpp.run(tmp_path, source, "-include", "host.h")


def test_another_layout_is_refused_by_name(tmp_path: Path) -> None:
    subject = kernel("mixed")
    generate(subject, tmp_path)
    header = tmp_path / "Data_mixed_tiling.h"
    header.write_text(
        header.read_text().replace(
            "bool has_tail; float alpha; int64_t total;",
            "int64_t total; float alpha; bool has_tail;",
        )
    )
    done = cpp.compile_only(tmp_path, "int main() {}\n", "-include", "host.h")
    assert done.returncode != 0
    assert "Data_mixed::has_tail: the kernel expects it at offset 0" in done.stderr
    assert "Data_mixed: the kernel expects 32 bytes" in done.stderr
