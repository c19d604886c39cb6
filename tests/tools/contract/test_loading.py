"""Loading: whatever is in the file or on the machine, the tool ends with a kernel or with coded problems."""

from __future__ import annotations

import sys

import pytest

from tests.tools.contract.support import BODY, HEAD, check_file, check_text, codes, kernel_text, line_of, run_tool

PLAIN = kernel_text()


def loads(result) -> bool:
    return result.texts == () and result.kernel is not None


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.replace("    ", "\t").encode(),
        ("# 算子说明：加法 ✓\n" + PLAIN).encode(),
        ("# -*- coding: utf-8 -*-\n" + PLAIN).encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace("class OpKey", "\x0c\nclass OpKey").encode(),
    ],
    ids=["bom", "crlf", "bom crlf", "cr", "tabs", "chinese", "coding line", "no last newline", "form feed"],
)
def test_bytes_that_python_accepts(raw, tmp_path):
    (tmp_path / "op.py").write_bytes(raw)
    assert loads(check_file(tmp_path / "op.py"))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(ending, tmp_path):
    text = PLAIN.replace("values=[0, 1]", "values=[]")
    (tmp_path / "op.py").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", ending).encode())
    assert check_file(tmp_path / "op.py").problems[0].line == line_of(text, "values=[]")


def test_columns_count_characters_not_bytes(tmp_path):
    text = PLAIN.replace("def op(x:", "def op(\n    # 输入\n    x:").replace("y: pl.Ptr[pl.DT_FP16]", "输入: int")
    result = check_text(tmp_path, text.replace("    x: pl.Ptr[pl.DT_FP16], ", '    算: "pl.Ptr[pl.DT_FP16]", '))
    assert codes(result) == ["E409", "E403", "E409"]
    assert result.problems[1].col == len('    算: "pl.Ptr[pl.DT_FP16]", ') + 1


def test_caret_is_under_the_column_and_keeps_tabs(tmp_path):
    text = PLAIN.replace(
        "    mode = TilingKeyField(bits=1, values=[0, 1])", "\tmode = TilingKeyField(bits=0, values=[0])"
    )
    lines = check_text(tmp_path, text).texts[0].split("\n")
    assert lines[1:] == ["    \tmode = TilingKeyField(bits=0, values=[0])", "    \t^"]


def test_not_utf8_names_byte_and_line(tmp_path):
    (tmp_path / "op.py").write_bytes(b"# ok\n# " + "算子".encode("gbk") + b"\n" + PLAIN.encode())
    result = check_file(tmp_path / "op.py")
    assert codes(result) == ["E002"]
    assert result.problems[0].line == 2 and "0xcb" in result.problems[0].message


@pytest.mark.parametrize(
    ("text", "line"),
    [("def op(:\n", 1), (PLAIN + "\nfoo = = 3\n", PLAIN.count("\n") + 2), (PLAIN + "\x00", 1), ("if True:\nx\n", 2)],
)
def test_syntax_errors(text, line, tmp_path):
    result = check_text(tmp_path, text)
    assert codes(result) == ["E003"]
    assert result.problems[0].line == line or "\x00" in text


def test_deeply_nested_source_is_a_problem_not_a_crash(tmp_path):
    assert codes(check_text(tmp_path, "x = " + "(" * 5000 + ")" * 5000 + "\n")) == ["E003"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_file_without_kernel(text, tmp_path):
    assert codes(check_text(tmp_path, text)) == ["E101"]


def test_missing_file_and_directory(tmp_path):
    assert codes(check_file(tmp_path / "op.py")) == ["E001"]
    assert codes(check_file(tmp_path)) == ["E001"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("raise ValueError('no such table')", ["ValueError: no such table"]),
        ("1 / 0", ["ZeroDivisionError"]),
        ("unknown_name", ["NameError", "unknown_name"]),
        ("pl.load(1, 2, [0])", ["pl.load()", "kernel body"]),
        ("pl.laod", ["AttributeError", "did you mean load"]),
        ("pl.MemorySpace.Vecc", ["did you mean Vec"]),
        ("raise ValueError('two\\nlines')", ["two lines"]),
        ("TilingKeyField(bits=1)", ["TypeError", "values"]),
        ("input()", ["EOFError"]),
        ("def f(): return f()\nf()", ["RecursionError"]),
    ],
)
def test_exceptions_show_the_users_line(line, words, tmp_path):
    text = kernel_text(head=HEAD + line + "\n")
    result = check_text(tmp_path, text)
    assert codes(result) == ["E004"]
    assert result.problems[0].line in (5, 6)
    assert all(word in result.problems[0].message for word in words), result.problems[0].message
    assert "Traceback" not in result.texts[0]


def test_exception_with_a_broken_text(tmp_path):
    head = HEAD + "class Bad(Exception):\n    def __str__(self): raise KeyError(1)\nraise Bad()\n"
    result = check_text(tmp_path, kernel_text(head=head))
    assert codes(result) == ["E004"] and "Bad" in result.problems[0].message


@pytest.mark.parametrize("line", ["import sys; sys.exit()", "raise SystemExit(3)", "quit()"])
def test_leaving_the_process_is_a_problem(line, tmp_path):
    result = check_text(tmp_path, kernel_text(head=HEAD + line + "\n"))
    assert codes(result)[0] in ("E007", "E004") and result.problems[0].line == 5


@pytest.mark.parametrize(
    "line",
    [
        "import torch",
        "import torch_npu",
        "from torch import nn",
        "import torch.nn.functional as F",
        "from torch.nn import Module, functional",
        "import numpy as np",
        "from torch import *",
        "import torch\nTABLE = {torch.float16: pl.DT_FP16}",
        "import torch\ndef host(x: torch.Tensor | None = None) -> torch.Tensor:\n    return torch.add(x, x)",
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)",
        "from typing import Optional\nimport torch\ndef host(x: Optional[torch.Tensor]): ...",
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
    ],
)
def test_packages_of_host_code_are_importable(line, tmp_path):
    assert loads(check_text(tmp_path, kernel_text(head=HEAD + line + "\n")))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import torch\nA = torch.zeros(3)", "torch.zeros"),
        ("import torch\nA = torch.pi * 2", "torch.pi"),
        ("import torch\nA = [1 for _ in torch.x]", "torch.x"),
        ("import torch\nif torch.npu.flag: pass", "torch.npu.flag"),
        ("import torch_npu\ntorch_npu.npu.set_device(0)", "torch_npu.npu.set_device"),
        ("import numpy as np\nA = 2 / np.pi", "numpy.pi"),
        ("from torch import nn\nL = nn.Linear(1, 2)", "torch.nn.Linear"),
    ],
)
def test_computing_with_them_while_loading_says_why(line, name, tmp_path):
    result = check_text(tmp_path, kernel_text(head=HEAD + line + "\n"))
    assert codes(result) == ["E006"]
    assert result.problems[0].message.startswith(f"{name} is used while the kernel file loads")
    assert result.problems[0].line == 6


@pytest.mark.parametrize(
    "head",
    [
        "from dataclasses import dataclass\nimport pypto_pro.language\nimport pypto_pro.language as pl\n"
        "from pypto_pro.runtime import tilingkey as tkm\nTilingKeyField = tkm.TilingKeyField\n",
        "from __future__ import annotations\n" + HEAD,
        HEAD
        + "TILE = pl.TileType(shape=[1, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)\n"
        + "PAD = pl.TilePad.zero\n",
        HEAD + "from pypto_pro.language import jit, Ptr, section_vector\n",
        HEAD + "@pl.inline\ndef part(t):\n    return pl.get_block_idx()\n\ndef bare(t):\n    return t\n",
        HEAD
        + "@pl.vector_function\ndef part(t):\n    pass\n\n@pl.simt.function(max_threads=32)\ndef lane(d):\n    pass\n",
        HEAD + "print('loading')\nimport os\nos.environ.get('HOME')\n",
        HEAD + "if __name__ == '__main__':\n    raise SystemExit(3)\n",
    ],
)
def test_spellings_of_a_kernel_file(head, tmp_path):
    assert loads(check_text(tmp_path, kernel_text(head=head)))


def test_printing_does_not_get_into_the_result(tmp_path):
    (tmp_path / "op.py").write_text(kernel_text(head=HEAD + "print('noise')\n"))
    run = run_tool("check", "op.py", "--json", cwd=tmp_path)
    assert run.stdout.startswith("{") and "noise" in run.stderr


def test_quoted_annotations(tmp_path):
    params = 'x: "pl.Ptr[pl.DT_FP16]", y: "pl.Ptr[pl.DT_FP16]", workspace: "pl.Ptr[pl.DT_UINT8]", tiling: "OpTiling"'
    assert loads(check_text(tmp_path, kernel_text(params=params)))
    assert loads(check_text(tmp_path, "from __future__ import annotations\n" + kernel_text(params=params)))


def test_helper_beside_the_kernel(tmp_path):
    (tmp_path / "helper.py").write_text("VALUES = [2, 0]\ndef part(t):\n    return t.total\n")
    text = kernel_text(head=HEAD + "import helper\n", body=BODY + "    helper.part(tiling)\n").replace(
        "[0, 1]", "helper.VALUES"
    )
    result = check_text(tmp_path, text)
    assert [key.combo for key in result.kernel.tiling_key.valid] == [(2,), (0,)]
    assert not (tmp_path / "__pycache__").exists()


def test_declared_helper_elsewhere_and_package_below(tmp_path):
    (tmp_path / "common" / "deep").mkdir(parents=True)
    (tmp_path / "ops").mkdir()
    (tmp_path / "common" / "shared.py").write_text("VALUES = [7]\n")
    (tmp_path / "common" / "deep" / "more.py").write_text("VALUES = [9]\n")
    text = kernel_text(head=HEAD + "from shared import VALUES\n").replace("[0, 1]", "VALUES")
    helper = tmp_path / "common" / "shared.py"
    assert codes(check_text(tmp_path / "ops", text)) == ["E005"]
    assert loads(check_file(tmp_path / "ops" / "op.py", helpers=((helper, "common/shared.py"),)))
    text = kernel_text(head=HEAD + "from common.deep.more import VALUES\n").replace("[0, 1]", "VALUES")
    assert loads(check_text(tmp_path / "ops", text, import_roots=(tmp_path,)))


def test_problems_in_a_helper_are_shown_there(tmp_path):
    (tmp_path / "helper.py").write_text(f"{HEAD}\n\n@dataclass\nclass OpTiling:\n    total: int\n    name: str\n")
    result = check_text(
        tmp_path, kernel_text(head=HEAD + "from helper import OpTiling\n", tiling=""), shown="dir/op.py"
    )
    assert [(p.code[-4:], p.path, p.line) for p in result.problems] == [("E307", "dir/helper.py", 10)]
    assert "name: str" in result.texts[0]


@pytest.mark.parametrize(
    ("helper", "code", "line"),
    [
        ("x = (\n", "E003", 1),
        ("\nraise OSError('gone')\n", "E004", 2),
        ("\nimport not_there\n", "E005", 2),
        ("class T:\n    total: int\n    s: float[2]\n", "E311", 3),
    ],
)
def test_faults_of_a_helper(helper, code, line, tmp_path):
    (tmp_path / "helper.py").write_text(helper)
    result = check_text(tmp_path, kernel_text(head=HEAD + "import helper\n"))
    if code == "E311" and sys.version_info >= (3, 14):
        return  # annotations are not evaluated there
    assert codes(result) == [code]
    assert (result.problems[0].path, result.problems[0].line) == ("helper.py", line)


def test_missing_import_says_what_to_do(tmp_path):
    result = check_text(tmp_path, kernel_text(head=HEAD + "from my_consts import BLOCK\n"))
    assert codes(result) == ["E005"]
    assert "'my_consts'" in result.problems[0].message and "my_consts.py" in result.problems[0].fix


def test_helper_that_imports_the_kernel_file_back(tmp_path):
    (tmp_path / "helper.py").write_text("import op\n\ndef late():\n    return op.OpKey\n")
    assert loads(check_text(tmp_path, kernel_text(head=HEAD + "import helper\n")))


@pytest.mark.parametrize("stem", ["select", "copy", "random", "queue"])
def test_kernel_named_like_a_standard_module(stem, tmp_path):
    text = kernel_text(head=HEAD + "import subprocess, tempfile\n").replace("def op(", f"def {stem}(")
    assert loads(check_text(tmp_path, text, name=f"{stem}.py"))


def test_helper_named_like_a_standard_module_is_refused(tmp_path):
    (tmp_path / "queue.py").write_text("X = 1\n")
    result = check_text(tmp_path, PLAIN, helpers=((tmp_path / "queue.py", "ops/queue.py"),))
    assert [(p.code[-4:], p.path) for p in result.problems] == [("E008", "ops/queue.py")]


def test_installed_packages_are_invisible(tmp_path):
    result = check_text(tmp_path, kernel_text(head=HEAD + "import pytest\n"))
    assert codes(result) == ["E005"] and "'pytest'" in result.problems[0].message


def test_poisoned_python_path(tmp_path):
    poison = tmp_path / "poison"
    (poison / "pypto_pro").mkdir(parents=True)
    (poison / "pypto_pro" / "__init__.py").write_text("raise RuntimeError('poison')\n")
    (poison / "leaky_common.py").write_text("VALUES = [5]\n")
    (tmp_path / "op.py").write_text(PLAIN)
    env = {"PYTHONPATH": str(poison), "HOME": str(poison), "TZ": "Asia/Shanghai"}
    assert run_tool("check", "op.py", cwd=tmp_path, env=env).returncode == 0
    (tmp_path / "op.py").write_text(kernel_text(head=HEAD + "import leaky_common\n"))
    run = run_tool("check", "op.py", cwd=tmp_path, env=env)
    assert run.returncode == 1 and "E005" in run.stderr


def test_the_interpreter_is_left_as_it_was(tmp_path):
    (tmp_path / "helper.py").write_text("X = 1\n")
    path, modules = sys.path[:], set(sys.modules)
    head = HEAD + "import sys, helper, torch\nsys.path.insert(0, 'nowhere')\n"
    assert loads(check_text(tmp_path, kernel_text(head=head)))
    assert sys.path == path
    assert not {"helper", "torch", "op", "_pypto_kernel"} & (set(sys.modules) - modules)
