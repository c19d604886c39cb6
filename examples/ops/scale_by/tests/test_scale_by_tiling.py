"""What the host tiling function of scale_by decides."""

import pytest

from pypto_rules.testing import KernelCallError, Tensor, load_tiling

tiling = load_tiling()


def decide(count, divide=False):
    inputs = {"x": Tensor((count,), "float16"), "w": Tensor((count,), "float")}
    return tiling(inputs=inputs, attrs={"divide": divide})


@pytest.mark.parametrize(
    ("count", "divide", "tile"),
    [(1, False, 256), (257, False, 1024), (8193, False, 4096), (8193, True, 1024), (200, True, 256)],
)
def test_tile(count, divide, tile):
    assert decide(count, divide).tiling_key == {"operation": int(divide), "tile": tile}


def test_the_output_has_the_dtype_of_x():
    assert decide(5).outputs == [Tensor((5,), "float16")]


def test_a_soc_that_the_op_def_does_not_register():
    with pytest.raises(
        KernelCallError, match=r"ScaleBy is not registered for ascend910_93; its OpDef .* for ascend910b"
    ):
        tiling(inputs={"x": Tensor((1,), "float"), "w": Tensor((1,), "float")}, soc="ascend910_93")
