"""CANN's link tool with a stand-in ld.lld: command lines, every member of the json, what is refused.

The stand-in takes nothing but the two command lines of cann-flow, section 4.9, and writes down what it was given.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from toolchains.cann.link.__main__ import main

KERNEL_JSON = Path("tests/tools/twin_link/sample_kernel.json")
GCC = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin")
STAND_IN = """\
#!/bin/sh
# Stand-in for CANN's ld.lld.
log="$(dirname "$0")/commands.txt"
echo "$*" >> "$log"
case "$*" in
  "-m aicorelinux -r -Ttext=0 -q "*" -static -o "*) ;;
  "-m aicorelinux -Ttext=0 "*" -static -o "*" -q") ;;
  *) echo "stand-in ld.lld: unexpected command line" >&2; exit 2 ;;
esac
objects="" out="" previous=""
for argument in "$@"; do
  case "$previous $argument" in
    "-o "*) out="$argument" ;;
    *" "*.o) objects="$objects $argument" ;;
  esac
  previous="$argument"
done
cat $objects > "$out"
"""
OP_DEF = {
    "op_type": "AddExample",
    "inputs": [
        {"name": "x", "dtypes": ["float16", "float"], "formats": ["ND", "ND"]},
        {"name": "y", "dtypes": ["float16", "float"], "formats": ["ND", "ND"]},
    ],
    "outputs": [{"name": "z", "dtypes": ["float16", "float"], "formats": ["ND", "ND"]}],
}
SUFFIXES = {"cube": "_mix_aic", "vec": "_mix_aiv"}


class Action:
    """A directory as the link action sees it."""

    def __init__(self, directory: Path, kernel_type: str, cores: tuple[str, ...]) -> None:
        self.directory = directory
        self.linker = directory / "ld.lld"
        self.linker.write_text(STAND_IN)
        self.linker.chmod(0o755)
        variants = []
        for core in cores:
            (directory / core).mkdir()
            for key in (1, 0):
                source = f"add_example-float16-sch_mode{key}-{core}.cpp"
                entry = f"AddExample_x_{key}" + (SUFFIXES[core] if len(cores) > 1 else "")
                variants.append(
                    {"column": 0, "tiling_key": key, "combo": {"sch_mode": key}, "core": core,
                     "source": source, "entry": entry}
                )  # fmt: skip
                self.compile(core, source, f"int {entry}(void) {{ return {key}; }}")
        self.table = {
            "kernel_name": "add_example",
            "soc": "ascend950",
            "kernel_type": kernel_type,
            "columns": [
                {"index": 0, "dtypes": {"data_dtype": "float16"}, "binary": "AddExample_x", "op_column": 0}
            ],
            "variants": variants,
        }  # fmt: skip
        self.cores = cores

    def compile(self, core: str, source: str, text: str) -> None:
        out = self.directory / core / (source.removesuffix(".cpp") + ".pic.o")
        subprocess.run([GCC, "-x", "c", "-c", "-o", out, "-"], input=text, text=True, check=True)

    def run(self, *options: str) -> int:
        (self.directory / "variants.json").write_text(json.dumps(self.table))
        (self.directory / "op.json").write_text(json.dumps(OP_DEF))
        objects = [option for core in self.cores for option in ("--objects", str(self.directory / core))]
        files = ["--manifest", str(KERNEL_JSON), "--variants", str(self.directory / "variants.json"), *objects]
        return main([*files, "--linker", str(self.linker), "--out-dir", str(self.directory / "out"), *options])

    def linked(self, *options: str) -> dict[str, Any]:
        assert self.run(*options) == 0
        return json.loads((self.directory / "out/AddExample_x.json").read_text())

    @property
    def commands(self) -> list[str]:
        lines = (self.directory / "commands.txt").read_text().splitlines()
        return [" ".join(Path(word).name if word.endswith(".o") else word for word in line.split()) for line in lines]


@pytest.fixture
def vector(tmp_path):
    return Action(tmp_path, "AIV_ONLY", ("vec",))


@pytest.fixture
def mixed(tmp_path):
    return Action(tmp_path, "MIX_AIC_1_2", ("vec", "cube"))


def test_commands_of_one_core(vector):
    """Section 4.9: a relocatable link with -x, then a static one."""
    vector.linked()
    objects = "add_example-float16-sch_mode0-vec.pic.o add_example-float16-sch_mode1-vec.pic.o"
    assert vector.commands == [
        f"-m aicorelinux -r -Ttext=0 -q -x {objects} -static -o AddExample_x.o",
        "-m aicorelinux -Ttext=0 AddExample_x.o -static -o AddExample_x.o -q",
    ]


def test_objects_are_in_the_order_of_keys_and_cores(mixed):
    """Section 4.9: key by key, the cube core's object first."""
    mixed.linked()
    order = [(key, core) for key in (0, 1) for core in ("cube", "vec")]
    objects = " ".join(f"add_example-float16-sch_mode{key}-{core}.pic.o" for key, core in order)
    assert mixed.commands[0] == f"-m aicorelinux -r -Ttext=0 -q -x {objects} -static -o AddExample_x.o"


def test_debug_keeps_local_symbols(vector):
    """Section 4.9: `-x` when not debug."""
    vector.linked("--feature=debug")
    assert " -x " not in vector.commands[0]


def test_json_of_a_vector_kernel(vector, tmp_path):
    """Section 4.10, every member of a kernel on one core."""
    described = vector.linked()
    ours = described.pop("pypto")
    assert described == {
        "magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC",
        "core_type": "AIV",
        "coreType": "VectorCore",
        "blockDim": -1,
        "opParaSize": 24,
        "intercoreSync": 0,
        "parameters": [],
        "kernelName": "AddExample_x",
        "binFileSuffix": ".o",
        "binFileName": "AddExample_x",
        "sha256": hashlib.sha256((tmp_path / "out/AddExample_x.o").read_bytes()).hexdigest(),
        "kernelList": [{"kernelName": "AddExample_x_0"}, {"kernelName": "AddExample_x_1"}],
        "supportSuperKernel": 1,
        "compileInfo": {},
    }
    assert ours == {
        "backend": "cann",
        "soc": "ascend950",
        "dtypes": {"data_dtype": "float16"},
        "kernelList": [
            {"kernelName": f"AddExample_x_{key}", "tilingKey": key, "combo": {"sch_mode": key}} for key in (0, 1)
        ],
    }


def test_json_of_a_mixed_kernel(mixed):
    """Section 4.10: what differs when both cores run."""
    described = mixed.linked()
    assert described["magic"] == "RT_DEV_BINARY_MAGIC_ELF"
    assert described["coreType"] == "MIX"
    assert "core_type" not in described
    assert described["intercoreSync"] == 1
    assert described["taskRation"] == "tilingKey"
    assert described["kernelList"] == [
        {"tilingKey": key, "kernelType": "MIX_AIC", "taskRation": "1:2", "crossCoreSync": 1,
         "kernelName": f"AddExample_x_{key}"}
        for key in (0, 1)
    ]  # fmt: skip


def test_json_of_a_cube_kernel(tmp_path):
    described = Action(tmp_path, "AIC_ONLY", ("cube",)).linked()
    assert (described["magic"], described["core_type"], described["coreType"]) == (
        "RT_DEV_BINARY_MAGIC_ELF_AICUBE",
        "AIC",
        "AiCore",
    )


def test_op_para_size_under_oom(vector):
    """Section 4.10: the TilingData aligned to 8, 8, and 8 for x, y, z and workspace."""
    assert vector.linked("--feature=oom")["opParaSize"] == 16 + 8 + 8 * 4


def test_support_info_comes_from_the_op_def(vector, tmp_path):
    (tmp_path / "op.json").write_text(json.dumps(OP_DEF))
    support = vector.linked("--op-def", str(tmp_path / "op.json"))["supportInfo"]
    assert support["simplifiedKey"][0] == "AddExample/d=0,p=1/1,2/1,2/1,2"
    assert [tensor["dtype"] for tensor in support["inputs"]] == ["float16", "float16"]


def test_an_empty_object_is_a_failure_that_names_its_variant(vector, tmp_path, capsys):
    (tmp_path / "vec/add_example-float16-sch_mode1-vec.pic.o").write_bytes(b"")
    assert vector.run() == 1
    said = capsys.readouterr().err
    assert "left no object for add_example-float16-sch_mode1-vec.cpp (sch_mode=1, core vec)" in said
    assert not list((tmp_path / "out").glob("*"))


def test_a_missing_object_is_a_failure(vector, tmp_path, capsys):
    (tmp_path / "vec/add_example-float16-sch_mode0-vec.pic.o").unlink()
    assert vector.run() == 1
    assert "sch_mode0-vec.cpp (sch_mode=0, core vec), which has no object" in capsys.readouterr().err


def test_what_the_linker_says_is_shown(vector, capsys):
    vector.linker.write_text("#!/bin/sh\necho undefined symbol: foo >&2\nexit 3\n")
    assert vector.run() == 1
    said = capsys.readouterr().err
    assert "linking AddExample_x failed" in said
    assert "exit 3" in said
    assert "undefined symbol: foo" in said
