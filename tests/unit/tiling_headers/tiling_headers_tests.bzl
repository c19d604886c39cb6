"""pypto_tiling_headers and pypto_op: what host code gets to see of a kernel."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_python//python:defs.bzl", "PyInfo")
load("//pypto_rules:defs.bzl", "pypto_kernel_test", "pypto_op")
load("//pypto_rules:providers.bzl", "PyptoTilingHeadersInfo")

def _headers_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    headers = target[PyptoTilingHeadersInfo]
    context = target[CcInfo].compilation_context
    asserts.equals(env, "subject_tiling_host.h", headers.host_include.basename)
    asserts.equals(
        env,
        sorted([headers.directory.path, headers.host_include.path]),
        sorted([f.path for f in context.headers.to_list()]),
    )

    # `-include subject_tiling_host.h` and its own bare includes must be found.
    asserts.true(env, headers.directory.path in context.includes.to_list())
    asserts.true(env, headers.host_include.dirname in context.quote_includes.to_list())

    # The rule itself runs nothing: the kernel's actions make the headers, once.
    asserts.equals(env, [], [a.mnemonic for a in analysistest.target_actions(env) if a.mnemonic.startswith("Pypto")])
    return analysistest.end(env)

_headers_test = analysistest.make(_headers_impl)

# A py_test finds `pypto_tiling` through any of these targets: the module is a source, in runfiles and on the search path.
def _module_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    (module,) = target[PyInfo].transitive_sources.to_list()
    asserts.equals(env, "tests/unit/tiling_headers/subject.python", module.short_path)
    asserts.equals(env, [ctx.workspace_name + "/" + module.short_path], target[PyInfo].imports.to_list())
    asserts.true(env, module in target[DefaultInfo].default_runfiles.files.to_list())
    if PyptoTilingHeadersInfo in target:
        asserts.equals(env, target[PyptoTilingHeadersInfo].python, module)
        asserts.true(env, module.is_directory)
    return analysistest.end(env)

_module_test = analysistest.make(_module_impl)

def tiling_headers_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    pypto_op(name = "subject", src = "subject.py", tags = ["manual"])
    _headers_test(name = "headers_test", target_under_test = ":subject_tiling")
    _module_test(name = "module_test", target_under_test = ":subject_tiling")
    pypto_kernel_test(name = "of_subject", srcs = ["test_subject.py"], kernel = ":subject", tags = ["manual"])
    _module_test(name = "kernel_test_module_test", target_under_test = ":of_subject_kernel")
    native.test_suite(name = name, tests = ["headers_test", "kernel_test_module_test", "module_test"])
