"""The CANN code generator with a stand-in pypto_pro: what it writes, what an edit changes, and its errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cann.toolkit import assemble

KERNEL = Path("tests/e2e/op_kernel/leaky_scale.py").read_text(encoding="utf-8")
MIXED = """
    with pl.section_cube():
        pl.matmul(x, x)
    with pl.section_vector():
        pl.add(y, x, x)
"""
OP = {
    "op_type": "LeakyScale",
    "inputs": [{"name": "x", "dtypes": ["float16", "float", "float"], "formats": ["ND", "ND", "NCHW"]}],
    "outputs": [{"name": "y", "dtypes": ["float16", "float", "float"], "formats": ["ND", "ND", "NCHW"]}],
}


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory) -> Path:
    return assemble.make(tmp_path_factory.mktemp("cann") / "toolkit", arches=("a3", "a5"))


class Action:
    """The action in a directory of its own, as Bazel runs it: from there, with relative paths."""

    def __init__(self, directory: Path, toolkit: Path, kernel: str = KERNEL) -> None:
        self.directory, self.toolkit = directory, toolkit
        (directory / "ops").mkdir(parents=True)
        self.write("op.json", json.dumps(OP))
        self.edit(kernel)
        self.contract()

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text, encoding="utf-8")

    def edit(self, kernel: str) -> None:
        self.write("ops/leaky_scale.py", kernel)

    def contract(self) -> None:
        """kernel.json, which in a build the action before makes."""
        command = [sys.executable, "-c", CONTRACT, str(self.directory / "ops/leaky_scale.py")]
        path = os.pathsep.join([str(Path("toolchains/twin/frontend").absolute()), *sys.path])
        done = subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.write("kernel.json", done.stdout)

    def run(self, *more: str, soc: str = "ascend910b", environment: dict[str, str] | None = None) -> tuple[int, str]:
        options = ["--kernel", "ops/leaky_scale.py", "--manifest", "kernel.json", "--op-type", "LeakyScale"]
        options += ["--op-def", "op.json", "--soc", soc, "--out-dir-cube", "cube", "--out-dir-vec", "vec"]
        options += ["--variants", "variants.json", "--source-map", "map.json", "--import-root", "ops", *more]
        command = [sys.executable, "-c", "import sys; from toolchains.cann.codegen.cli import main; sys.exit(main())"]
        path = os.pathsep.join([str(self.toolkit / "python/site-packages"), *(os.path.abspath(p) for p in sys.path)])
        done = subprocess.run(
            [*command, *options],
            cwd=self.directory,
            env={"PATH": "/usr/bin:/bin", **(environment or {}), "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stderr

    def texts(self, core: str = "vec") -> dict[str, str]:
        return {path.name: path.read_text(encoding="utf-8") for path in sorted((self.directory / core).iterdir())}

    def table(self) -> dict:
        return json.loads((self.directory / "variants.json").read_text(encoding="utf-8"))


CONTRACT = """
import sys
from pathlib import Path
from pypto_rules.tools.contract import check, load, manifest
path = Path(sys.argv[1])
result = check.check(load.Request(path, path.name), 4096)
assert not result.problems, result.problems
print(manifest.dumps(manifest.to_json(result.kernel)))
"""


@pytest.fixture
def action(tmp_path, toolkit) -> Action:
    return Action(tmp_path / "one", toolkit)


def test_a_binary_for_each_column_of_the_op_def(action):
    assert action.run() == (0, "")
    table = action.table()
    assert (table["op_type"], table["backend"], table["kernel_type"]) == ("LeakyScale", "cann", "AIV_ONLY")
    assert [column["op_column"] for column in table["columns"]] == [0, 1, 2]
    assert [column["dtypes"]["io_t"] for column in table["columns"]] == ["float16", "float", "float"]
    assert len({column["binary"] for column in table["columns"]}) == 3
    keys = len({variant["tiling_key"] for variant in table["variants"]})
    assert len(table["variants"]) == 3 * keys == len(action.texts()) and action.texts("cube") == {}
    assert {variant["source"] for variant in table["variants"]} == set(action.texts())
    for variant in table["variants"]:
        text = action.texts()[variant["source"]]
        assert f"#define auto_gen_leaky_scale_kernel {variant['entry']}\n" in text
        assert text.startswith("// variant ") and text.split("\n")[0].endswith(
            " of leaky_scale on ascend910b, core vec"
        )


def test_a_comment_changes_nothing_and_a_branch_only_its_variants(action):
    action.run()
    before = action.texts()
    action.edit("# A comment.\n\n" + KERNEL)
    action.run()
    assert action.texts() == before
    branch = next(line for line in KERNEL.split("\n") if "tail == 1" in line or "if tail" in line)
    indent = " " * (len(branch) - len(branch.lstrip()) + 4)
    action.edit(KERNEL.replace(branch, f"{branch}\n{indent}pl.barrier()", 1))
    action.run()
    changed = {name for name, text in action.texts().items() if text != before[name]}
    assert changed and changed < set(before)


def test_the_same_bytes_in_another_place_with_another_environment(action, tmp_path, toolkit):
    other = Action(tmp_path / "some" / "other place", toolkit)
    poison = {"PYPTOPRO_JIT_ARCH": "a5", "PYPTO_JIT_ARCH": "a5", "ASCEND_HOME_PATH": "/nowhere", "TZ": "Asia/Tokyo"}
    assert action.run() == other.run(environment=poison) == (0, "")
    for core in ("cube", "vec"):
        assert action.texts(core) == other.texts(core)
    assert action.table() == other.table()
    assert sorted(path.name for path in other.directory.iterdir()) == sorted(
        ["cube", "kernel.json", "map.json", "op.json", "ops", "variants.json", "vec"]
    )
    assert str(other.directory) not in "".join(other.texts().values())


def test_a_mixed_kernel_has_a_variant_for_each_core(tmp_path, toolkit):
    head, _, _ = KERNEL.partition("    with pl.section_vector():")
    action = Action(tmp_path / "mixed", toolkit, head.rstrip() + MIXED)
    assert action.run() == (0, "")
    table = action.table()
    assert table["kernel_type"] == "MIX_AIC_1_2"
    assert len(action.texts("cube")) == len(action.texts("vec")) == len(table["variants"]) / 2
    assert {variant["entry"].rpartition("_mix_")[2] for variant in table["variants"]} == {"aic", "aiv"}


def test_a_selection_narrows(action):
    assert action.run("--dtypes", "float16", "--tiling-keys", "0") == (0, "")
    table = action.table()
    assert [variant["tiling_key"] for variant in table["variants"]] == [0]
    assert table["narrowed"]["of"] > 1


def test_a_soc_that_this_pypto_pro_refuses(tmp_path):
    newest = assemble.make(tmp_path / "toolkit", arches=("3510",))
    action = Action(tmp_path / "one", newest)
    status, error = action.run()
    assert status == 1 and "this pypto_pro generates no code for ascend910b: " in error and "3510" in error
    assert not (action.directory / "variants.json").exists() and not (action.directory / "vec").exists()
    assert action.run(soc="ascend950") == (0, "")


ERRORS = {
    "raises": (
        "import pypto_pro.language as pl",
        "import pypto_pro.language as pl\nraise RuntimeError('not today')",
        "not today",
    ),
    "torch": (
        "import pypto_pro.language as pl",
        "import pypto_pro.language as pl\nimport torch\ntorch.float16",
        "torch.float16 was used",
    ),
    "syntax": ("import pypto_pro.language as pl", "import pypto_pro.language as pl\n)", "SyntaxError"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_line(action, name):
    old, new, said = ERRORS[name]
    edited = KERNEL.replace(old, new, 1)
    action.edit(edited)
    line = edited[: edited.index(new.split("\n")[-1])].count("\n") + 1
    status, error = action.run()
    assert status == 1
    assert error.startswith(f"codegen: error: ops/leaky_scale.py:{line}: pypto_pro: ") and said in error


def test_a_kernel_file_that_is_not_that_of_the_manifest(action):
    values = next(line for line in KERNEL.split("\n") if "TilingKeyField(" in line)
    action.edit(KERNEL.replace(values, values.replace("bits=1", "bits=2"), 1))
    status, error = action.run()
    assert status == 1 and "pypto_pro sees the TilingKey fields" in error and "kernel.json has" in error


def test_without_an_op_def(action):
    action.write("columns.json", '[{"io_t": "float16"}]')
    options = ["--columns", "columns.json"]
    (action.directory / "op.json").write_text(
        json.dumps({"op_type": "LeakyScale", "inputs": [{"name": "x"}], "outputs": [{"name": "y"}]})
    )
    assert action.run(*options) == (0, "")
    assert action.table()["columns"][0]["op_column"] is None
    action.write("columns.json", '[{"io_t": "double"}]')
    status, error = action.run(*options)
    assert status == 1 and "dtype 'double' is not supported; allowed bool, " in error
