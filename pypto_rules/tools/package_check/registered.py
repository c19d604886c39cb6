"""The host functions that a package's libraries register, against its operators."""

from __future__ import annotations

from pathlib import Path

from pypto_rules.testing.errors import HostSideError
from pypto_rules.testing.runtime import load_runtime
from pypto_rules.tools.package_check.vendor import TBE, Vendor


def problems(vendor: Vendor, run_time: Path) -> list[str]:
    """Every operator with an OpDef has a tiling function, and nothing is registered under another name.

    Libraries for CANN's run time cannot be loaded where there is no CANN: of them only the presence is checked.
    """
    machine = f"lib/linux/{vendor.manifest['arch']}"
    library = f"{TBE}/op_tiling/{machine}/libcust_opmaster_rt2.0.so"
    described = {
        op_type
        for soc in vendor.manifest["socs"]
        for path in [f"{TBE}/config/{soc}/aic-{soc}-ops-info.json"]
        if path in vendor.paths
        for op_type in vendor.load(path)
    }
    if library not in vendor.paths:
        return [f"{op_type} has a binary but there is no {library}" for op_type in sorted(described)]
    if vendor.manifest["backend"] != "twin":
        return []
    try:
        registered = load_runtime(run_time).ask("pypto_twin_registered", {"library": str(vendor.paths[library])})
    except HostSideError as error:
        return [str(error)]
    tiling = registered["tiling_ops"]
    shown = ", ".join(tiling) or "none"
    found = [f"{op} has a binary but no host tiling; registered: {shown}" for op in sorted(described - set(tiling))]
    return found + [f"{op} has host tiling but no binary in this package" for op in sorted(set(tiling) - described)]
