"""The installer of a built package: installs into a directory, and kernels run from the installed files."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from pypto_rules.testing import KernelCallError, KernelRuleError, open_kernel

PACKAGE = Path(os.environ["PYPTO_PACKAGE"]).absolute()
CONTRACT = Path(os.environ["PYPTO_CONTRACT"])
MANIFEST = json.loads(Path(os.environ["PYPTO_MANIFEST"]).read_text())
# Whichever SoC this test is built for; the first of several.
SOC = MANIFEST["socs"][0]


@pytest.fixture(scope="module")
def vendor(tmp_path_factory):
    """The vendor directory after `./<package>.run --quiet --install-path=…`."""
    target = tmp_path_factory.mktemp("opp with spaces")
    done = subprocess.run(
        ["bash", str(PACKAGE), "--quiet", f"--install-path={target}"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target / "vendors/acme"


@pytest.fixture(scope="module")
def kernel(vendor):
    return open_kernel(vendor / "op_impl/ai_core/tbe/kernel" / SOC / "leaky_scale", CONTRACT)


def test_installed_files_are_those_of_the_manifest(vendor):
    assert MANIFEST["backend"] == "twin"
    assert (vendor / f"op_impl/ai_core/tbe/kernel/config/{SOC}/binary_info_config.json").is_file()
    for entry in MANIFEST["files"]:
        path = vendor.parent.parent / entry["path"] if entry["path"].startswith("vendors/") else vendor / entry["path"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"], entry["path"]


def test_manifest_lists_every_variant():
    listed = {(v["dtypes"]["io_t"], v["tiling_key"], tuple(v["combo"].items())) for v in MANIFEST["variants"]}
    keys = {0: (0, 64), 2: (0, 128), 4: (0, 256), 1: (1, 64), 3: (1, 128)}
    assert listed == {
        (dtype, key, (("tail", tail), ("tile", tile)))
        for dtype in ("float16", "float")
        for key, (tail, tile) in keys.items()
    }


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("tile", [64, 128])
def test_kernel_runs_from_the_installed_files(kernel, dtype, tile):
    x = np.linspace(-8, 8, 333).astype(dtype)
    y = np.zeros_like(x)
    name = {np.float16: "float16", np.float32: "float"}[dtype]
    kernel(x, y, tiling_key={"tail": 1, "tile": tile}, tiling={"total": x.size, "alpha": 0.5}, dtypes={"io_t": name})
    np.testing.assert_array_equal(y, x * dtype(0.5))


def test_read_only_array_is_not_written(kernel):
    x = np.ones(64, np.float32)
    y = np.zeros_like(x)
    y.flags.writeable = False
    with pytest.raises(KernelCallError, match="writes to 'y', whose array is read-only"):
        kernel(x, y, tiling_key={"tail": 0, "tile": 64}, tiling={"total": 64, "alpha": 2.0}, dtypes={"io_t": "float"})
    assert not y.any()
    x.flags.writeable = False
    y = np.zeros_like(x)
    kernel(x, y, tiling_key={"tail": 0, "tile": 64}, tiling={"total": 64, "alpha": 2.0}, dtypes={"io_t": "float"})
    assert (y == 2).all()


def test_store_beyond_the_tensor_is_an_error_that_names_it(kernel):
    x = np.ones(100, np.float32)
    y = np.zeros_like(x)
    with pytest.raises(KernelRuleError, match=r"leaky_scale\.py.*load.*argument 'x'"):
        kernel(
            x, y, tiling_key={"tail": 0, "tile": 64}, tiling={"total": x.size, "alpha": 2.0}, dtypes={"io_t": "float"}
        )
