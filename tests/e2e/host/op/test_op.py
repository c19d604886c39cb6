import numpy as np

from pypto_rules.testing import load_op

op = load_op()


def test_doubles_without_a_tail_and_squares_with_one():
    whole = np.arange(256, dtype=np.float32)
    np.testing.assert_array_equal(op(whole), whole + whole, err_msg=str(op.last))
    tail = np.arange(1, 131, dtype=np.float32)
    np.testing.assert_array_equal(op(tail), tail * tail, err_msg=str(op.last))
