from pypto_rules.testing import Tensor, load_tiling

tiling = load_tiling()


def test_large_shapes_do_not_wrap():
    assert tiling(inputs={"x": Tensor((70000, 70000), "float16")}).tiling_data.total == 4900000000


def test_key_of_an_odd_number_of_tiles():
    assert tiling(inputs={"x": Tensor((384,), "float")}).tiling_key == {"tail": 1, "tile": 128}


def test_empty():
    assert tiling(inputs={"x": Tensor((0,), "float")}).block_dim == 1
