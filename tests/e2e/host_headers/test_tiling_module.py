"""The generated Python modules of two operators in one test, and C++ that reads what Python writes."""

import os
import subprocess

import pytest
from pypto_tiling.leaky_scale import LeakyScaleTiling
from pypto_tiling.plain_copy import PlainCopyTiling

SCALE = LeakyScaleTiling(total=4900000000, alpha=0.1)
COPY = PlainCopyTiling(marks=[True, False, True], total=-1, weights=[i / 3 for i in range(20)], last=True)


def test_cpp_reads_what_python_writes():
    bytes_of_both = SCALE.to_bytes() + COPY.to_bytes()
    done = subprocess.run([os.environ["READ_TILING"]], input=bytes_of_both, capture_output=True, check=True)
    assert done.stdout.decode() == f"{SCALE}\n{COPY}"


def test_round_trips():
    assert LeakyScaleTiling.from_bytes(SCALE.to_bytes()) == SCALE
    assert PlainCopyTiling.from_bytes(COPY.to_bytes()) == COPY


def test_what_a_field_cannot_hold():
    with pytest.raises(ValueError, match=r"PlainCopyTiling.marks\[1\] is bool, which cannot hold 2"):
        COPY.marks = [0, 2, 1]
