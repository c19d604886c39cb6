"""What a kernel test is given: the kernel's binaries and what tells of them; and that it takes kernels alone."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//pypto_rules:defs.bzl", "pypto_kernel")
load("//pypto_rules/private:tested_kernel.bzl", "tested_kernel")

def _files_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[DefaultInfo]
    asserts.equals(env, ["subject.bin"], [f.basename for f in info.files.to_list()])
    asserts.equals(
        env,
        ["subject.bin", "subject.kernel.json", "subject.python", "subject.source_map.json", "subject.variants.json"],
        sorted([f.basename for f in info.default_runfiles.files.to_list()]),
    )
    return analysistest.end(env)

_files_test = analysistest.make(_files_impl)

def _no_kernel_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "PyptoKernelInfo")
    return analysistest.end(env)

_no_kernel_test = analysistest.make(_no_kernel_impl, expect_failure = True)

def kernel_test_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    pypto_kernel(name = "subject", src = "subject.py", tags = ["manual"])
    tested_kernel(name = "under_test", kernel = ":subject", tags = ["manual"])
    _files_test(name = "files_test", target_under_test = ":under_test")
    native.filegroup(name = "no_kernel", srcs = ["subject.py"])
    tested_kernel(name = "wrong_subject", kernel = ":no_kernel", tags = ["manual"])
    _no_kernel_test(name = "no_kernel_test", target_under_test = ":wrong_subject")
    native.test_suite(name = name, tests = ["files_test", "no_kernel_test"])
