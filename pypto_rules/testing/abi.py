"""The twin's launch structure for ctypes: `pypto_twin_launch` of `toolchains/twin/runtime/include/pypto_twin/abi.h`."""

import ctypes


class Launch(ctypes.Structure):
    """Arguments of an entry, and what it says when the kernel broke a rule; field for field as in abi.h."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("block_dim", ctypes.c_uint32),
        ("arg_count", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("args", ctypes.POINTER(ctypes.c_void_p)),
        ("arg_bytes", ctypes.POINTER(ctypes.c_uint64)),
        ("tiling", ctypes.c_char_p),
        ("tiling_bytes", ctypes.c_uint64),
        ("message", ctypes.c_char_p),
        ("message_bytes", ctypes.c_uint64),
        ("site", ctypes.c_int32),
    ]
