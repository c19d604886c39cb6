"""manifest.json of a package → a software bill of materials in CycloneDX form."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6

# The same manifest gives the same document: its number is made of what it says, its time that of the files.
_NAMESPACE = uuid.UUID("5b1bd1a4-7a5c-5ad8-9c36-2f2b0e6f3f10")
_TIME = datetime(2000, 1, 1, tzinfo=timezone.utc)


def bill(manifest: dict[str, Any]) -> Bom:
    """The package, and as components of it each of its files with its digest, and what its backend is made of.

    Headers of CANN and of pypto_pro are compiled into every NPU binary.
    """
    text = json.dumps(manifest, sort_keys=True)
    package = Component(
        name=manifest["vendor_name"],
        version=manifest["version"],
        type=ComponentType.APPLICATION,
        bom_ref="package",
        properties=[Property(name=f"pypto:{key}", value=_value(manifest[key])) for key in ("arch", "backend", "socs")],
    )
    result = Bom(serial_number=uuid.uuid5(_NAMESPACE, text))
    result.metadata.timestamp = _TIME
    result.metadata.component = package
    files = [
        Component(
            name=file["path"],
            type=ComponentType.FILE,
            bom_ref=file["path"],
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=file["sha256"])],
        )
        for file in manifest["files"]
    ]
    toolkit = [
        Component(name=name, version=version, type=ComponentType.FRAMEWORK, bom_ref=f"toolkit:{name}")
        for name, version in manifest["toolkit"].items()
    ]
    result.components.update([*files, *toolkit])
    result.register_dependency(package, [*files, *toolkit])
    return result


def _value(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 written, 1 the manifest cannot be read or the document not written."""
    parser = argparse.ArgumentParser(prog="sbom", description=__doc__)
    parser.add_argument("--manifest", type=Path, required=True, help="manifest.json of the package")
    parser.add_argument("--out", type=Path, required=True, help="the document to write, CycloneDX 1.6 as JSON")
    args = parser.parse_args(argv)
    try:
        manifest = json.loads(args.manifest.read_text(encoding="utf-8"))
        args.out.write_text(JsonV1Dot6(bill(manifest)).output_as_string(indent=1) + "\n", encoding="utf-8")
    except (OSError, KeyError, TypeError, ValueError) as error:
        print(f"sbom: error: {args.manifest.name} is no manifest of a package: {error!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
