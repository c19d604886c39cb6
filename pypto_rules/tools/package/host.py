"""The host side in the vendor directory: libraries, headers, and what the framework reads of every operator."""

from __future__ import annotations

from pypto_rules.tools.op_info import ops_info, proto
from pypto_rules.tools.opdef import model
from pypto_rules.tools.package.errors import PackageError
from pypto_rules.tools.package.spec import Op, Spec
from pypto_rules.tools.package.tree import TBE, Tree

_OP_MASTER = "libcust_opmaster_rt2.0.so"


def add(tree: Tree, spec: Spec) -> None:
    """Add what the operators of the package have of a host side."""
    _add_libraries(tree, spec)
    tree.add_all("op_api/include", spec.host.aclnn_headers, "the aclnn header")
    tree.add_all("op_proto/inc", spec.host.proto_headers, "the prototype")
    for framework, plugin in spec.host.plugins:
        tree.add_file(f"framework/{framework}/{plugin.name}", plugin, f"the {framework} plug-in {plugin.name}")
    op_defs = {op.op_file: _read(op) for op in spec.ops if op.op_def}
    for op in op_defs.values():
        name = proto.file_name(op)
        if f"op_proto/inc/{name}" not in tree.files:
            _add_text(tree, f"op_proto/inc/{name}", proto.text(op))
    for soc in spec.socs:
        ops = [op_defs[op.op_file] for op in spec.ops if op.op_def and soc in {built.soc for built in op.socs}]
        if ops:
            _add_text(tree, f"{TBE}/config/{soc}/aic-{soc}-ops-info.json", ops_info.json_text(ops, soc))


def _add_libraries(tree: Tree, spec: Spec) -> None:
    machine = f"lib/linux/{spec.arch}"
    places = {
        "op_api": "op_api/lib/libcust_opapi.so",
        "op_master": f"{TBE}/op_tiling/{machine}/{_OP_MASTER}",
        "ops_proto": f"op_proto/{machine}/libcust_opsproto_rt2.0.so",
    }
    for role, path in spec.host.libraries.items():
        tree.add_file(places[role], path, f"the library {path.name}")
    if "op_master" in spec.host.libraries:
        tree.links[f"{TBE}/op_tiling/liboptiling.so"] = f"{machine}/{_OP_MASTER}"


def _read(op: Op) -> model.OpDef:
    """The OpDef, which registers every SoC that the operator is packaged for."""
    try:
        op_def = model.read(op.op_def, op.op_def.name)
        for built in op.socs:
            op_def.for_soc(built.soc)
        return op_def
    except model.OpDefError as error:
        raise PackageError(f"operator {op.op_file}: {error}") from error


def _add_text(tree: Tree, path: str, text: str) -> None:
    tree.add(path, text.encode("utf-8"), f"the generated {path}")
