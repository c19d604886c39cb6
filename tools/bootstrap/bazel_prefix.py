"""Makes Debian's Bazel run from a directory that it was not built for.

Debian's packages expect their files in /usr and the C library of their own release. Here they are unpacked
anywhere: programs get the loader and library path of the prefix, lists of jars and links get its path.
`build` is where the files are now, `final` where they will be once the directory is renamed.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from pathlib import Path

from tools.bootstrap.debian_archive import ArchiveError, last_lines, run

# Debian architecture → directory of libraries, loader.
MACHINES = {
    "amd64": ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "arm64": ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}

PACKAGES = (
    "bazel-bootstrap",
    "bazel-rules-pkg",
    "bazel-rules-shell",
    "bazel-stardoc",
    "locales",
    "makeself",
    "patchelf",
)

# The locale Bazel starts its server in: file names are bytes to it, and only in this locale are they so to Java.
SERVER_LOCALE = ("en_US", "ISO-8859-1")

# What the machine has itself (compilers, interpreters, the base system) or no one reads (manuals).
_NOT_NEEDED = re.compile(
    r"^(gcc-(?!\d+-base)|gcc$|g\+\+|cpp|binutils|libbinutils|build-essential|make$|patch$|dpkg|linux-libc-dev"
    r"|libc6-dev|libc-dev|libc-gconv|libstdc\+\+-\d+-dev|libgcc-\d+-dev|lib([atlu]|hwa)san|libubsan|libitm|libgomp|libquadmath"
    r"|libgprofng|libctf|libsframe|libcc1|libisl|libmpc|libmpfr|perl|libperl|libdpkg|python3|libpython3|node-|libjs-"
    r"|default-j|openjdk-\d+-jdk|ca-certificates|media-types|tzdata|netbase|debconf|libpam|util-linux|readline"
    r"|openssl$|bzip2$|unzip$|xz-utils$|zlib1g-dev|velocity$)"
)

# Modules that Bazel's own tools name, at versions that only the Central Registry has → directory of Debian's.
OVERRIDDEN_MODULES = {
    "bazel_features": "tools/features",
    "bazel_skylib": "tools/skylib",
    "platforms": "tools/platforms",
    "rules_cc": "rules/cc",
    "rules_java": "rules/java",
    "rules_license": "rules/license",
    "rules_proto": "rules/proto",
    "rules_python": "rules/python",
}

_UNREAD = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/maven-repo",
    "usr/share/lintian",
    "usr/share/bug",
)


def is_needed(package: str) -> bool:
    """Tells whether a package of Bazel's closure is unpacked."""
    return not _NOT_NEEDED.match(package)


def jdk_directory(prefix: Path) -> str:
    """Returns the JDK's directory relative to the prefix."""
    found = sorted(path for path in prefix.glob("usr/lib/jvm/java-*-openjdk-*") if (path / "bin/java").exists())
    if not found:
        raise ArchiveError("the packages that were downloaded hold no Java; please report this")
    return str(found[-1].relative_to(prefix))


def manifest_class_path(manifest: str) -> list[str]:
    """Returns the Class-Path entries of a jar's manifest (lines continue after a newline and a space)."""
    match = re.search(r"^Class-Path:(.*)$", manifest.replace("\r\n", "\n").replace("\n ", ""), re.MULTILINE)
    return [entry.removeprefix("file://") for entry in match.group(1).split()] if match else []


def read_manifest(jar: Path) -> str:
    """Returns a jar's manifest, "" when it has none."""
    with zipfile.ZipFile(jar) as archive:
        if "META-INF/MANIFEST.MF" not in archive.namelist():
            return ""
        return archive.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")


def complete_class_path(build: Path, jars: list[str]) -> list[str]:
    """Returns jars (paths from /) and all jars that their manifests name by path from /.

    Java looks for those outside the prefix, so that they must be listed beside the ones that name them.
    """
    known, queue = list(jars), list(jars)
    while queue:
        jar = queue.pop()
        file = build / jar.lstrip("/")
        if not file.exists():
            continue
        for entry in manifest_class_path(read_manifest(file)):
            path = os.path.normpath(entry if entry.startswith("/") else os.path.join(os.path.dirname(jar), entry))
            if path not in known and (build / path.lstrip("/")).exists():
                known.append(path)
                queue.append(path)
    return known


def rewrite_class_path(build: Path, final: Path) -> None:
    """Gives the list of jars of Bazel's server the prefix's path."""
    file = build / "usr/share/bazel/bazel_classpath_debian_depends.txt"
    jars = [line for line in file.read_text().splitlines() if line]
    lines = [str(final) + jar if jar.startswith("/") else jar for jar in complete_class_path(build, jars)]
    file.write_text("\n".join(lines) + "\n")


def relink(build: Path) -> None:
    """Turns links to paths from / into links within the prefix, where the target is there."""
    for directory, names, files in os.walk(build):
        for name in [*names, *files]:
            link = Path(directory, name)
            if link.is_symlink() and (target := os.readlink(link)).startswith("/"):
                inside = build / target.lstrip("/")
                if inside.exists() or inside.is_symlink():
                    link.unlink()
                    link.symlink_to(os.path.relpath(inside, directory))


def patch_programs(build: Path, final: Path, architecture: str) -> None:
    """Gives programs the prefix's loader and libraries."""
    triplet, loader = MACHINES[architecture]
    libraries, jdk = f"usr/lib/{triplet}", jdk_directory(build)
    candidates = [build / "usr/bin/bazel", build / jdk / "lib/jspawnhelper"]
    for directory in (f"usr/libexec/{triplet}/bazel", f"{jdk}/bin"):
        candidates += sorted((build / directory).iterdir())
    programs = [str(path) for path in candidates if path.is_file() and not path.is_symlink() and _is_elf(path)]
    options = ["--set-interpreter", str(final / libraries / loader), "--force-rpath"]
    options += ["--set-rpath", f"{final / libraries}:{final / jdk / 'lib'}"]
    result = run([*_own_program(build, architecture, "patchelf"), *options, *programs])
    if result.returncode:
        raise ArchiveError(f"patchelf failed on the programs of Bazel:\n{last_lines(result.stderr)}")


def _own_program(build: Path, architecture: str, name: str) -> list[str]:
    """Command of a program of the prefix that is not patched: the loader runs it."""
    triplet, loader = MACHINES[architecture]
    libraries = build / "usr/lib" / triplet
    return [str(libraries / loader), "--library-path", str(libraries), str(build / "usr/bin" / name)]


def make_locale(build: Path, directory: Path, architecture: str) -> None:
    """Makes the locale of Bazel's server in `directory`, from sources that are removed then.

    Without it a workspace in a directory with a Chinese name is not found, nor are such files below one.
    """
    directory.mkdir()
    territory, charset = SERVER_LOCALE
    sources = build / "usr/share/i18n"
    command = [*_own_program(build, architecture, "localedef"), "-i", str(sources / "locales" / territory)]
    result = run([*command, "-f", charset, str(directory / f"{territory}.{charset}")], I18NPATH=str(sources))
    if result.returncode:
        raise ArchiveError(f"localedef failed on {territory}.{charset}:\n{last_lines(result.stderr)}")
    shutil.rmtree(sources, ignore_errors=True)


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def remove_unread(build: Path) -> None:
    """Removes manuals and the like."""
    for directory in _UNREAD:
        shutil.rmtree(build / directory, ignore_errors=True)


def add_trust_store(prefix: Path, certificates: Path = Path("/etc/ssl/certs/ca-certificates.crt")) -> None:
    """Lets Bazel's own downloads trust what the machine trusts, where its Java has no list of its own.

    Needs the prefix at its final place. Without certificates only such downloads fail, so that is no error.
    """
    jdk = prefix / jdk_directory(prefix)
    store = jdk / "lib/security/cacerts"
    if store.exists() or not certificates.is_file():
        return
    store.unlink(missing_ok=True)
    program = Path(__file__).with_name("TrustStore.java")
    result = run([str(jdk / "bin/java"), str(program), str(certificates), str(store)])
    if result.returncode:
        raise ArchiveError(f"Java cannot read {certificates}:\n{last_lines(result.stderr)}")


def render_bazelrc(root: Path, jdk: str) -> str:
    """Returns the rc file that makes this Bazel and its modules work; `root` is the final place."""
    prefix = root / "prefix"
    share = prefix / "usr/share/bazel"
    lines = [
        "# Made by bazelw together with this directory.",
        f"startup --install_base={share}",
        "startup --trust_install_base",
        f"startup --server_javabase={prefix / jdk}",
        f"common --registry=file://{root}/registry",
        "# Bazel's WORKSPACE defaults download modules from the network.",
        "common --noenable_workspace",
        *(f"common --override_module={name}={share / path}" for name, path in sorted(OVERRIDDEN_MODULES.items())),
        "# Without rules_python's own interpreters, actions use the machine's.",
        "common --repo_env=PYPTO_PYTHON_VERSION=host",
        f"common --repo_env=PYPTO_MAKESELF={prefix}",
    ]
    return "\n".join(lines) + "\n"
