"""The files against the manifest, and against what the BUILD file asks for."""

from __future__ import annotations

import difflib
import fnmatch
import hashlib
import re
from collections.abc import Sequence

from pypto_rules.tools.package_check.vendor import Vendor

# What paths of a build look like; none of it may be in a file that is shipped.
_BUILD_PATHS = re.compile(rb"[\w./+~-]*(?:/execroot/|/sandbox/|bazel-out/|/\.cache/bazel|_bazel_\w)[\w./+~-]*")
_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_SIZE = re.compile(r"(\d+)([KMG]?)")


def manifest_problems(vendor: Vendor) -> list[str]:
    """Every file is in the manifest with its digest and size, and nothing else is."""
    listed = {item["path"]: item for item in vendor.manifest["files"]}
    links = {item["path"]: item["target"] for item in vendor.manifest["links"]}
    strange = vendor.paths.keys() - listed.keys() - links.keys() - {"manifest.json"}
    problems = [f"{path} is in the tree and not in manifest.json" for path in sorted(strange)]
    for path, item in listed.items():
        if path not in vendor.paths:
            problems.append(f"{path} is in manifest.json and not in the tree")
            continue
        content = vendor.paths[path].read_bytes()
        if (hashlib.sha256(content).hexdigest(), len(content)) != (item["sha256"], item["size"]):
            problems.append(f"{path} is not what manifest.json says: its size or sha256 differs")
    for path, target in links.items():
        if not (vendor.root / path).exists():
            problems.append(f"the link {path} leads to {target}, which is not there")
    return problems


def content_problems(vendor: Vendor, wanted: Sequence[str], unwanted: Sequence[str]) -> list[str]:
    """Patterns that must, and that must not, name files of the tree."""
    problems = []
    for pattern in wanted:
        if not fnmatch.filter(vendor.paths, pattern):
            near = difflib.get_close_matches(pattern, vendor.paths, n=1, cutoff=0.4)
            hint = f"; nearest is {near[0]}" if near else ""
            problems.append(f"must_contain has '{pattern}', which no file of the package matches{hint}")
    for pattern in unwanted:
        found = fnmatch.filter(vendor.paths, pattern)
        if found:
            problems.append(
                f"must_not_contain has '{pattern}', which {found[0]} matches; it has {len(found)} such files"
            )
    return problems


def size_problems(vendor: Vendor, most: str) -> list[str]:
    """The installer's size; `most` is a number of bytes, or of K, M, G."""
    found = _SIZE.fullmatch(most)
    if most and not found:
        return [f"max_size is '{most}'; allowed is a number of bytes, or one with K, M or G behind it, e.g. 12M"]
    if not found:
        return []
    size, allowed = vendor.run.stat().st_size, int(found[1]) * _UNITS[found[2]]
    if size <= allowed:
        return []
    largest = sorted(vendor.paths.items(), key=lambda item: -item[1].stat().st_size)[:3]
    shown = ", ".join(f"{path} ({file.stat().st_size})" for path, file in largest)
    return [f"{vendor.run.name} has {size} bytes, max_size is {most} ({allowed}); the largest files are {shown}"]


def path_problems(vendor: Vendor) -> list[str]:
    """No file tells where it was built."""
    problems = []
    for path, file in vendor.paths.items():
        found = _BUILD_PATHS.search(file.read_bytes())
        if found:
            problems.append(f"{path} has a path of the build in it: {found[0].decode(errors='replace')}")
    return problems
