"""Names of CANN binaries and their entries, after cann-flow, sections 4.2, 4.6 and 4.7."""

from __future__ import annotations

import hashlib

import pytest

from pypto_rules.tools.opdef import model
from toolchains.cann.binary.kernel_types import KernelType
from toolchains.cann.binary.naming import binary_names, entry_symbol

OP = model.from_json(
    {
        "op_type": "Scale",
        "inputs": [{"name": "x", "dtypes": ["float16", "float"], "formats": ["ND", "NCHW"]}],
        "outputs": [{"name": "y", "param_type": "dynamic", "dtypes": ["float16", "float"], "formats": ["ND", "ND"]}],
        "attrs": [{"name": "alpha", "type": "float", "required": False, "default": 0.5}],
    }
).for_soc("ascend950")

# Written out by hand from section 4.2: indented by two spaces, dynamic tensors in a list, attributes with the default
# of their type and not with the OpDef's.
FIRST = """\
{
  "op_type": "Scale",
  "op_list": [
    {
      "bin_filename": "",
      "inputs": [
        {
          "name": "x",
          "index": 0,
          "dtype": "float16",
          "format": "ND",
          "paramType": "required",
          "shape": [
            -2
          ],
          "format_match_mode": "FormatAgnostic"
        }
      ],
      "outputs": [
        [
          {
            "name": "y",
            "index": 0,
            "dtype": "float16",
            "format": "ND",
            "paramType": "dynamic",
            "shape": [
              -2
            ],
            "format_match_mode": "FormatAgnostic"
          }
        ]
      ],
      "attrs": [
        {
          "name": "alpha",
          "dtype": "float",
          "value": 0.0
        }
      ]
    }
  ]
}"""


def name_of(text: str) -> str:
    return f"Scale_{hashlib.md5(text.encode()).hexdigest()}_high_performance"


def test_a_binary_is_named_by_the_md5_of_its_parameter_json():
    assert binary_names(OP, OP.columns)[0] == name_of(FIRST)


def test_every_column_has_a_name_of_its_own():
    names = binary_names(OP, OP.columns)
    assert len(set(names)) == len(OP.columns) == 2


def test_a_text_that_repeats_is_told_apart_by_a_1():
    first = OP.columns[0]
    assert binary_names(OP, [first, first, first]) == [name_of(FIRST), name_of(FIRST + "1"), name_of(FIRST + "11")]


@pytest.mark.parametrize(
    ("kernel_type", "cores", "symbols"),
    [
        (KernelType.AIC_ONLY, ("cube",), ["Scale_a_3"]),
        (KernelType.AIV_ONLY, ("vec",), ["Scale_a_3"]),
        (KernelType.MIX_AIC_1_1, ("cube", "vec"), ["Scale_a_3_mix_aic", "Scale_a_3_mix_aiv"]),
        (KernelType.MIX_AIC_1_2, ("cube", "vec"), ["Scale_a_3_mix_aic", "Scale_a_3_mix_aiv"]),
    ],
)
def test_cores_and_entries_of_a_kernel_type(kernel_type, cores, symbols):
    assert kernel_type.cores == cores
    assert [entry_symbol("Scale_a", 3, core, kernel_type) for core in cores] == symbols


def test_a_kernel_type_is_called_what_cann_calls_it():
    assert [kind.meta_name for kind in KernelType] == [
        "KERNEL_TYPE_AIC_ONLY",
        "KERNEL_TYPE_AIV_ONLY",
        "KERNEL_TYPE_MIX_AIC_1_1",
        "KERNEL_TYPE_MIX_AIC_1_2",
    ]
