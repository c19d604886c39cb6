"""Fitting Debian's Bazel to another place."""

import os
import zipfile
from pathlib import Path

import pytest

from tools.bootstrap import bazel_prefix
from tools.bootstrap.debian_archive import ArchiveError


def make_jar(path: Path, manifest: str | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("x", "")
        if manifest is not None:
            jar.writestr("META-INF/MANIFEST.MF", manifest)


@pytest.mark.parametrize(
    "package",
    [
        "bazel-bootstrap",
        "libc6",
        "libstdc++6",
        "libgcc-s1",
        "gcc-16-base",
        "openjdk-25-jre-headless",
        "libgrpc29t64",
        "zlib1g",
        "makeself",
    ],
)
def test_what_bazel_needs_is_kept(package: str):
    assert bazel_prefix.is_needed(package)


@pytest.mark.parametrize(
    "package",
    [
        "gcc-16",
        "g++",
        "cpp-16",
        "libgcc-16-dev",
        "python3.14-minimal",
        "perl-base",
        "openjdk-25-jdk-headless",
        "node-core-js",
        "libasan8",
    ],
)
def test_what_the_machine_has_is_left_out(package: str):
    assert not bazel_prefix.is_needed(package)


def test_class_path_of_a_manifest_continues_on_the_next_line():
    manifest = (
        "Manifest-Version: 1.0\r\nClass-Path: /usr/share/java/a.jar file:///usr/sh\r\n are/java/b.jar c.jar\r\nX: y\r\n"
    )
    assert bazel_prefix.manifest_class_path(manifest) == ["/usr/share/java/a.jar", "/usr/share/java/b.jar", "c.jar"]
    assert bazel_prefix.manifest_class_path("Manifest-Version: 1.0\n") == []


def test_jars_named_by_jars_are_added(tmp_path: Path):
    java = tmp_path / "usr/share/java"
    make_jar(java / "a.jar", "Class-Path: /usr/share/java/b.jar absent.jar\n")
    make_jar(java / "b.jar", "Class-Path: sub/../c.jar /usr/share/java/a.jar\n")
    (java / "sub").mkdir()
    make_jar(java / "c.jar", None)
    start = ["/usr/share/java/a.jar", "/usr/share/java/missing.jar"]
    assert bazel_prefix.complete_class_path(tmp_path, start) == [
        *start,
        "/usr/share/java/b.jar",
        "/usr/share/java/c.jar",
    ]


def test_class_path_names_the_final_place(tmp_path: Path):
    make_jar(tmp_path / "usr/share/java/a.jar", None)
    file = tmp_path / "usr/share/bazel/bazel_classpath_debian_depends.txt"
    file.parent.mkdir(parents=True)
    file.write_text("/usr/share/java/a.jar\nrelative.jar\n\n")
    bazel_prefix.rewrite_class_path(tmp_path, Path("/final/prefix"))
    assert file.read_text() == "/final/prefix/usr/share/java/a.jar\nrelative.jar\n"


def test_links_stay_inside_where_the_target_is(tmp_path: Path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/real").write_text("x")
    (tmp_path / "usr/lib").mkdir(parents=True)
    (tmp_path / "usr/lib/file").symlink_to("/etc/real")
    (tmp_path / "usr/lib/directory").symlink_to("/etc")
    (tmp_path / "usr/lib/outside").symlink_to("/etc/of-the-machine")
    (tmp_path / "usr/lib/relative").symlink_to("file")
    bazel_prefix.relink(tmp_path)
    links = {path.name: os.readlink(path) for path in (tmp_path / "usr/lib").iterdir()}
    assert links == {
        "directory": "../../etc",
        "file": "../../etc/real",
        "outside": "/etc/of-the-machine",
        "relative": "file",
    }


def test_the_newest_java_is_used(tmp_path: Path):
    for name in ("java-21-openjdk-amd64", "java-25-openjdk-amd64"):
        (tmp_path / f"usr/lib/jvm/{name}/bin").mkdir(parents=True)
        (tmp_path / f"usr/lib/jvm/{name}/bin/java").touch()
    assert bazel_prefix.jdk_directory(tmp_path) == "usr/lib/jvm/java-25-openjdk-amd64"
    with pytest.raises(ArchiveError):
        bazel_prefix.jdk_directory(tmp_path / "usr")


@pytest.fixture
def prefix_with_java(tmp_path: Path) -> Path:
    """A prefix whose Java writes its arguments into the store it shall make."""
    java = tmp_path / "usr/lib/jvm/java-25-openjdk-amd64/bin/java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/bash\necho "$2" >"$3"\n')
    java.chmod(0o755)
    security = java.parents[1] / "lib/security"
    security.mkdir(parents=True)
    (security / "cacerts").symlink_to(tmp_path / "store of the machine")
    return tmp_path


def test_trust_store_is_made_where_the_machine_has_none(prefix_with_java: Path):
    certificates = prefix_with_java / "ca.pem"
    store = prefix_with_java / "usr/lib/jvm/java-25-openjdk-amd64/lib/security/cacerts"
    bazel_prefix.add_trust_store(prefix_with_java, certificates)
    assert store.is_symlink()
    certificates.touch()
    bazel_prefix.add_trust_store(prefix_with_java, certificates)
    assert (store.is_symlink(), store.read_text()) == (False, f"{certificates}\n")


def test_trust_store_of_the_machine_is_used(prefix_with_java: Path):
    (prefix_with_java / "store of the machine").write_text("x")
    (prefix_with_java / "ca.pem").touch()
    bazel_prefix.add_trust_store(prefix_with_java, prefix_with_java / "ca.pem")
    assert (prefix_with_java / "usr/lib/jvm/java-25-openjdk-amd64/lib/security/cacerts").is_symlink()


def test_rc_file_names_the_root_only():
    text = bazel_prefix.render_bazelrc(Path("/r"), "usr/lib/jvm/java")
    assert "startup --server_javabase=/r/prefix/usr/lib/jvm/java\n" in text
    assert "common --registry=file:///r/registry\n" in text
    assert "common --override_module=rules_cc=/r/prefix/usr/share/bazel/rules/cc\n" in text
    assert all(line.startswith(("#", "startup --", "common --")) for line in text.splitlines())


def test_registry_holds_what_modules_name():
    registry = Path("tools/registry")
    sources = sorted(path.parent for path in registry.glob("modules/*/*/source.json"))
    assert sources
    for directory in sources:
        name, version = directory.parts[-2:]
        module = (directory / "MODULE.bazel").read_text()
        assert f'    name = "{name}",\n    version = "{version}",\n' in module
