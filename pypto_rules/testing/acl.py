"""The acl functions that an aclnn call needs, through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from pypto_rules.testing.dtypes import cann_dtype
from pypto_rules.testing.errors import HostSideError
from pypto_rules.testing.runtime import Runtime
from pypto_rules.tools.opdef.numbers import DTYPES, FORMATS

_HOST_TO_DEVICE, _DEVICE_TO_HOST = 1, 2


class Acl:
    """Memory, tensors and lists of one call; `close` gives them back."""

    def __init__(self, runtime: Runtime) -> None:
        self._acl = runtime.library
        for function in ("aclCreateTensor", "aclCreateTensorList", "aclGetRecentErrMsg"):
            getattr(self._acl, function).restype = ctypes.c_void_p
        for function in ("aclCreateIntArray", "aclCreateFloatArray", "aclCreateBoolArray"):
            getattr(self._acl, function).restype = ctypes.c_void_p
        self._tensors: list[int] = []
        self._lists: list[int] = []
        self._arrays: list[tuple[str, int]] = []
        self._memory: list[int] = []

    def allocate(self, size: int) -> int:
        """Device memory of exactly this many bytes; 0 for none."""
        if size == 0:
            return 0
        address = ctypes.c_void_p()
        self.check(self._acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(size), 0))
        self._memory.append(address.value or 0)
        return address.value or 0

    def tensor(self, array: np.ndarray) -> tuple[int, int]:
        """An aclTensor of the array's shape and strides with its elements, and its device memory."""
        storage, strides = _storage(array)
        address = self.allocate(storage.nbytes)
        if storage.nbytes:
            source = np.ascontiguousarray(storage)
            self._copy(address, source.ctypes.data, storage.nbytes, _HOST_TO_DEVICE)
        return self._create(array, strides, address, storage.size), address

    def tensor_list(self, tensors: Sequence[int]) -> int:
        """An aclTensorList, which owns its tensors from then on."""
        items = (ctypes.c_void_p * len(tensors))(*tensors)
        made = self._acl.aclCreateTensorList(items, ctypes.c_uint64(len(tensors)))
        self._tensors = [tensor for tensor in self._tensors if tensor not in tensors]
        self._lists.append(made)
        return made

    def array(self, kind: str, values: Sequence[Any]) -> int:
        """An aclIntArray, aclFloatArray or aclBoolArray: `kind` is Int, Float or Bool."""
        ctype = {"Int": ctypes.c_int64, "Float": ctypes.c_float, "Bool": ctypes.c_bool}[kind]
        items = (ctype * max(len(values), 1))(*values)
        made = getattr(self._acl, f"aclCreate{kind}Array")(items, ctypes.c_uint64(len(values)))
        self._arrays.append((kind, made))
        return made

    def read(self, address: int, array: np.ndarray) -> None:
        """The elements of a contiguous array from device memory."""
        if array.nbytes:
            self._copy(array.ctypes.data, address, array.nbytes, _DEVICE_TO_HOST)

    def check(self, status: int) -> None:
        """Raise what acl says of a status that is not 0."""
        if status:
            text = ctypes.string_at(self._acl.aclGetRecentErrMsg()).decode("utf-8", "replace")
            raise HostSideError(f"{text} (status {status})")

    def close(self) -> None:
        """Destroy what was made; memory that was overrun is an error."""
        for tensor in self._tensors:
            self._acl.aclDestroyTensor(ctypes.c_void_p(tensor))
        for made in self._lists:
            self._acl.aclDestroyTensorList(ctypes.c_void_p(made))
        for kind, made in self._arrays:
            getattr(self._acl, f"aclDestroy{kind}Array")(ctypes.c_void_p(made))
        statuses = [self._acl.aclrtFree(ctypes.c_void_p(address)) for address in self._memory]
        self._tensors, self._lists, self._arrays, self._memory = [], [], [], []
        for status in statuses:
            self.check(status)

    def _copy(self, target: int, source: int, size: int, kind: int) -> None:
        count = ctypes.c_size_t(size)
        self.check(self._acl.aclrtMemcpy(ctypes.c_void_p(target), count, ctypes.c_void_p(source), count, kind))

    def _create(self, array: np.ndarray, strides: Sequence[int], address: int, elements: int) -> int:
        rank = array.ndim
        made = self._acl.aclCreateTensor(
            (ctypes.c_int64 * rank)(*array.shape),
            ctypes.c_uint64(rank),
            DTYPES[cann_dtype(array.dtype, "array")],
            (ctypes.c_int64 * rank)(*strides),
            ctypes.c_int64(0),
            FORMATS["ND"],
            (ctypes.c_int64 * 1)(elements),
            ctypes.c_uint64(1),
            ctypes.c_void_p(address),
        )
        if not made:
            self.check(1)
        self._tensors.append(made)
        return made


def _storage(array: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """The elements from the first to the last one in memory, and the strides of the array in them.

    What acl cannot say, negative strides and elements that begin within another, is copied end to end.
    """
    plain = array.size == 0 or any(stride < 0 or stride % array.itemsize for stride in array.strides)
    if plain or array.flags.c_contiguous:
        flat = np.ascontiguousarray(array).reshape(-1)
        return flat, _contiguous(array.shape)
    strides = [stride // array.itemsize for stride in array.strides]
    span = 1 + sum((size - 1) * stride for size, stride in zip(array.shape, strides, strict=True))
    return np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,)), strides


def _contiguous(shape: Sequence[int]) -> list[int]:
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return strides
