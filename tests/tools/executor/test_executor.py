"""From an aclnn call to a run kernel: packages, binaries, TilingKeys, workspaces, guards, and how each goes wrong."""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from pypto_rules.testing.errors import HostSideError
from tests.tools.executor.packages import Caller, Package, installed
from tests.tools.host_sdk.harness import runtime

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("plain") / "vendors/acme").write()


def message(caller: Caller, status: int) -> tuple[int, str]:
    with pytest.raises(HostSideError) as error:
        caller.acl.check(status)
    return status, str(error.value)


def refused(caller: Caller, x: np.ndarray = X, y: np.ndarray | None = None) -> tuple[int, str]:
    """What phase one says of a call."""
    tensors = [caller.acl.tensor(array)[0] for array in (x, np.zeros_like(x) if y is None else y)]
    return message(caller, caller.prepare(tensors[0], None, tensors[1]))


def test_a_call(plain: Package) -> None:
    with installed(plain):
        np.testing.assert_array_equal(Caller(plain).call(X, step=0.5), X + 0.5)
        np.testing.assert_array_equal(Caller(plain).call(X, w=X), X + 1 + X)
        assert Caller(plain).call(np.zeros((0, 4), np.float32)).shape == (0, 4)


def test_strided_tensors(plain: Package) -> None:
    wide = np.arange(48, dtype=np.float32).reshape(6, 8)
    with installed(plain):
        for view in (wide.T, wide[:, ::2], wide[::3, 1:5], wide[2:3, :]):
            caller = Caller(plain)
            y = np.zeros((6, 8), np.float32)[: view.shape[0], : view.shape[1]] if view.shape[1] <= 8 else wide.T * 0
            np.testing.assert_array_equal(caller.call(view), view + 1, err_msg=str(y.shape))
            caller.acl.close()


def test_the_key_chooses_the_variant(tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme", {"KEY": "1"}).write()
    with installed(package):
        np.testing.assert_array_equal(Caller(package).call(X), X + 2)
        assert runtime().ask("pypto_twin_last_launch")["tiling_key"] == "1"


@pytest.mark.parametrize(
    ("decisions", "status", "parts"),
    [
        ({"KEY": "3"}, 561003, ["3 is not a TilingKey of inc: no combination decodes to it", "0: twice=0; 1: twice=1"]),
        ({"BLOCKS": "0"}, 561002, ["set BlockDim 0; allowed are 1 to 48, the vector cores of ascend910b"]),
        ({"BLOCKS": "49"}, 561002, ["set BlockDim 49; allowed are 1 to 48"]),
        ({"STATUS": "ge::GRAPH_FAILED"}, 561002, ["the tiling function of Inc failed"]),
    ],
)
def test_decisions_that_cannot_be(decisions: dict, status: int, parts: list[str], tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme", decisions).write()
    with installed(package):
        found, text = refused(Caller(package))
    assert found == status and text.startswith("aclnnIncGetWorkspaceSize: ")
    assert all(part in text for part in parts), text


def test_workspace(tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme", {"WORKSPACE": "100"}).write()
    with installed(package):
        caller = Caller(package)
        np.testing.assert_array_equal(caller.call(X), X + 1)
        assert caller.size.value == 100
        tensors = [caller.acl.tensor(X)[0], None, caller.acl.tensor(np.zeros_like(X))[0]]
        for workspace, size, status, said in (
            (None, None, 161001, "phase one asked for a workspace of 100 bytes, the one given is null"),
            (caller.acl.allocate(100), 99, 161002, "asked for a workspace of 100 bytes, the one given has 99"),
            (caller.acl.allocate(64), 100, 161002, "the memory given has 64"),
            (ctypes.addressof(ctypes.create_string_buffer(100)), 100, 161002, "is no device memory; use aclrtMalloc"),
        ):
            caller.acl.check(caller.prepare(*tensors))
            found, text = message(caller, caller.run(workspace, size))
            assert found == status and said in text, text


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (
            "1",
            "the kernel inc failed: store: beyond argument 'y' [block 0 of 1] [variant twice=0, t=float, TilingKey 0]",
        ),
        ("2", "Inc overran 'y': it wrote 4 bytes behind its end, from offset 28"),
        ("3", "Inc overran 'workspace': it wrote 1 bytes behind its end, from offset 102"),
    ],
)
def test_what_a_kernel_does_wrong(mistake: str, said: str, tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme", {"MISTAKE": mistake, "WORKSPACE": "100"}).write()
    with installed(package), pytest.raises(HostSideError) as error:
        Caller(package).call(X)
    assert said in str(error.value) and "status 361001" in str(error.value)


def test_tensors_that_cannot_be(plain: Package) -> None:
    with installed(plain):
        caller = Caller(plain)
        x, y = caller.acl.tensor(X)[0], caller.acl.tensor(np.zeros_like(X))[0]
        assert message(caller, caller.prepare(None, None, y)) == (
            161001,
            "aclnnIncGetWorkspaceSize: tensor 'x' is null (status 161001)",
        )
        status, text = refused(caller, y=np.zeros((3, 2), np.float32))
        assert status == 161002
        assert "output 'y' has the shape [3, 2], but InferShape of Inc gives [2, 3]" in text
        status, text = refused(caller, x=X.astype(np.int64))
        assert status == 161002 and "Inc has no kernel for the dtypes and formats (x: int64 ND, y: int64 ND)" in text
        assert "has (float ND, float ND, float ND)" in text
        host = np.zeros(8, np.float32)
        for address, said in ((host.ctypes.data, "tensor 'x' is not in device memory"), (None, "has no memory")):
            runtime().library.aclSetRawTensorAddr(ctypes.c_void_p(x), ctypes.c_void_p(address))
            assert said in message(caller, caller.prepare(x, None, y))[1]
        small = caller.acl.allocate(20)
        runtime().library.aclSetRawTensorAddr(ctypes.c_void_p(x), ctypes.c_void_p(small))
        text = message(caller, caller.prepare(x, None, y))[1]
        assert "tensor 'x' needs 24 bytes for its shape and dtype, but its memory has 20" in text


def test_an_executor_runs_once(plain: Package) -> None:
    with installed(plain):
        caller = Caller(plain)
        caller.call(X)
        assert "the executor is null, or was used before" in message(caller, caller.run())[1]
        assert caller.run() == 561103
        tensors = [caller.acl.tensor(array)[0] for array in (X, np.zeros_like(X))]
        caller.acl.check(caller.prepare(tensors[0], None, tensors[1]))
        assert runtime().library.aclSetAclOpExecutorRepeatable(caller.executor) == 0
        assert [caller.run(), caller.run()] == [0, 0]
        assert runtime().library.aclDestroyAclOpExecutor(caller.executor) == 0
        assert runtime().library.aclDestroyAclOpExecutor(caller.executor) != 0


def test_the_first_package_wins(plain: Package, tmp_path: Path) -> None:
    twice = Package(tmp_path / "vendors/other", {"KEY": "1"}).write()
    with installed(plain, twice):
        np.testing.assert_array_equal(Caller(plain).call(X), X + 1)
    with installed(twice, plain):
        np.testing.assert_array_equal(Caller(plain).call(X), X + 2)


def test_packages_of_config_ini(plain: Package, tmp_path: Path) -> None:
    Package(tmp_path / "opp/vendors/one", {"KEY": "1"}).write()
    Package(tmp_path / "opp/vendors/two").write()
    (tmp_path / "opp/vendors/strange").mkdir()
    config = tmp_path / "opp/vendors/config.ini"
    with installed():
        os.environ["ASCEND_OPP_PATH"] = str(tmp_path / "opp")
        config.write_text("load_priority=strange,one,two\n")
        np.testing.assert_array_equal(Caller(plain).call(X), X + 2)
        config.write_text("load_priority=two,one\n")
        np.testing.assert_array_equal(Caller(plain).call(X), X + 1)


def test_packages_that_are_not_there(plain: Package, tmp_path: Path) -> None:
    with installed():
        status, text = refused(Caller(plain))
        assert status == 561107 and "no operator package is installed: ASCEND_CUSTOM_OPP_PATH is ''" in text
    with installed(Package(tmp_path)):
        assert "which holds no package of these rules (there is no manifest.json)" in refused(Caller(plain))[1]
    with installed(plain, soc="ascend950"):
        status, text = refused(Caller(plain))
        assert status == 561112 and "no installed package has a kernel of Inc for ascend950" in text
        assert f"{plain.root} is for ascend910b; build one with --config=ascend950" in text


def test_another_operator_and_another_backend(plain: Package, tmp_path: Path) -> None:
    other = Package(tmp_path / "vendors/other").write()
    other.write_json(
        "op_impl/ai_core/tbe/kernel/config/ascend910b/binary_info_config.json", {"Dec": {"binaryList": []}}
    )
    with installed(other):
        assert f"{other.root} has Dec" in refused(Caller(plain))[1]
    device = Package(tmp_path / "vendors/device", backend="cann").write()
    with installed(device):
        assert "is of the backend 'cann', and this is the run time of the CPU twin" in refused(Caller(plain))[1]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("manifest.json", "{", "manifest.json is damaged (it is no JSON object); install the package again"),
        ("manifest.json", "{}", "manifest.json is damaged"),
        ("op_impl/ai_core/tbe/kernel/config/ascend910b/binary_info_config.json", '{"Inc": {}}', "is damaged"),
        ("op_impl/ai_core/tbe/kernel/ascend910b/inc/inc.json", '{"binFileName": "inc"}', "inc.json is damaged"),
        ("op_impl/ai_core/tbe/kernel/ascend910b/inc/inc.so", "no library", "cannot load the kernel"),
        ("op_impl/ai_core/tbe/op_tiling/liboptiling.so", "no library", "cannot load the host library"),
    ],
)
def test_damaged_packages(path: str, text: str, said: str, tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme").write()
    caller = Caller(package)
    (package.root / path).write_text(text)
    with installed(package):
        assert said in refused(caller)[1]


def test_an_operator_without_infershape_or_tiling(tmp_path: Path) -> None:
    package = Package(tmp_path / "vendors/acme", infer=False).write()
    with installed(package):
        np.testing.assert_array_equal(Caller(package).call(X), X + 1)
        (package.root / "op_impl/ai_core/tbe/op_tiling/liboptiling.so").unlink()
        assert "has no host library with tiling functions" in refused(Caller(package))[1]


def test_calls_from_several_threads(plain: Package) -> None:
    failures: list[BaseException] = []

    def call(step: float) -> None:
        try:
            for _ in range(20):
                np.testing.assert_array_equal(Caller(plain).call(X, step=step), X + step)
        except BaseException as error:  # looked at below
            failures.append(error)

    with installed(plain):
        threads = [threading.Thread(target=call, args=(float(step),)) for step in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
