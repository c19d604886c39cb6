"""What the host tiling function of add_example decides."""

import pytest

from pypto_rules.testing import HostSideError, Tensor, load_tiling

tiling = load_tiling()


def decide(shape, dtype="float16", **more):
    return tiling(inputs={"x": Tensor(shape, dtype), "y": Tensor(shape, dtype)}, **more)


def test_a_small_tensor_is_one_block_and_one_tile():
    result = decide((32, 8))
    assert result.tiling_data.total_length == 256
    assert result.tiling_data.tile_num == 1
    assert result.tiling_key == {"sch_mode": 0}
    assert result.block_dim == 1
    assert result.workspace == [0]


def test_a_large_one_uses_all_cores_and_two_tiles_at_a_time():
    result = decide((1024, 1024))
    assert result.tiling_key == {"sch_mode": 1}
    assert result.block_dim == 48
    assert result.tiling_data.tile_num == 6


def test_the_number_of_elements_is_not_cut_to_32_bits():
    assert decide((70000, 70000)).tiling_data.total_length == 4900000000


def test_an_empty_tensor_has_a_block():
    result = decide((0, 16))
    assert (result.tiling_data.total_length, result.block_dim) == (0, 1)


def test_more_cores_elsewhere():
    assert decide((1024, 1024), soc="ascend950").block_dim == 64


def test_outputs_are_inferred():
    assert decide((3, 5), "int32").outputs == [Tensor((3, 5), "int32")]


def test_shapes_that_differ_are_refused_with_the_reason():
    with pytest.raises(HostSideError, match=r"x has the shape \[2, 3\] and y \[3, 2\]; they must be the same"):
        tiling(inputs={"x": Tensor((2, 3), "float"), "y": Tensor((3, 2), "float")})
