"""Action 7: kernels of every SoC → vendor tree, manifest, self-extracting installer."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.package import archive, installer, spec, stamp, system, vendor
from pypto_rules.tools.package.binaries import partial_of
from pypto_rules.tools.package.errors import PackageError
from pypto_rules.tools.package.manifest import MANIFEST_FILE
from pypto_rules.tools.package.tree import EXECUTABLE_MODE


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="package", description=__doc__)
    parser.add_argument("--spec", type=Path, required=True, help="spec.json: what to package")
    parser.add_argument("--tree", type=Path, help="directory to write vendors/<vendor>/... to")
    parser.add_argument("--manifest", type=Path, help="manifest.json to write")
    parser.add_argument("--run", type=Path, help="installer to write; needs --makeself")
    parser.add_argument("--status", type=Path, action="append", default=[], help="a status file of a stamped build")
    parser.add_argument("--tar", type=Path, help="the tree as a .tar.gz to write")
    parser.add_argument("--system-data", type=Path, help="the tree where a .deb or .rpm has it, as a .tar.gz to write")
    parser.add_argument("--system-check", type=Path, help="script to write that a package manager runs first")
    parser.add_argument("--rpm-spec", type=Path, help="spec file of the .rpm to write; needs --system-data")
    parser.add_argument("--uninstall", type=Path, help="uninstall.sh to write, as it is in the tree")
    parser.add_argument("--makeself", type=Path, help="the makeself script")
    args = parser.parse_args(argv)
    outputs = ("tree", "manifest", "run", "tar", "uninstall", "system_data", "system_check")
    if not any(getattr(args, output) for output in outputs):
        parser.error("nothing to write; give " + ", ".join("--" + output.replace("_", "-") for output in outputs))
    if args.rpm_spec and not args.system_data:
        parser.error("--rpm-spec needs --system-data")
    if args.run and not args.makeself:
        parser.error("--run needs --makeself")
    return args


def package(args: argparse.Namespace) -> None:
    """Write what was asked for."""
    wanted = spec.load(args.spec)
    found = [partial_of(op, soc) for op in wanted.ops for soc in op.socs]
    wanted = dataclasses.replace(wanted, partial=tuple(partial for partial in found if partial is not None))
    tree = vendor.build(wanted, stamp.lines(args.status))
    if args.tree:
        tree.write(args.tree / "vendors" / wanted.vendor_name)
    if args.manifest:
        args.manifest.write_bytes(tree.files[MANIFEST_FILE].content)
    if args.tar:
        archive.write(tree, f"vendors/{wanted.vendor_name}", args.tar)
    if args.system_data:
        system.write_data(wanted, tree, args.system_data)
    if args.system_check:
        system.write_check(wanted, args.system_check)
    if args.rpm_spec:
        system.write_rpm_spec(wanted, args.system_data, args.rpm_spec)
    if args.uninstall:
        args.uninstall.write_bytes(tree.files[vendor.UNINSTALL].content)
        args.uninstall.chmod(EXECUTABLE_MODE)
    if args.run:
        installer.write(wanted, tree, args.makeself, args.run)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 the inputs cannot be packaged or an output not written."""
    try:
        package(parse(argv))
    except (PackageError, OSError) as error:
        print(f"package: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
