"""What the host tiling function of sum_rows decides: passes, bias, workspace."""

import pytest

from pypto_rules.testing import HostSideError, KernelCallError, Tensor, load_tiling

tiling = load_tiling()
SYSTEM = 16 * 1024 * 1024


def decide(shape, bias=None, soc=None, **attrs):
    return tiling(inputs={"x": Tensor(shape, "float"), "bias": bias}, attrs=attrs, soc=soc)


def test_few_rows_take_one_pass_without_a_workspace():
    result = decide((64, 10))
    assert result.tiling_key == {"passes": 0, "has_bias": 0}
    assert result.workspace == [0]


def test_many_rows_take_two_passes_with_a_workspace_of_their_partial_sums():
    result = decide((65, 3, 10))
    assert result.tiling_key == {"passes": 1, "has_bias": 0}
    assert (result.tiling_data.chunks, result.tiling_data.columns) == (2, 30)
    assert result.workspace == [2 * 30 * 4 + SYSTEM]


def test_the_bias_is_in_the_key():
    assert decide((4, 10), bias=Tensor((10,), "float")).tiling_key == {"passes": 0, "has_bias": 1}


def test_attributes_have_defaults():
    assert decide((4, 10)).tiling_data.scale == 1.0
    assert decide((4, 10), scale=0.25).tiling_data.scale == 0.25


def test_columns_are_dealt_out_to_the_cores():
    assert decide((4, 2048 * 3 + 1)).block_dim == 4
    assert decide((4, 2048 * 100)).block_dim == 48
    assert decide((4, 2048 * 100), soc="ascend950").block_dim == 64


@pytest.mark.parametrize(("keep_dims", "shape"), [(False, (3, 10)), (True, (1, 3, 10))])
def test_output_shapes(keep_dims, shape):
    (output,) = tiling.infer_shape(inputs={"x": Tensor((7, 3, 10), "float16")}, attrs={"keep_dims": keep_dims})
    assert output == Tensor(shape, "float16")


def test_what_does_not_fit_is_refused():
    with pytest.raises(HostSideError, match="bias has 9 elements; x has 10 columns"):
        decide((4, 10), bias=Tensor((9,), "float"))
    with pytest.raises(HostSideError, match="x is a scalar"):
        decide(())
    with pytest.raises(KernelCallError, match=r"'scales' is no attribute of the operator .did you mean 'scale'"):
        decide((4, 10), scales=1.0)
    with pytest.raises(KernelCallError, match="attribute 'keep_dims' is 1; its type is bool"):
        decide((4, 10), keep_dims=1)
