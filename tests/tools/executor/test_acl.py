"""acl by itself: memory and its guards, copies, handles, tensors, conversions."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.tools.host_sdk.harness import runtime

acl = runtime().library
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
acl.aclCreateTensor.restype = ctypes.c_void_p
acl.aclFloat16ToFloat.restype = ctypes.c_float
acl.aclFloatToFloat16.restype = ctypes.c_uint16
acl.aclDataTypeSize.restype = ctypes.c_size_t
H2D, D2H, D2D = 1, 2, 3


def said() -> str:
    return acl.aclGetRecentErrMsg().decode()


def allocate(size: int) -> int:
    address = ctypes.c_void_p()
    assert acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(size), 0) == 0
    return address.value or 0


def copy(target: int, capacity: int, source: int, count: int, kind: int) -> int:
    sizes = ctypes.c_size_t(capacity), ctypes.c_size_t(count)
    return acl.aclrtMemcpy(ctypes.c_void_p(target), sizes[0], ctypes.c_void_p(source), sizes[1], kind)


def free(address: int) -> int:
    return acl.aclrtFree(ctypes.c_void_p(address))


def test_memory_begins_as_poison_and_is_aligned() -> None:
    address = allocate(100)
    assert address % 64 == 0
    assert ctypes.string_at(address, 100) == b"\xff" * 100
    assert acl.aclrtMemset(ctypes.c_void_p(address), ctypes.c_size_t(100), 7, ctypes.c_size_t(50)) == 0
    assert ctypes.string_at(address, 51) == b"\x07" * 50 + b"\xff"
    assert free(address) == 0


def test_refused_allocations() -> None:
    address = ctypes.c_void_p()
    assert acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(0), 0) == 100000
    assert said() == "aclrtMalloc: a size of 0 bytes; give a pointer and a size above 0"
    assert said() == ""
    assert acl.aclrtMalloc(None, ctypes.c_size_t(8), 0) == 100000
    assert acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(1 << 60), 0) == 200000
    assert "no memory for" in said()


def test_freed_twice_and_unknown() -> None:
    address = allocate(8)
    assert free(address) == 0
    assert free(address) == 107000
    assert said() == "aclrtFree: the address is none that aclrtMalloc gave, or it was freed before"
    assert free(address + 1) == 107000


@pytest.mark.parametrize(
    ("offset", "text"), [(101, "behind its end, from offset 101"), (-3, "before its start, from offset -3")]
)
def test_an_overrun_is_told_when_memory_is_freed(offset: int, text: str) -> None:
    address = allocate(100)
    ctypes.memset(address + offset, 0, 1)
    assert free(address) == 107000
    assert text in said()


def test_copies() -> None:
    host = np.arange(10, dtype=np.int32)
    back = np.zeros_like(host)
    one, two = allocate(40), allocate(40)
    assert copy(one, 40, host.ctypes.data, 40, H2D) == 0
    assert copy(two, 40, one, 40, D2D) == 0
    assert copy(back.ctypes.data, 40, two, 40, D2H) == 0
    np.testing.assert_array_equal(back, host)
    for arguments, text in (
        ((one, 39, host.ctypes.data, 40, H2D), "40 bytes do not fit into the 39 of the target"),
        ((one + 4, 40, host.ctypes.data, 40, H2D), "40 bytes are more than the 36 that are left at the target"),
        ((host.ctypes.data, 40, one, 40, H2D), "the target is no device memory, but the kind of copy says so"),
        ((back.ctypes.data, 40, host.ctypes.data, 40, D2H), "the source is no device memory"),
        ((0, 40, one, 40, D2H), "a null target"),
    ):
        assert copy(*arguments) != 0
        assert text in said()
    assert copy(0, 0, 0, 0, H2D) == 0
    assert (free(one), free(two)) == (0, 0)


def test_streams_devices_and_events() -> None:
    stream, event, count = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint32()
    assert (acl.aclInit(None), acl.aclInit(None)) == (0, 100002)
    assert acl.aclrtGetDeviceCount(ctypes.byref(count)) == 0 and count.value == 1
    assert (acl.aclrtSetDevice(0), acl.aclrtSetDevice(1)) == (0, 107001)
    assert acl.aclrtCreateStream(ctypes.byref(stream)) == 0
    assert acl.aclrtSynchronizeStream(stream) == 0
    assert acl.aclrtSynchronizeStream(None) == 0
    assert (acl.aclrtDestroyStream(stream), acl.aclrtDestroyStream(stream)) == (0, 107000)
    assert acl.aclrtSynchronizeStream(stream) == 107000
    assert acl.aclrtCreateEvent(ctypes.byref(event)) == 0
    assert acl.aclrtRecordEvent(event, None) == 0
    assert acl.aclrtEventElapsedTime(None, event, event) == 200001
    assert "not supported by the CPU twin" in said()
    assert acl.aclrtDestroyEvent(event) == 0
    assert (acl.aclFinalize(), acl.aclFinalize()) == (0, 100001)


@pytest.mark.parametrize("value", [0.0, 1.0, -2.5, 65504.0, 6e-8, 0.1])
def test_half_precision(value: float) -> None:
    half = acl.aclFloatToFloat16(ctypes.c_float(value))
    assert half == np.float16(value).view(np.uint16)
    assert acl.aclFloat16ToFloat(ctypes.c_uint16(half)) == np.float32(np.float16(value))


def test_sizes_of_dtypes() -> None:
    assert [acl.aclDataTypeSize(dtype) for dtype in (0, 1, 9, 12, 27, 29, 13)] == [4, 2, 8, 1, 2, 0, 0]


def test_tensors_that_cannot_be_described() -> None:
    for dims, dtype, text in (
        ((-1,), 0, "dimension 0 is -1"),
        ((1,), 99, "unknown data type"),
        ((1,) * 26, 0, "more than 25"),
    ):
        items = (ctypes.c_int64 * len(dims))(*dims)
        count = ctypes.c_uint64(len(dims))
        assert not acl.aclCreateTensor(items, count, dtype, None, ctypes.c_int64(0), 2, items, count, None)
        assert text in said()


def test_a_tensor_says_what_it_is() -> None:
    dims = (ctypes.c_int64 * 2)(3, 5)
    tensor = acl.aclCreateTensor(
        dims, ctypes.c_uint64(2), 9, None, ctypes.c_int64(4), 0, dims, ctypes.c_uint64(2), None
    )
    shape, rank, dtype, layout = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64(), ctypes.c_int(), ctypes.c_int()
    assert acl.aclGetViewShape(ctypes.c_void_p(tensor), ctypes.byref(shape), ctypes.byref(rank)) == 0
    assert shape[: rank.value] == [3, 5]
    assert acl.aclGetViewStrides(ctypes.c_void_p(tensor), ctypes.byref(shape), ctypes.byref(rank)) == 0
    assert shape[: rank.value] == [5, 1]
    assert acl.aclGetDataType(ctypes.c_void_p(tensor), ctypes.byref(dtype)) == 0
    assert acl.aclGetFormat(ctypes.c_void_p(tensor), ctypes.byref(layout)) == 0
    assert (dtype.value, layout.value) == (9, 0)
    assert acl.aclDestroyTensor(ctypes.c_void_p(tensor)) == 0
    assert acl.aclDestroyTensor(None) == 161001
