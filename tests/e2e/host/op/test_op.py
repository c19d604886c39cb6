import numpy as np

from pypto_rules.testing import load_op

op = load_op()


def test_doubles_an_even_number_of_tiles_and_squares_an_odd_one():
    even = np.arange(256, dtype=np.float32)
    np.testing.assert_array_equal(op(even), even + even, err_msg=str(op.last))
    odd = np.arange(3, 387, dtype=np.float32)
    np.testing.assert_array_equal(op(odd), odd * odd, err_msg=str(op.last))
