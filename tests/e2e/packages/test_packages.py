"""Eight operators for two SoCs in a package: what an edit costs, options and names of SoCs, installing from Bazel."""

import json
import subprocess

import pytest

from tests.e2e.workspace import ROOT, Workspace

OPS = 8
SOCS = ("ascend910b", "ascend950")
KEYS = 5
PACKAGE = "//ops:pkg"
OPERATOR = """\
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_op")

pypto_op(
    name = "{name}",
    dtypes = {{"io_t": ["float"]}},
    visibility = ["//ops:__pkg__"],
)
"""
PACKAGES = """\
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_op_package")

pypto_op_package(
    name = "pkg",
    ops = [{ops}],
    socs = ["ascend910b", "ascend950"],
    vendor_name = "acme",
)
"""


def directory(workspace, index):
    return workspace.path / f"ops/op_{index}"


def kernel(workspace, index):
    return directory(workspace, index) / f"op_kernel/op_{index}.py"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("packages"))
    text = (ROOT / "tests/e2e/op_kernel/leaky_scale.py").read_text()
    for index in range(OPS):
        kernel(made, index).parent.mkdir(parents=True)
        kernel(made, index).write_text(text.replace("leaky_scale", f"op_{index}"))
        (directory(made, index) / "BUILD.bazel").write_text(OPERATOR.format(name=f"op_{index}"))
    ops = ", ".join(f'"//ops/op_{index}"' for index in range(OPS))
    (made.path / "ops/BUILD.bazel").write_text(PACKAGES.format(ops=ops))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def built(workspace):
    """Every test starts from a full build of the unedited operators."""
    kept = {path: path.read_text() for path in (workspace.path / "ops").rglob("*") if path.is_file()}
    yield workspace.build(PACKAGE, "--output_groups=+manifest")
    for path, text in kept.items():
        path.write_text(text)


def manifest(workspace):
    return json.loads((workspace.path / "bazel-bin/ops/pkg.manifest.json").read_text())


def test_one_package_has_every_soc_and_operator(workspace, built):
    assert built.counts["CppCompile"] == OPS * len(SOCS) * KEYS
    assert built.counts["PyptoLink"] == OPS * len(SOCS)
    assert built.counts["PyptoPackage"] == 1
    found = {(variant["op_file"], variant["soc"]) for variant in manifest(workspace)["variants"]}
    assert found == {(f"op_{index}", soc) for index in range(OPS) for soc in SOCS}


def test_an_edit_of_one_branch(workspace):
    workspace.edit(kernel(workspace, 3), "tiling.total - start)", "tiling.total - start + 0 * start)")
    result = workspace.build(PACKAGE)
    # tail == 1 is legal with the tiles 64 and 128.
    assert dict(result.counts) == {
        "PyptoContract": len(SOCS),
        "PyptoCodegen": len(SOCS),
        "CppCompile": 2 * len(SOCS),
        "PyptoLink": len(SOCS),
        "PyptoPackage": 1,
    }


def test_options_of_one_soc(workspace):
    selected = 'select({"@pypto_rules//pypto_rules/platforms:soc_ascend950": ["-O1"], "//conditions:default": []})'
    workspace.edit(directory(workspace, 5) / "BUILD.bazel", "    dtypes =", f"    copts = {selected},\n    dtypes =")
    result = workspace.build(PACKAGE, "--output_groups=+manifest")
    assert result.counts["CppCompile"] == KEYS
    with_option = {(v["op_file"], v["soc"]) for v in manifest(workspace)["variants"] if "-O1" in v["options"]}
    assert with_option == {("op_5", "ascend950")}


def test_the_command_line_chooses_among_them(workspace):
    result = workspace.build(
        PACKAGE, "--output_groups=+manifest", "--@pypto_rules//pypto_rules/settings:soc=Ascend910B3"
    )
    assert "//ops:pkg: Ascend910B3 is built as ascend910b" in result.text
    assert result.counts["CppCompile"] == 0, "the same variants"
    assert manifest(workspace)["socs"] == ["ascend910b"]


def test_installed_and_removed_from_the_workspace(workspace, tmp_path):
    place = tmp_path / "a place"
    place.mkdir()
    installed = workspace.bazel("run", f"{PACKAGE}.install", "--", f"--install-path={place}", "--quiet")
    assert installed.code == 0, installed.text
    assert (place / "vendors/acme/manifest.json").is_file()
    removed = workspace.bazel("run", f"{PACKAGE}.uninstall", "--", f"--install-path={place}")
    assert removed.code == 0, removed.text
    assert f"Removed acme from {place}/vendors." in removed.text
    assert not (place / "vendors").exists()
    assert workspace.bazel("run", f"{PACKAGE}.install", "--", "--instal-path=/x").code == 2


def test_build_sh(workspace):
    launcher = str(workspace.launcher())
    written = workspace.bazel("run", "@pypto_rules//pypto_rules/tools:init", "--", "--launcher", launcher)
    assert written.code == 0, written.text

    def build_sh(*words):
        command = ["bash", str(workspace.path / "build.sh"), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)

    done = build_sh("--pkg", "--soc=ascend910b,ascend950", "--ops=op_1,op_2", "--vendor_name=drop_in", "-j2")
    assert done.returncode == 0, done.stdout + done.stderr
    (installer,) = (workspace.path / "build_out").glob("cann-ops-drop_in_linux-*.run")
    shown = subprocess.run(["bash", str(installer), "--info"], capture_output=True, text=True, check=True).stdout
    assert "vendor: drop_in" in shown and "socs: ascend910b, ascend950" in shown
    wrong = build_sh("--pkg", "--ops=op_1,op_9")
    assert wrong.returncode == 2 and "no operator is called 'op_9'; did you mean op_" in wrong.stderr
    assert build_sh("--pkgs").returncode == 2


def test_a_stamp_is_in_version_info_alone(workspace):
    tree = workspace.path / "bazel-bin/ops/pkg.tree/vendors/acme"
    workspace.build(PACKAGE, "--output_groups=tree")
    assert "build_date" not in (tree / "version.info").read_text()
    workspace.build(PACKAGE, "--output_groups=tree", "--stamp")
    assert "\nbuild_date=20" in (tree / "version.info").read_text()


def test_a_package_for_debian(workspace, tmp_path):
    workspace.build(f"{PACKAGE}.deb")
    workspace.build(PACKAGE, "--output_groups=tree")
    (deb,) = (workspace.path / "bazel-bin/ops").glob("cann-ops-acme_1.0.0_*.deb")

    def dpkg_deb(*words):
        return subprocess.run(["dpkg-deb", *words], capture_output=True, text=True, check=True).stdout

    assert dpkg_deb("-f", str(deb), "Package", "Maintainer", "Description").splitlines() == [
        "Package: cann-ops-acme",
        "Maintainer: acme",
        "Description: Operators of acme for Ascend NPUs (ascend910b, ascend950)",
    ]
    dpkg_deb("-R", str(deb), str(tmp_path))
    assert "davinci" in (tmp_path / "DEBIAN/preinst").read_text(), "a twin package and a machine with an NPU"
    installed = tmp_path / "opt/ascend/vendors/acme"
    shipped = {str(path.relative_to(installed)) for path in installed.rglob("*")}
    tree = workspace.path / "bazel-bin/ops/pkg.tree/vendors/acme"
    built = {str(path.relative_to(tree)) for path in tree.rglob("*")}
    assert shipped == built | {"bin", "bin/set_env.bash"}
    command = f"source '{installed}/bin/set_env.bash' && echo $ASCEND_CUSTOM_OPP_PATH"
    sourced = subprocess.run(["bash", "-c", command], env={}, capture_output=True, text=True, check=True)
    assert sourced.stdout.strip() == str(installed)


def test_versions_that_distributions_refuse(workspace):
    workspace.edit(workspace.path / "ops/BUILD.bazel", '"acme"', '"acme", version = "v1-rc"')
    deb = workspace.bazel("build", f"{PACKAGE}.deb")
    assert deb.code == 1 and "version 'v1-rc' cannot be that of a .deb" in deb.text
    rpm = workspace.bazel("build", f"{PACKAGE}.rpm")
    assert rpm.code == 1 and "version 'v1-rc' cannot be that of an .rpm" in rpm.text


def test_bill_of_materials(workspace):
    workspace.build(f"{PACKAGE}.sbom")
    document = json.loads((workspace.path / "bazel-bin/ops/pkg.sbom.cdx.json").read_text())
    listed = {component["name"]: component["hashes"][0]["content"] for component in document["components"]}
    assert listed == {file["path"]: file["sha256"] for file in manifest(workspace)["files"]}
