"""The twin's toolchains: one per supported SoC, every field set, chosen by the device platform alone."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//pypto_rules/private:socs.bzl", "SUPPORTED_SOCS")

def _fields_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[platform_common.ToolchainInfo].pypto
    asserts.equals(env, "twin", info.backend)
    asserts.equals(env, ctx.attr.soc, info.soc)
    for tool in [info.contract, info.codegen, info.link]:
        asserts.true(env, tool.executable != None)
    asserts.true(env, info.runtime.compilation_context.headers.to_list() != [])
    asserts.true(env, "-std=c++17" in info.copts)
    asserts.true(env, info.cc_toolchain != None)
    return analysistest.end(env)

_fields_test = analysistest.make(_fields_impl, attrs = {"soc": attr.string()})

def toolchain_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    tests = []
    for soc in SUPPORTED_SOCS:
        _fields_test(name = soc + "_test", soc = soc, target_under_test = "//toolchains/twin:twin_" + soc)
        tests.append(soc + "_test")
    native.test_suite(name = name, tests = tests)
