"""The application's operators called from Python: scaled_sum_py_test.py LIBRARY."""

import ctypes
import pathlib
import sys

COUNT = 1000


def main(library: str) -> int:
    """Exit status 0 when every element is right."""
    scaled_sum = ctypes.CDLL(pathlib.Path(library).resolve()).scaled_sum
    floats = ctypes.c_float * COUNT
    x, y, w = floats(*range(COUNT)), floats(*range(0, 2 * COUNT, 2)), floats(*([0, 1, 2] * COUNT)[:COUNT])
    result = floats()
    if scaled_sum(x, y, w, ctypes.c_size_t(COUNT), result) != 0:
        return 1
    wrong = [i for i in range(COUNT) if result[i] != 3 * i * (i % 3)]
    print(f"{len(wrong)} of {COUNT} elements are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
