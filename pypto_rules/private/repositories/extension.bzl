"""The module extension: what the rules fetch beside their modules."""

load(":cross_compilers.bzl", "cross_compilers_repository")
load(":makeself.bzl", "makeself_repository")
load(":python_packages.bzl", "python_packages")
load(":rpmbuild.bzl", "rpmbuild_repository")

def _pypto_impl(module_ctx):
    python_packages(
        name = "pypto_build_deps",
        requirements = Label("//third_party/python:build_requirements.txt"),
        # The C speed-up would tie the tools to one interpreter; the Python fallback fits all.
        remove = {"markupsafe": ["markupsafe/_speedups*"]},
    )
    python_packages(
        name = "pypto_cc_deps",
        headers = {"nlohmann_json": "nlohmann_json/include"},
        requirements = Label("//third_party/python:cc_requirements.txt"),
    )
    python_packages(
        name = "pypto_sbom_deps",
        requirements = Label("//third_party/python:sbom_requirements.txt"),
    )
    python_packages(
        name = "pypto_test_deps",
        requirements = Label("//third_party/python:test_requirements.txt"),
    )
    cross_compilers_repository(name = "pypto_cross_compilers")
    makeself_repository(name = "pypto_makeself")
    rpmbuild_repository(name = "pypto_rpmbuild")
    return module_ctx.extension_metadata(reproducible = True)

pypto = module_extension(
    implementation = _pypto_impl,
    doc = """Makes the repositories that the rules use:

* `pypto_build_deps`: Python packages of the tools that actions run (jinja2);
* `pypto_cc_deps`: C++ headers of the twin's host library (nlohmann/json);
* `pypto_cross_compilers`: C++ toolchains of the machine's cross compilers;
* `pypto_sbom_deps`: the library that writes bills of materials (cyclonedx-python-lib);
* `pypto_test_deps`: Python packages of tests (pytest, numpy, ml_dtypes, pyelftools, fastjsonschema);
* `pypto_makeself`: the archiver of self-extracting installers;
* `pypto_rpmbuild`: the machine's rpmbuild as a toolchain.

Each is fetched when a target needs it. It has no tags.""",
)
