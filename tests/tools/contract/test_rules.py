"""Each delivery rule: a file that breaks it is refused with its code, at the line to edit."""

from __future__ import annotations

import pytest

from pypto_rules.tools.contract.codes import RULES
from tests.tools.contract.support import (
    BODY,
    HEAD,
    JIT,
    KEY,
    PARAMS,
    TILING,
    check_text,
    codes,
    kernel_text,
    line_of,
)

FUTURE = "from __future__ import annotations\n" + HEAD


def key(*fields: str) -> str:
    return "\nclass OpKey:\n" + "".join(f"    {field}\n" for field in fields)


def data(*fields: str) -> str:
    return "\n@dataclass\nclass OpTiling:\n" + "".join(f"    {field}\n" for field in fields)


ONE = "mode = TilingKeyField(bits=1, values=[0, 1])"
BASE = "\nclass Base:\n    old = TilingKeyField(bits=1, values=[0])\n"
DATA_BASE = "\n@dataclass\nclass Base:\n    old: int\n"
EMPTY = "    pass\n"

# name: (kernel file, code, part of the line that the error points at, words of the message)
BROKEN = {
    "endless range": (
        kernel_text(key=key("mode = TilingKeyField(bits=64, values=range(10**18))")),
        "E220",
        "values=",
        ["65536"],
    ),
    "second name of the kernel": (kernel_text() + "again = op\n", "E102", "def op", ["op", "again"]),
    "arch unknown": (kernel_text(jit='\n@pl.jit(tiling_key=OpKey, arch="a9")\n'), "E105", "arch=", ["'a9'", "a3"]),
    "auto_mutex not bool": (
        kernel_text(jit="\n@pl.jit(tiling_key=OpKey, auto_mutex=1)\n"),
        "E105",
        "auto_mutex",
        ["1"],
    ),
    "timeout not a number": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, compile_timeout="9")\n'),
        "E105",
        "compile_timeout",
        ["'9'"],
    ),
    "another name in jit": (kernel_text(jit='\n@pl.jit(tiling_key=OpKey, name="other")\n'), "E106", "name=", ["other"]),
    "bare jit has no key": (kernel_text(jit="\n@pl.jit\n"), "E201", "@pl.jit", ["TilingKey"]),
    "key is a dict": (kernel_text(jit="\n@pl.jit(tiling_key={})\n"), "E202", "tiling_key", ["{}"]),
    "key without fields": (kernel_text(key="\nclass OpKey:\n    pass\n"), "E203", "class OpKey", ["OpKey"]),
    "inherited key field": (
        kernel_text(key=BASE + "\nclass OpKey(Base):\n    " + ONE + "\n"),
        "E204",
        "class OpKey(Base)",
        ["'Base'", "'old'"],
    ),
    "bits zero": (kernel_text(key=key("mode = TilingKeyField(bits=0, values=[0])")), "E205", "mode", ["bits=0"]),
    "bits float": (kernel_text(key=key("mode = TilingKeyField(bits=1.0, values=[0])")), "E205", "mode", ["1.0"]),
    "bits text": (kernel_text(key=key("mode = TilingKeyField(bits='1', values=[0])")), "E205", "mode", ["'1'"]),
    "values empty": (kernel_text(key=key("mode = TilingKeyField(bits=1, values=[])")), "E206", "mode", ["nothing"]),
    "values a number": (kernel_text(key=key("mode = TilingKeyField(bits=1, values=3)")), "E206", "mode", ["values=3"]),
    "values text": (kernel_text(key=key("mode = TilingKeyField(bits=1, values='01')")), "E206", "mode", ["'01'"]),
    "value bool": (kernel_text(key=key("mode = TilingKeyField(bits=1, values=[0, True])")), "E207", "mode", ["True"]),
    "value above 64 bits": (
        kernel_text(key=key("mode = TilingKeyField(bits=1, values=[0, 1 << 64])")),
        "E208",
        "mode",
        ["18446744073709551616"],
    ),
    "too many values": (
        kernel_text(key=key("mode = TilingKeyField(bits=1, values=[0, 1, 2])")),
        "E210",
        "mode",
        ["3 values", "1 bit holds 2"],
    ),
    "one field over 64 bits": (
        kernel_text(key=key("mode = TilingKeyField(bits=65, values=[0])")),
        "E211",
        "mode",
        ["65"],
    ),
    "is_valid a constant": (kernel_text(key=key(ONE, "is_valid = True")), "E212", "is_valid", ["True"]),
    "is_valid raises": (
        kernel_text(key=key(ONE, "def is_valid(self, key): return 1 // key[0] > 0")),
        "E213",
        "1 // key[0]",
        ["ZeroDivisionError", "mode=0"],
    ),
    "is_valid without key": (
        kernel_text(key=key(ONE, "def is_valid(self): return True")),
        "E212",
        "def is_valid",
        ["other parameters than (self, key)"],
    ),
    "is_valid with a parameter per field": (
        kernel_text(key=key(ONE, "def is_valid(self, mode, tile): return True")),
        "E212",
        "def is_valid",
        ["tuple of the values of a combination, in field order"],
    ),
    "static is_valid whose second parameter would be the key": (
        kernel_text(key=key(ONE, "@staticmethod\n    def is_valid(mode, tile): return True")),
        "E212",
        "def is_valid",
        ["other parameters than (self, key)"],
    ),
    "is_valid returns nothing": (
        kernel_text(key=key(ONE, "def is_valid(self, key): pass")),
        "E214",
        "def is_valid",
        ["all 2"],
    ),
    "key field is a parameter": (
        kernel_text(key=key("x = TilingKeyField(bits=1, values=[0, 1])")),
        "E217",
        "x = Tiling",
        ["parameter", "'x'"],
    ),
    "key field is an imported module": (
        kernel_text(head=HEAD + "import math\n", key=key("math = TilingKeyField(bits=1, values=[0])")),
        "E217",
        "math = ",
        ["module variable in line 5"],
    ),
    "key field declared twice": (kernel_text(key=key(ONE, ONE)), "E218", "mode", ["'mode'", "twice"]),
    "one object as two fields": (
        kernel_text(key=key("a = b = TilingKeyField(bits=1, values=[0])")),
        "E218",
        "a = b",
        ["'a'", "'b'"],
    ),
    "key field is a C++ keyword": (
        kernel_text(key=key("template = TilingKeyField(bits=1, values=[0])")),
        "E219",
        "template",
        ["C++ keyword"],
    ),
    "key field like a macro": (
        kernel_text(key=key("ASCENDC_TPL_1_BW = TilingKeyField(bits=1, values=[0])")),
        "E219",
        "ASCENDC",
        ["macros"],
    ),
    "key field reserved": (
        kernel_text(key=key("_Mode = TilingKeyField(bits=1, values=[0])")),
        "E219",
        "_Mode",
        ["reserved"],
    ),
    "two tiling parameters": (
        kernel_text(params=PARAMS.replace("y: pl.Ptr[pl.DT_FP16]", "y: OpTiling")),
        "E302",
        "def op",
        ["'y'", "'tiling'"],
    ),
    "tiling without fields": (kernel_text(tiling=data("pass"), body=EMPTY), "E305", "class OpTiling", ["no fields"]),
    "inherited tiling field": (
        kernel_text(tiling=DATA_BASE + "\n@dataclass\nclass OpTiling(Base):\n    total: int\n"),
        "E306",
        "class OpTiling(Base)",
        ["'Base'", "'old'"],
    ),
    "field of an unsupported type": (
        kernel_text(tiling=data("total: int", "s: str")),
        "E307",
        "s: str",
        ["str", "int[4]"],
    ),
    "field of a nested dataclass": (
        kernel_text(tiling=DATA_BASE + data("total: int", "b: Base")),
        "E307",
        "b: Base",
        ["Base"],
    ),
    "field optional": (kernel_text(tiling=data("total: int", "s: 'int | None'")), "E307", "s: ", ["int | None"]),
    "field array of str": (
        kernel_text(head=FUTURE, tiling=data("total: int", "s: str[4]")),
        "E307",
        "s: str",
        ["str[4]"],
    ),
    "field class variable": (
        kernel_text(head=HEAD + "from typing import ClassVar\n", tiling=data("total: int", "s: ClassVar[int] = 1")),
        "E307",
        "s: ClassVar",
        ["ClassVar"],
    ),
    "field quoted twice": (
        kernel_text(head=FUTURE, tiling=data("total: int", "s: 'int[4]'")),
        "E307",
        "s: ",
        ["twice"],
    ),
    "array of length 0": (kernel_text(tiling=data("total: int", "s: 'int[0]'")), "E308", "s: ", ["int[0]", "2048"]),
    "array of negative length": (kernel_text(tiling=data("total: int", "s: 'int[-1]'")), "E308", "s: ", ["int[-1]"]),
    "array of bool length": (kernel_text(tiling=data("total: int", "s: 'int[True]'")), "E308", "s: ", ["int[True]"]),
    "array of two dimensions": (kernel_text(tiling=data("total: int", "s: 'int[2, 2]'")), "E308", "s: ", ["int[2, 2]"]),
    "tiling field declared twice": (
        kernel_text(tiling=data("total: int", "s: int", "s: float")),
        "E309",
        "s: float",
        ["twice"],
    ),
    "tiling field is a C++ keyword": (
        kernel_text(tiling=data("total: int", "new: int")),
        "E310",
        "new",
        ["C++ keyword"],
    ),
    "tiling field is a type": (
        kernel_text(tiling=data("total: int", "int64_t: int")),
        "E310",
        "int64_t",
        ["type or macro"],
    ),
    "tiling field with two underscores": (
        kernel_text(tiling=data("total: int", "a__b: int")),
        "E310",
        "a__b",
        ["reserved"],
    ),
    "private tiling field": (kernel_text(tiling=data("total: int", "__b: int")), "E310", "__b", ["reserved"]),
    "tiling class is a C++ keyword": (
        kernel_text(tiling=data("total: int").replace("OpTiling", "union"), params=PARAMS.replace("OpTiling", "union")),
        "E310",
        "class union",
        ["C++ keyword"],
    ),
    "async kernel": (
        kernel_text().replace("def op(", "async def op("),
        "E107",
        "async def op",
        ["async", "plain function"],
    ),
    "jit above another decorator of the front end": (
        kernel_text(jit=JIT + "@pl.inline\n"),
        "E107",
        "def op",
        ["<inline op>"],
    ),
    "datatype names a parameter twice": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={"x": "t", "x": "u"})\n'),
        "E508",
        "datatype",
        ["'x'", "more than once"],
    ),
    "misspelt tiling field": (
        kernel_text(body=BODY.replace("tiling.total", "tiling.totl")),
        "E312",
        "tiling.totl",
        ["'totl'", "total"],
    ),
    "misspelt tiling field through another name": (
        kernel_text(body="    t = tiling\n    n = t.totl\n"),
        "E312",
        "t.totl",
        ["'totl'"],
    ),
    "parameter without annotation": (kernel_text(params="y, " + PARAMS.replace("y:", "z:")), "E401", "def op", ["'y'"]),
    "parameter of an unknown name": (
        kernel_text(head=FUTURE, params=PARAMS.replace("pl.DT_FP16", "Missing", 1)),
        "E402",
        "def op",
        ["Missing"],
    ),
    "pointer without type": (
        kernel_text(params=PARAMS.replace("pl.Ptr[pl.DT_FP16]", "pl.Ptr", 1)),
        "E402",
        "def op",
        ["Ptr"],
    ),
    "pointer to a Python type": (
        kernel_text(params=PARAMS.replace("pl.Ptr[pl.DT_FP16]", "pl.Ptr[int]", 1)),
        "E402",
        "def op",
        ["int"],
    ),
    "tile parameter": (kernel_text(params="t: pl.Tile, " + PARAMS), "E402", "def op", ["Tile"]),
    "Python scalar parameter": (kernel_text(params="n: int, " + PARAMS), "E403", "def op", ["'n'"]),
    "static policy dimension": (
        kernel_text(params="t: pl.Tensor[[pl.STATIC], pl.DT_FP16], " + PARAMS),
        "E404",
        "def op",
        ["STATIC"],
    ),
    "named dimension": (kernel_text(params='t: pl.Tensor[["N"], pl.DT_FP16], ' + PARAMS), "E404", "def op", ["N"]),
    "dynamic rank": (kernel_text(params="t: pl.Tensor[..., pl.DT_FP16], " + PARAMS), "E404", "def op", ["Ellipsis"]),
    "negative dimension": (kernel_text(params="t: pl.Tensor[[-1], pl.DT_FP16], " + PARAMS), "E404", "def op", ["-1"]),
    "workspace first": (
        kernel_text(
            params="workspace: pl.Ptr[pl.DT_UINT8], x: pl.Ptr[pl.DT_UINT8], y: pl.Ptr[pl.DT_UINT8], tiling: OpTiling"
        ),
        "E406",
        "def op",
        ["'workspace'", "'y'"],
    ),
    "workspace of halves": (
        kernel_text(params=PARAMS.replace("workspace: pl.Ptr[pl.DT_UINT8]", "workspace: pl.Ptr[pl.DT_FP16]")),
        "E407",
        "def op",
        ["pl.DT_UINT8"],
    ),
    "workspace a tensor": (
        kernel_text(params=PARAMS.replace("workspace: pl.Ptr[pl.DT_UINT8]", "workspace: pl.Tensor[[8], pl.DT_UINT8]")),
        "E407",
        "def op",
        ["byte pointer"],
    ),
    "workspace of signed bytes": (
        kernel_text(params=PARAMS.replace("workspace: pl.Ptr[pl.DT_UINT8]", "workspace: pl.Ptr[pl.DT_INT8]")),
        "E407",
        "def op",
        ["byte pointer"],
    ),
    "byte pointer that is not the workspace": (
        kernel_text(params="x: pl.Ptr[pl.DT_UINT8], y: pl.Ptr[pl.DT_UINT8], tiling: OpTiling"),
        "E405",
        "def op",
        ["'y'"],
    ),
    "parameter with a default": (kernel_text(params=PARAMS + " = None"), "E408", "def op", ["default"]),
    "keyword-only tiling": (
        kernel_text(params=PARAMS.replace("tiling:", "*, tiling:")),
        "E408",
        "def op",
        ["keyword-only"],
    ),
    "parameter is a C++ keyword": (
        kernel_text(params="new: pl.Ptr[pl.DT_FP16], " + PARAMS),
        "E409",
        "def op",
        ["C++ keyword"],
    ),
    "datatype empty": (kernel_text(jit="\n@pl.jit(tiling_key=OpKey, datatype={})\n"), "E501", "datatype", ["{}"]),
    "datatype key not text": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={1: "t"})\n'),
        "E501",
        "datatype",
        ["1"],
    ),
    "datatype key misspelt": (
        kernel_text(params=PARAMS.replace("x:", "gamma:"), jit='\n@pl.jit(tiling_key=OpKey, datatype={"gama": "t"})\n'),
        "E502",
        "datatype",
        ["'gama'"],
    ),
    "datatype key upper case": (
        kernel_text(params=PARAMS.replace("x:", "X:"), jit='\n@pl.jit(tiling_key=OpKey, datatype={"X": "t"})\n'),
        "E503",
        "datatype",
        ["'X'", "lower case"],
    ),
    "datatype variable is a keyword": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={"x": "lambda"})\n'),
        "E504",
        "datatype",
        ["Python keyword"],
    ),
    "datatype variable not a name": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={"x": "a b"})\n'),
        "E504",
        "datatype",
        ["'a b'"],
    ),
    "datatype variable is a key field": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={"x": "mode"})\n'),
        "E506",
        "datatype",
        ["TilingKey field"],
    ),
    "datatype of the workspace": (
        kernel_text(jit='\n@pl.jit(tiling_key=OpKey, datatype={"workspace": "t"})\n'),
        "E507",
        "datatype",
        ["workspace"],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_rule(name, tmp_path):
    text, code, part, words = BROKEN[name]
    result = check_text(tmp_path, text)
    assert codes(result) == [code], result.texts
    problem = result.problems[0]
    assert part in text.split("\n")[problem.line - 1], problem
    assert all(word in problem.message for word in words), problem.message
    assert problem.fix and problem.path == "op.py"


def test_the_text_the_others_are_made_from_is_right(tmp_path):
    result = check_text(tmp_path, kernel_text())
    assert result.texts == () and result.kernel is not None
    assert (result.kernel.has_cube, result.kernel.has_vector) == (False, True)


def test_all_problems_are_reported_in_one_run(tmp_path):
    text = kernel_text(
        tiling=data("total: int", "s: str", "new: int"),
        key=key("mode = TilingKeyField(bits=0, values=[0])", "kind = TilingKeyField(bits=1, values=[])"),
        jit='\n@pl.jit(tiling_key=OpKey, foo=1, datatype={"q": "t"})\n',
        params="x: pl.DT_INT64, y: pl.Ptr[pl.DT_FP16], tiling: OpTiling",
    )
    result = check_text(tmp_path, text)
    assert codes(result) == ["E307", "E310", "E205", "E206", "E104", "E502", "E403", "E405"]
    lines = [problem.line for problem in result.problems]
    assert lines == sorted(lines)


def test_array_annotation_that_python_evaluates_does_not_hide_other_problems(tmp_path):
    text = kernel_text(tiling=data("total: int", "s: int[4]", "t: str"))
    assert codes(check_text(tmp_path, text)) == ["E311", "E307"]


def test_dataclass_defaults_are_legal(tmp_path):
    head = HEAD.replace("import dataclass", "import dataclass, field")
    text = kernel_text(head=head, tiling=data("total: int = 4", "s: 'int[2]' = field(default_factory=lambda: [0, 0])"))
    assert [field.size for field in check_text(tmp_path, text).kernel.tiling.fields] == [8, 16]


def test_static_tensor_parameter_is_described(tmp_path):
    text = kernel_text(params="t: pl.Tensor[[4, 8], pl.DT_BF16, pl.NZ], " + PARAMS)
    kernel = check_text(tmp_path, text).kernel
    assert (kernel.params[0].kind, kernel.params[0].dtype, kernel.params[0].shape) == ("tensor", "bfloat16", (4, 8))
    assert kernel.entry_params[0].ctype == "bfloat16_t"


def test_sections_in_helpers_count(tmp_path):
    helper = "\ndef cube_part(t):\n    with pl.section_cube():\n        n = t.total\n"
    text = kernel_text(key=KEY + helper, body=BODY + "    cube_part(tiling)\n")
    kernel = check_text(tmp_path, text).kernel
    assert (kernel.has_cube, kernel.has_vector) == (True, True)


def test_a_helper_that_nobody_calls_has_no_say(tmp_path):
    helper = "\ndef cube_part(t):\n    with pl.section_cube():\n        pass\n"
    kernel = check_text(tmp_path, kernel_text(key=KEY + helper)).kernel
    assert (kernel.has_cube, kernel.has_vector) == (False, True)


def test_no_section_is_neither_cube_nor_vector(tmp_path):
    kernel = check_text(tmp_path, kernel_text(body=EMPTY)).kernel
    assert (kernel.has_cube, kernel.has_vector) == (False, False)


def test_field_read_in_a_helper_is_checked(tmp_path):
    helper = "\n@pl.inline\ndef part(a, t):\n    return t.totl\n"
    text = kernel_text(key=KEY + helper, body="    n = part(1, t=tiling)\n")
    result = check_text(tmp_path, text)
    assert codes(result) == ["E312"]
    assert result.problems[0].line == line_of(text, "t.totl")


def test_same_attribute_of_something_else_is_not_a_field(tmp_path):
    body = "    ctx = pl.struct(a=1)\n    n = ctx.a\n    tiling2 = ctx\n    m = tiling2.b\n"
    assert check_text(tmp_path, kernel_text(body=body)).kernel is not None


def test_all_ones_key_is_refused_only_when_it_is_valid(tmp_path):
    fields = [f"f{i} = TilingKeyField(bits=1, values=[0, 1])" for i in range(64)]
    result = check_text(tmp_path, kernel_text(key=key(*fields, "def is_valid(self, key): return all(key)")))
    assert codes(result) == ["E216"] and "ffffffffffffffff" in result.problems[0].message
    narrow = kernel_text(key=key(*fields, "def is_valid(self, key): return not any(key)"))
    assert [k.packed for k in check_text(tmp_path, narrow).kernel.tiling_key.valid] == [0]


def test_tiling_of_two_thousand_fields(tmp_path):
    fields = [f"f{i}: {'float' if i % 2 else 'int'}" for i in range(2000)]
    tiling = check_text(tmp_path, kernel_text(tiling=data("total: int", *fields))).kernel.tiling
    assert (len(tiling.fields), tiling.fields[3].offset, tiling.sizeof) == (2001, 24, 8 + 1000 * 16)


def test_every_rule_has_a_test_or_is_of_loading():
    cases = {code for _, code, _, _ in BROKEN.values()}
    shared = {"E101", "E103", "E104", "E209", "E214", "E215", "E216", "E301", "E303", "E304", "E311", "E505"}
    loading = {f"E{i:03}" for i in range(1, 12)}
    op_def = {"E601", "E602", "E603", "E604"}
    assert {code.removeprefix("PYPTO-") for code in RULES} == cases | shared | loading | op_def


def test_parts_are_used():
    assert all(part in kernel_text() for part in (HEAD, TILING, KEY, JIT, PARAMS, BODY))
