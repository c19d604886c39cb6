"""The vendor directory of a package: the layout of cann-flow section 7 for what the operators have so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pypto_rules.tools.contract.manifest import dumps
from pypto_rules.tools.package import configs, host
from pypto_rules.tools.package.binaries import Binary, read_binaries, read_kernel
from pypto_rules.tools.package.manifest import MANIFEST_FILE, manifest_of, variants_of
from pypto_rules.tools.package.rendering import render
from pypto_rules.tools.package.spec import Op, Spec
from pypto_rules.tools.package.tree import EXECUTABLE_MODE, TBE, Tree

KERNEL_DIRECTORY = f"{TBE}/kernel"
UNINSTALL = "scripts/uninstall.sh"


def build(spec: Spec, stamp: Sequence[str] = ()) -> Tree:
    """Every file of `vendors/<vendor>`, its manifest included; `stamp` are lines for version.info."""
    tree = Tree()
    variants: list[dict[str, Any]] = []
    by_soc: dict[str, list[tuple[Op, list[Binary]]]] = {soc: [] for soc in spec.socs}
    for op in spec.ops:
        _add_sources(tree, spec, op)
        kernel = read_kernel(op)
        for soc in op.socs:
            binaries = read_binaries(op, soc, kernel, spec.backend)
            directory = f"{KERNEL_DIRECTORY}/{soc.soc}/{op.op_file}"
            _add_binaries(tree, op, directory, binaries)
            by_soc[soc.soc].append((op, binaries))
            variants += variants_of(op, soc, directory, binaries)
    for soc, ops in by_soc.items():
        _add_configs(tree, soc, ops)
    host.add(tree, spec)
    _add_text(tree, "version.info", version_info(spec, stamp))
    tree.add(UNINSTALL, render("uninstall.sh.j2", spec).encode(), "the uninstaller", EXECUTABLE_MODE)
    _add_text(tree, MANIFEST_FILE, dumps(manifest_of(spec, tree, variants)))
    return tree


def version_info(spec: Spec, stamp: Sequence[str] = ()) -> str:
    """`key=value` lines; with a CANN compiler the first is the one of CANN's own packages (cann-flow, section 7)."""
    lines = [f"custom_opp_compiler_version={spec.toolkit['cann']}"] if "cann" in spec.toolkit else []
    lines += [f"vendor={spec.vendor_name}", f"version={spec.version}", f"backend={spec.backend}", f"arch={spec.arch}"]
    return "".join(f"{line}\n" for line in [*lines, f"socs={','.join(spec.socs)}", *stamp])


def _add_binaries(tree: Tree, op: Op, directory: str, binaries: list[Binary]) -> None:
    for binary in binaries:
        for path in (binary.path, binary.json_path):
            tree.add_file(f"{directory}/{path.name}", path, f"operator {op.op_file}")


def _add_configs(tree: Tree, soc: str, ops: list[tuple[Op, list[Binary]]]) -> None:
    directory = f"{KERNEL_DIRECTORY}/config/{soc}"
    for op, binaries in ops:
        _add_text(tree, f"{directory}/{op.op_file}.json", dumps(configs.op_config(soc, op, binaries)))
    _add_text(tree, f"{directory}/binary_info_config.json", dumps(configs.binary_info_config(soc, ops)))


def _add_sources(tree: Tree, spec: Spec, op: Op) -> None:
    """Kernel sources and generated headers, from which an operator can be compiled where it runs."""
    directory = f"{TBE}/{spec.vendor_name}_impl/ascendc/{op.op_file}"
    for source in op.sources:
        tree.add_file(f"{directory}/{source.short}", source.path, f"operator {op.op_file}: source {source.short}")
    tree.add_all(directory, op.headers, f"operator {op.op_file}: header")


def _add_text(tree: Tree, path: str, text: str) -> None:
    tree.add(path, text.encode("utf-8"), f"the generated {path}")
