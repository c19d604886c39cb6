"""The host side of an operator, rule by rule: actions, what they see, what a package links of it, and the refusals."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//pypto_rules:defs.bzl", "pypto_aclnn", "pypto_kernel", "pypto_op_def", "pypto_op_host", "pypto_op_package", "pypto_tiling_headers", "pypto_tiling_test")
load("//pypto_rules:providers.bzl", "PyptoAclnnInfo", "PyptoOpInfo")
load("//pypto_rules/private:operator.bzl", "pypto_operator")

_SOC = str(Label("//pypto_rules/settings:soc"))
_PLATFORMS = "//command_line_option:platforms"

def _actions(env, mnemonic):
    return [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]

def _follows(argv, flag):
    return [argv[i + 1] for i in range(len(argv) - 1) if argv[i] == flag]

def _compile_of(env, source):
    for action in _actions(env, "CppCompile"):
        if [a for a in action.argv if a.endswith("/" + source)]:
            return action
    fail("no compile of " + source)

# Tiling sources see TilingData and TilingKey without an include; the others do not wait for the contract.
def _host_impl(ctx):
    env = analysistest.begin(ctx)
    tiling = _compile_of(env, "subject_tiling.cpp")
    asserts.equals(env, ["subject_tiling_host.h"], [p.rpartition("/")[2] for p in _follows(tiling.argv, "-include")])
    infershape = _compile_of(env, "subject_infershape.cpp")
    asserts.equals(env, [], _follows(infershape.argv, "-include"))
    for action in [tiling, infershape]:
        asserts.true(env, "-std=c++17" in action.argv)
        asserts.true(env, "-fvisibility=hidden" in action.argv)

    # What is checked apart from the build: copies of the TilingData, and lists of binaries, both kept by hand.
    for mnemonic in ["PyptoHostCopies", "PyptoBinaryList"]:
        (check,) = _actions(env, mnemonic)
        (checked,) = check.outputs.to_list()
        asserts.true(env, checked in analysistest.target_under_test(env)[OutputGroupInfo]._validation.to_list(), mnemonic)
    (binary_list,) = _actions(env, "PyptoBinaryList")
    asserts.equals(env, ["operator"], _follows(binary_list.argv, "--soc"))
    return analysistest.end(env)

_host_test = analysistest.make(_host_impl)

def _op_def_impl(ctx):
    env = analysistest.begin(ctx)
    (action,) = _actions(env, "PyptoOpDef")
    asserts.equals(env, ["tests/unit/operator/subject_def.cpp"], _follows(action.argv, "--shown"))
    asserts.equals(env, ["Subject"], _follows(action.argv, "--op-type"))

    # The library is what it depends on, not the source: its compile is pruned by Bazel.
    asserts.false(env, "subject_def.cpp" in [f.basename for f in action.inputs.to_list()])
    return analysistest.end(env)

_op_def_test = analysistest.make(_op_def_impl)

def _aclnn_impl(ctx):
    env = analysistest.begin(ctx)
    generated = _actions(env, "PyptoAclnn")
    asserts.equals(env, ctx.attr.generated, len(generated))
    if generated:
        asserts.equals(env, [ctx.attr.type], _follows(generated[0].argv, "--type"))
    shipped = analysistest.target_under_test(env)[PyptoAclnnInfo].headers.to_list()
    asserts.equals(env, ctx.attr.shipped, [f.basename for f in shipped])
    return analysistest.end(env)

_aclnn_test = analysistest.make(_aclnn_impl, attrs = {
    "generated": attr.int(),
    "shipped": attr.string_list(),
    "type": attr.string(),
})

# A package of two SoCs: kernels twice, host libraries once, and those in the package's own platform.
def _package_impl(ctx):
    env = analysistest.begin(ctx)
    links = _actions(env, "CppLink")
    asserts.equals(
        env,
        ["libcust_opapi.so", "libcust_opmaster_rt2.0.so", "libcust_opsproto_rt2.0.so"],
        sorted([a.outputs.to_list()[0].basename for a in links]),
    )
    (package,) = _actions(env, "PyptoPackage")
    inputs = package.inputs.to_list()
    own = package.outputs.to_list()[0].root.path
    for name in ["libcust_opapi.so", "libcust_opmaster_rt2.0.so", "libcust_opsproto_rt2.0.so"]:
        asserts.equals(env, 1, len([f for f in inputs if f.basename == name]), name)
    asserts.equals(env, 1, len([f for f in inputs if f.basename.endswith(".op.json")]))
    asserts.equals(env, 2, len([f for f in inputs if f.basename == "subject.variants.json"]))
    compiled = [f for link in links for f in link.inputs.to_list() if f.extension in ("a", "o", "lo")]
    asserts.true(env, compiled != [])
    for archive in compiled:
        asserts.equals(env, own, archive.root.path, archive.basename)
    return analysistest.end(env)

_package_test = analysistest.make(_package_impl, config_settings = {_SOC: ["ascend910b", "ascend950"]})

# In a device platform, where packages build kernels, nobody looks at the host side.
def _device_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[PyptoOpInfo]
    asserts.equals(env, None, info.host)
    asserts.equals(env, None, info.aclnn)
    return analysistest.end(env)

_device_test = analysistest.make(_device_impl, config_settings = {_PLATFORMS: [str(Label("//pypto_rules/platforms:ascend950"))]})

def _failure_impl(ctx):
    env = analysistest.begin(ctx)
    for text in ctx.attr.texts:
        asserts.expect_failure(env, text)
    return analysistest.end(env)

_failure_test = analysistest.make(_failure_impl, attrs = {"texts": attr.string_list()}, expect_failure = True)

def _subjects():
    """The targets under test. `subject` has a host side, `bare` has none."""
    pypto_op_def(name = "subject_op_def", src = "subject_def.cpp", op_type = "Subject", tags = ["manual"])
    pypto_kernel(name = "subject_kernel", src = "subject.py", op_def = ":subject_op_def", output_name = "subject", tags = ["manual"])
    pypto_tiling_headers(name = "subject_tiling", kernel = ":subject_kernel", tags = ["manual"])
    pypto_op_host(
        name = "subject_host",
        binary_lists = ["subject_binary.json"],
        infershape_srcs = ["subject_infershape.cpp"],
        op_def = ":subject_op_def",
        output_name = "subject",
        tags = ["manual"],
        tiling = ":subject_tiling",
        tiling_srcs = ["subject_tiling.cpp"],
    )
    pypto_aclnn(name = "subject_aclnn", op_def = ":subject_op_def", output_name = "subject", tags = ["manual"])
    pypto_aclnn(name = "inner_aclnn", aclnn_type = "aclnn_inner", op_def = ":subject_op_def", tags = ["manual"])
    by_hand = {"aclnn_type": "aclnn_exclude", "op_def": ":subject_op_def", "tags": ["manual"]}
    pypto_aclnn(name = "by_hand_aclnn", srcs = ["by_hand.cpp"], hdrs = ["by_hand.h"], **by_hand)
    pypto_aclnn(name = "nothing_aclnn", **by_hand)
    devices = {Label("//pypto_rules/platforms:soc_ascend950"): None}
    pypto_operator(
        name = "subject",
        aclnn = select(devices | {"//conditions:default": "subject_aclnn"}),
        host = select(devices | {"//conditions:default": "subject_host"}),
        kernel = "subject_kernel",
        op_def = "subject_op_def",
        tags = ["manual"],
    )
    pypto_operator(name = "bare", kernel = "subject_kernel", tags = ["manual"])
    pypto_op_package(name = "pkg", ops = [":subject"], tags = ["manual"])
    pypto_tiling_test(name = "of_bare", srcs = ["test_bare.py"], op = ":bare", tags = ["manual"])

def operator_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    _subjects()
    _host_test(name = "host_test", target_under_test = ":subject_host")
    _op_def_test(name = "op_def_test", target_under_test = ":subject_op_def")
    _aclnn_test(name = "aclnn_test", generated = 1, shipped = ["subject.aclnn"], target_under_test = ":subject_aclnn", type = "aclnn")
    _aclnn_test(name = "aclnn_inner_test", generated = 1, target_under_test = ":inner_aclnn", type = "aclnn_inner")
    _aclnn_test(name = "aclnn_exclude_test", generated = 0, shipped = ["by_hand.h"], target_under_test = ":by_hand_aclnn")
    _package_test(name = "package_test", target_under_test = ":pkg")
    _device_test(name = "device_test", target_under_test = ":subject")
    _failure_test(
        name = "aclnn_exclude_of_nothing_test",
        target_under_test = ":nothing_aclnn",
        texts = ["aclnn_type is aclnn_exclude", "Name op_api/*.cpp in `srcs`"],
    )
    _failure_test(
        name = "tiling_test_of_bare_test",
        target_under_test = ":of_bare_operator",
        texts = ["has no host side to test", "Add the op_host sources"],
    )
    native.test_suite(name = name, tests = [
        "aclnn_exclude_of_nothing_test",
        "aclnn_exclude_test",
        "aclnn_inner_test",
        "aclnn_test",
        "device_test",
        "host_test",
        "op_def_test",
        "package_test",
        "tiling_test_of_bare_test",
    ])
