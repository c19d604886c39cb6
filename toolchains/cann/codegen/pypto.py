"""The real pypto_pro: one TilingKey at a time, through functions that changed their signatures over its versions."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.contract import manifest
from toolchains.cann.binary.kernel_types import KernelType
from toolchains.cann.codegen.kernel_file import KernelError
from toolchains.cann.codegen.socs import Soc
from toolchains.cann.codegen.source import Generated

# OpDef's name of a dtype → pypto_pro's DataType.
_DATA_TYPES = {"bool": "BOOL", "float16": "FP16", "float": "FP32", "bfloat16": "BF16"}
_TIMEOUT = 300  # seconds, as asc_opc gives it
_FFTS = "ffts_addr"


def module(name: str) -> Any:
    """A module of pypto_pro."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(
            f"pypto_pro cannot be imported: {error}; it is taken from the toolkit or the Python package that the "
            "extension `cann` names: bazel run @pypto_rules//pypto_rules/tools:doctor shows which"
        ) from error


def set_up(soc: Soc) -> str:
    """Tell pypto_pro the architecture; returns what this version calls it."""
    jit = module("pypto_pro.runtime.jit")
    refused = []
    for arch in soc.pypto_arches:
        try:
            jit._setup_arch_env(arch)
        except Exception as error:  # the class of the error is another in each version
            refused.append(str(error))
        else:
            return arch
    raise InputError(
        f"this pypto_pro generates no code for {soc.name}: {'; '.join(refused)}; "
        "build for another SoC, or pin a pypto_pro that has it (extension `cann`)"
    )


def check_schema(kernel: Any, described: manifest.Kernel, path: str) -> None:
    """The TilingKey that pypto_pro sees is that of kernel.json: a key means the same to the host and to the binary."""
    schema = getattr(kernel, "tilingkey_schema", None) or getattr(kernel, "_tilingkey_schema", None)
    seen = [(field.name, field.bits, field.offset, tuple(field.values)) for field in schema._fields] if schema else []
    known = [(field.name, field.bits, field.offset, tuple(field.values)) for field in described.tiling_key.fields]
    if seen != known:
        raise KernelError(
            f"{path}: pypto_pro sees the TilingKey fields {seen}, kernel.json has {known} "
            "(name, bits, offset, values). The kernel file must not depend on what imports it."
        )


def generate(
    kernel: Any, arch: str, described: manifest.Kernel, key: manifest.ValidKey, dtypes: Mapping[str, str], out: Path
) -> Generated:
    """The code of a TilingKey for some dtypes, written below `out` on the way."""
    jit = module("pypto_pro.runtime.jit")
    data_type = module("pypto_pro").DataType
    types = {name: getattr(data_type, _DATA_TYPES.get(dtype, dtype.upper())) for name, dtype in dtypes.items()}
    program = kernel.to_kernel_def(described.tiling_key.as_dict(key.combo), types or None)
    options: dict[str, Any] = {"clean_up": False, "tilingkey_packed": key.packed, "out_dir": str(out)}
    if "timeout" in inspect.signature(jit._codegen).parameters:
        options["timeout"] = _TIMEOUT
    result = jit._codegen(program, arch, **options)
    if result is None:
        raise KernelError(f"pypto_pro generated nothing for TilingKey {key.packed}, and does not say why")
    _check_parameters(result.entry_params, described)
    build = Path(result.build_dir)
    text = (build / "kernel.cpp").read_text(encoding="utf-8")
    return Generated(
        function=result.kernel_name,
        text=_printing(text),
        headers={path.name: path.read_text(encoding="utf-8") for path in sorted(build.glob("*.h"))},
        parameters=tuple((ctype, name, pointer) for ctype, name, pointer in result.entry_params),
        kernel_type=_kernel_type(arch, result, text),
    )


def _check_parameters(seen: Any, described: manifest.Kernel) -> None:
    names = [name for _, name, _ in seen if name != _FFTS]
    known = [param.name for param in described.entry_params]
    if names != known:
        raise KernelError(f"pypto_pro gives the entry the parameters {names}, kernel.json has {known}")


def _printing(text: str) -> str:
    """Output through CANN's run time, as pypto_pro's own offline compile has it, instead of the one of its launches."""
    return text.replace("cce::printf", "AscendC::printf")


def _kernel_type(arch: str, result: Any, text: str) -> KernelType:
    """From the generated code, as the newest pypto_pro does it for offline binaries (section 4.6)."""
    cube = getattr(result, "has_cube", "__DAV_CUBE__" in text)
    vector = getattr(result, "has_vector", "__DAV_VEC__" in text)
    if not (cube or vector):
        cube = vector = True
    config = module("pypto_pro.runtime.compile_config")
    resolve = getattr(getattr(config, "get_jit_compile_config", lambda: None)(), "resolve_kernel_target", None)
    if resolve is None:
        return KernelType((int(cube), 2 if cube and vector else int(vector)))
    target = resolve(arch, has_cube=cube, has_vector=vector)
    return KernelType((target.aic_per_block, target.aiv_per_block))
