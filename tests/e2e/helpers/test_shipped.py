"""Helper modules are shipped under every name the kernel can import them by, as paths from the kernel's directory."""

import os
from pathlib import Path


def test_each_module_lies_where_it_is_imported_from():
    sources = Path(os.environ["PYPTO_TREE"], "vendors/custom/op_impl/ai_core/tbe/custom_impl/ascendc/scale_twice")
    assert sorted(str(path.relative_to(sources)) for path in sources.rglob("*.py")) == [
        "beside.py",
        "imported.py",
        "rooted.py",
        "scale_twice.py",
        "tests/e2e/helpers/lib/imported.py",
        "tests/e2e/helpers/lib/rooted.py",
    ]
