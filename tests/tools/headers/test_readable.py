"""The TilingData as text and as Python: print header, `pypto_tiling` module, and that both agree with C++."""

import importlib
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.headers import __main__ as headers
from pypto_rules.tools.headers import render
from pypto_rules.tools.headers.python_names import python_names
from tests.tools.headers import compile as cpp
from tests.tools.headers.kernels import KERNELS, kernel

NAMES = sorted(KERNELS)


def load(subject: manifest.Kernel, directory: Path) -> ModuleType:
    """The generated module of `subject`, imported from `directory`, where its headers are, too."""
    manifest.write(subject, directory / "kernel.json")
    arguments = ["--manifest", directory / "kernel.json", "--out-dir", directory, "--python-dir", directory]
    assert headers.main([str(argument) for argument in arguments]) == 0
    sys.path.insert(0, str(directory))
    try:
        return importlib.import_module(f"pypto_tiling.{subject.kernel_name}")
    finally:
        sys.path.remove(str(directory))


@pytest.fixture(autouse=True)
def forget_modules():
    """Each test imports its own."""
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "pypto_tiling"]:
        del sys.modules[name]


def sample(field: manifest.TilingField, seed: int):
    """A value of the field's type that differs from its neighbours'."""
    makers = {
        "int64_t": lambda i: (-1) ** i * (7**i + 1 << 33) % 2**63,
        "float": lambda i: (-1) ** i * 10 ** (i % 60 - 30) / 3,
        "bool": lambda i: i % 3 == 1,
    }
    make = makers[field.element_ctype]
    return make(seed) if field.count is None else [make(seed + i) for i in range(field.count)]


def filled(cls: type, subject: manifest.Kernel):
    return cls(*(sample(field, i) for i, field in enumerate(subject.tiling.fields)))


def reader(subject: manifest.Kernel, *others: manifest.Kernel) -> str:
    """A program that reads the struct from `bytes` and prints it both ways, then each field's bytes in hexadecimal."""
    data = subject.tiling.name
    includes = "".join(f'#include "{k.tiling.name}_print.h"\n' for k in (subject, *others))
    dumps = "".join(f"    Dump(&data->{field.name}, {field.size});\n" for field in subject.tiling.fields)
    return f"""{includes}
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>
static void Dump(const void* from, std::size_t size) {{
    for (std::size_t i = 0; i < size; ++i) {{
        std::printf("%02x", static_cast<const unsigned char*>(from)[i]);
    }}
    std::puts("");
}}
int main(int, char** argv) {{
    std::ifstream file(std::string(argv[0]) + ".bytes", std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.size() != sizeof({data})) {{
        return 1;
    }}
    const auto* data = reinterpret_cast<const {data}*>(bytes.data());
    std::cout << *data << "\\n" << pypto::ToString(*data) << std::endl;
{dumps}}}
"""


def check_agreement(subject: manifest.Kernel, directory: Path) -> None:
    """Python writes the struct, C++ reads it: the same text, and the same bytes in every field."""
    cls = getattr(load(subject, directory), subject.tiling.name)
    values = filled(cls, subject)
    data = values.to_bytes()
    (directory / "program.bytes").write_bytes(data)
    printed = cpp.run(directory, reader(subject), "-include", "cstdint")
    fields = [data[field.offset : field.offset + field.size].hex() for field in subject.tiling.fields]
    assert printed.splitlines() == str(values).splitlines() * 2 + fields
    assert cls.from_bytes(data) == values
    assert cls.from_bytes(bytearray(data)).to_bytes() == data
    assert subject.tiling.sizeof == cls.SIZE
    assert {field.name: field.offset for field in subject.tiling.fields} == cls.OFFSETS


@pytest.mark.parametrize("name", NAMES)
def test_python_and_cpp_agree(name: str, tmp_path: Path) -> None:
    check_agreement(kernel(name), tmp_path)


def test_two_thousand_fields(tmp_path: Path) -> None:
    types = ["bool", "int", "float", "bool[3]"]
    check_agreement(described("many_fields", {f"f{i}": types[i % 4] for i in range(2000)}), tmp_path)


def described(name: str, fields: dict[str, str]) -> manifest.Kernel:
    """A kernel with these TilingData fields."""
    KERNELS[name] = (fields, {"k": (1, [0, 1])}, None)
    try:
        return kernel(name)
    finally:
        del KERNELS[name]


def test_text(tmp_path: Path) -> None:
    subject = described("texts", {"on": "bool", "x": "float", "n": "int", "long_one": "int[17]", "short": "bool[2]"})
    values = load(subject, tmp_path).Data_texts(True, 0.1, -5, range(17), [0, 1])
    assert str(values) == (
        "Data_texts {\n  on = true\n  x = 0.100000001\n  n = -5\n"
        "  long_one = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ... 17 elements]\n"
        "  short = [false, true]\n}"
    )


def test_extreme_values_print_alike(tmp_path: Path) -> None:
    subject = described("extremes", {"x": "float[6]", "n": "int[2]"})
    floats = [float("inf"), -float("inf"), 1e-45, 3.4028235e38, -0.0, 16777216.0]
    values = load(subject, tmp_path).Data_extremes(floats, (-(2**63), 2**63 - 1))
    (tmp_path / "program.bytes").write_bytes(values.to_bytes())
    assert cpp.run(tmp_path, reader(subject)).startswith(f"{values}\n")


def test_several_operators_in_one_unit_and_one_process(tmp_path: Path) -> None:
    first, second = kernel("plain"), kernel("mixed")
    (tmp_path / "b").mkdir()
    other = load(second, tmp_path / "b")
    values = filled(load(first, tmp_path).Data_plain, first)
    (tmp_path / "program.bytes").write_bytes(values.to_bytes())
    printed = cpp.run(tmp_path, reader(first, second), f"-I{tmp_path / 'b'}", "-std=c++11")
    assert printed.startswith(str(values))
    assert filled(other.Data_mixed, second).SIZE == 32


def test_values_are_kept_as_the_struct_holds_them(tmp_path: Path) -> None:
    values = load(kernel("mixed"), tmp_path).Data_mixed(1, 0.1, True, [0, 1, False, True, 1], beta=2)
    assert values.has_tail is True
    assert values.alpha == struct.unpack("f", struct.pack("f", 0.1))[0]
    assert values.flags == (False, True, False, True, True)
    values.total = 9
    assert struct.unpack("<?3xfq5?3xf4x", values.to_bytes()) == (
        True,
        values.alpha,
        9,
        False,
        True,
        False,
        True,
        True,
        2.0,
    )


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (
            "total",
            2**63,
            "Data_mixed.total is int64_t, which cannot hold 9223372036854775808; allowed are integers from -9",
        ),
        ("total", 1.0, "Data_mixed.total is int64_t, which cannot hold 1.0"),
        ("total", "1", "which cannot hold '1'"),
        ("total", None, "which cannot hold None"),
        (
            "alpha",
            1e39,
            "Data_mixed.alpha is float, which cannot hold 1e+39; allowed are numbers from -3.4028235e+38 to",
        ),
        ("alpha", "x", "which cannot hold 'x'"),
        ("has_tail", 2, "Data_mixed.has_tail is bool, which cannot hold 2; allowed are True, False, 1 and 0"),
        ("has_tail", 1.0, "which cannot hold 1.0"),
        ("has_tail", "", "which cannot hold ''"),
        ("flags", [1, 0, 0, 0, 7], "Data_mixed.flags[4] is bool, which cannot hold 7"),
        ("flags", [1], "Data_mixed.flags has 5 elements, 1 given; give a list or tuple of that length"),
        ("flags", 1, "Data_mixed.flags has 5 elements, 1 given"),
    ],
)
def test_wrong_values(field: str, value: object, text: str, tmp_path: Path) -> None:
    subject = kernel("mixed")
    values = filled(load(subject, tmp_path).Data_mixed, subject)
    with pytest.raises(ValueError) as error:
        setattr(values, field, value)
    assert text in str(error.value)


def test_wrong_names_and_sizes(tmp_path: Path) -> None:
    subject = kernel("plain")
    cls = load(subject, tmp_path).Data_plain
    with pytest.raises(AttributeError, match="Data_plain has no field 'tiles'; its fields are total_length, tile_num"):
        filled(cls, subject).tiles = 3
    for size in (0, 15, 17):
        with pytest.raises(ValueError, match=f"Data_plain is 16 bytes, {size} given"):
            cls.from_bytes(bytes(size))
    with pytest.raises(TypeError, match="'tile_num'"):
        cls(1)


def test_names_that_python_or_the_class_uses(tmp_path: Path) -> None:
    fields = ["SIZE", "SIZE_", "OFFSETS", "to_bytes", "from_bytes", "lambda", "mro", "self", "cls", "tuple", "field"]
    subject = described("names", dict.fromkeys(fields, "int"))
    module = load(subject, tmp_path)
    values = module.Data_names(*range(11))
    assert (values.SIZE__, values.SIZE_, values.lambda_, values.mro_, values.self) == (0, 1, 5, 6, 7)
    assert module.Data_names.from_bytes(values.to_bytes()) == values
    assert list(module.Data_names.OFFSETS) == fields
    assert "`lambda_` is the struct's `lambda`." in module.Data_names.__doc__
    assert "  lambda = 5\n" in str(values)


@pytest.mark.parametrize("name", ["Layout", "Field", "annotations", "dataclasses", "Mapping", "Any"])
def test_class_named_like_a_helper(name: str, tmp_path: Path) -> None:
    text = manifest.dumps(manifest.to_json(kernel("mixed"))).replace("Data_mixed", name)
    (tmp_path / "named.json").write_text(text)
    subject = manifest.read(tmp_path / "named.json")
    cls = getattr(load(subject, tmp_path), name)
    values = filled(cls, subject)
    assert cls.from_bytes(values.to_bytes()) == values


def test_other_names_stay() -> None:
    assert python_names(["n", "class_", "match", "type"]) == {n: n for n in ("n", "class_", "match", "type")}


def test_module_is_the_same_every_time_and_stands_alone() -> None:
    text = render.python_module_text(kernel("mixed"))
    assert text == render.python_module_text(kernel("mixed"))
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert imports == [
        "from __future__ import annotations",
        "import dataclasses",
        "import struct",
        "from collections.abc import Mapping, Sequence",
        "from typing import Any",
    ]
