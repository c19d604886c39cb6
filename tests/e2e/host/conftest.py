"""One workspace for all tests of this directory; what a test edits is put back."""

import pytest

from tests.e2e.host import project


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    made = project.make(tmp_path_factory.mktemp("host"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def restored(workspace):
    kept = {path: path.read_text() for path in workspace.op.rglob("*") if path.is_file()}
    yield
    for path in [path for path in workspace.op.rglob("*") if path.is_file() and path not in kept]:
        path.unlink()
    for path, text in kept.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
