"""What a `.deb` or `.rpm` is made of: the tree below its fixed place, the script that runs first, the rpm's spec."""

from __future__ import annotations

from pathlib import Path

from pypto_rules.tools.package import archive
from pypto_rules.tools.package.rendering import render
from pypto_rules.tools.package.spec import Spec
from pypto_rules.tools.package.tree import Tree

# Packages of a distribution have one place. `vendors` lies below it as in CANN's opp directory.
ROOT = "opt/ascend"


def write_data(spec: Spec, tree: Tree, path: Path) -> None:
    """Write the files with the places they are installed to, `bin/set_env.bash` among them."""
    whole = Tree(dict(tree.files), dict(tree.links))
    whole.add("bin/set_env.bash", render("set_env.bash.j2", spec).encode(), "the script set_env.bash")
    archive.write(whole, f"{ROOT}/vendors/{spec.vendor_name}", path)


def write_check(spec: Spec, path: Path) -> None:
    """Write the script that a package manager runs first; its failure stops the installation."""
    path.write_text(render("preinst.sh.j2", spec), encoding="utf-8")


def write_rpm_spec(spec: Spec, data: Path, path: Path) -> None:
    """Write the rpm's spec file. Name, version and texts are the macros that the rule defines."""
    path.write_text(render("rpm.spec.j2", spec, data=data, root=ROOT), encoding="utf-8")
