"""What the rules take of a host toolchain: libraries and definitions by role, generators that read the OpDef's library.

Nothing is built here, so that none of the files exists.
"""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//pypto_rules:defs.bzl", "pypto_aclnn", "pypto_kernel", "pypto_op_def", "pypto_op_host", "pypto_op_package")
load("//pypto_rules:providers.bzl", "PyptoOpDefInfo", "PyptoOpHostInfo")
load("//pypto_rules:toolchains.bzl", "pypto_host_toolchain")
load("//pypto_rules/private:operator.bzl", "pypto_operator")

_OTHER = {"//command_line_option:extra_toolchains": str(Label("//tests/unit/host_toolchain:other_toolchain"))}

def _actions(env, mnemonic):
    return [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]

def _names(argv):
    return [argument.rpartition("/")[2] for argument in argv]

def _between(argv, first, last):
    """The names of files between two arguments."""
    return _names(argv[argv.index(first) + 1:argv.index(last)])

# Archives whole, in front of the shared libraries that they need; of these the needed ones stay.
def _package_impl(ctx):
    env = analysistest.begin(ctx)
    links = {action.outputs.to_list()[0].basename: action for action in _actions(env, "CppLink")}
    asserts.equals(env, ["libcust_opapi.so", "libcust_opmaster_rt2.0.so", "libcust_opsproto_rt2.0.so"], sorted(links))
    master = links["libcust_opmaster_rt2.0.so"].argv
    asserts.equals(env, ["libmaster.a"], _between(master, "-Wl,--whole-archive", "-Wl,--no-whole-archive"))
    asserts.true(env, master.index("-Wl,--no-whole-archive") < master.index("-Wl,--as-needed"))
    asserts.equals(env, ["libmaster.so"], _names(master[master.index("-Wl,--as-needed") + 1:])[:1])
    for name, own in {"libcust_opapi.so": "libapi.so", "libcust_opsproto_rt2.0.so": "libproto.so"}.items():
        argv = links[name].argv
        asserts.equals(env, [own], [n for n in _names(argv) if n in ["libapi.so", "libmaster.so", "libproto.so"]])
        asserts.true(env, own in [f.basename for f in links[name].inputs.to_list()])
    asserts.false(env, "-Wl,--whole-archive" in links["libcust_opapi.so"].argv)
    return analysistest.end(env)

_package_test = analysistest.make(_package_impl, config_settings = _OTHER)

# Each source has the definitions of the library it goes to; the prototype's source is one of them.
def _host_impl(ctx):
    env = analysistest.begin(ctx)
    expected = {"subject_infershape.cpp": "-DROLE=ops_proto", "subject_tiling.cpp": "-DROLE=op_master"}
    expected[ctx.attr.prototype] = "-DROLE=ops_proto"
    compiled = {_names([a.argv[a.argv.index("-c") + 1]])[0]: a.argv for a in _actions(env, "CppCompile")}
    asserts.equals(env, sorted(expected), sorted(compiled))
    for source, define in expected.items():
        asserts.equals(env, [define], [a for a in compiled[source] if a.startswith("-DROLE=")])
    (generated,) = _actions(env, "PyptoProto")
    asserts.true(env, "libsubject_op_def_library.so" in [f.basename for f in generated.inputs.to_list()])
    asserts.true(env, "--library" in generated.argv)
    shipped = analysistest.target_under_test(env)[PyptoOpHostInfo].proto_headers.to_list()
    asserts.equals(env, [ctx.attr.shipped], [f.basename for f in shipped])
    return analysistest.end(env)

_host_test = analysistest.make(_host_impl, attrs = {"prototype": attr.string(), "shipped": attr.string()}, config_settings = _OTHER)

def _aclnn_impl(ctx):
    env = analysistest.begin(ctx)
    (generated,) = _actions(env, "PyptoAclnn")
    asserts.equals(env, ctx.attr.reads_library, "--library" in generated.argv)
    asserts.equals(env, ctx.attr.reads_library, "libsubject_op_def_library.so" in [f.basename for f in generated.inputs.to_list()])
    (compiled,) = _actions(env, "CppCompile")
    asserts.equals(env, ctx.attr.reads_library, "-DROLE=op_api" in compiled.argv)
    return analysistest.end(env)

_ACLNN = {"attrs": {"reads_library": attr.bool()}}

_aclnn_test = analysistest.make(_aclnn_impl, config_settings = _OTHER, **_ACLNN)

_twin_aclnn_test = analysistest.make(_aclnn_impl, **_ACLNN)

# The twin: one library for all, no definitions, prototypes by the package's tool.
def _twin_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[platform_common.ToolchainInfo].pypto_host
    for role in ["op_api", "op_master", "ops_proto"]:
        asserts.equals(env, [info.run_time], info.libraries[role])
        asserts.equals(env, [], info.defines[role])
    asserts.equals(env, None, info.proto)
    asserts.false(env, info.reads_library)
    return analysistest.end(env)

_twin_test = analysistest.make(_twin_impl)

def _op_def_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[PyptoOpDefInfo]
    asserts.true(env, info.library in info.library_files.to_list())
    return analysistest.end(env)

_op_def_test = analysistest.make(_op_def_impl)

def _failure_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "defines has the role 'op_tiling'. Allowed are op_api, op_master, ops_proto.")
    return analysistest.end(env)

_failure_test = analysistest.make(_failure_impl, expect_failure = True)

def _toolchains():
    """A host side with other libraries for every role, for the twin's kernels since a package has one backend; and one that cannot be."""
    cc_library(name = "empty", tags = ["manual"])
    options = {
        "acl": ":empty",
        "aclnn": "//pypto_rules/tools/aclnn",
        "backend": "twin",
        "op_api_libraries": ["libapi.so"],
        "op_def_dump": "//toolchains/twin/host_sdk:op_def_dump",
        "op_def_sdk": ":empty",
        "op_master_libraries": ["libmaster.a", "libmaster.so"],
        "ops_proto_libraries": ["libproto.so"],
        "proto": "//pypto_rules/tools/aclnn",
        "reads_library": True,
        "run_time": "libapi.so",
        "sdk": ":empty",
        "tags": ["manual"],
    }
    roles = ["op_api", "op_master", "ops_proto"]
    pypto_host_toolchain(name = "other", defines = {role: ["ROLE=" + role] for role in roles}, **options)
    pypto_host_toolchain(name = "unknown_role", defines = {"op_tiling": ["X"]}, **options)
    native.toolchain(name = "other_toolchain", toolchain = ":other", toolchain_type = "//pypto_rules:host_toolchain_type")

def _subjects():
    pypto_op_def(name = "subject_op_def", src = "subject_def.cpp", tags = ["manual"])
    host = {
        "infershape_srcs": ["subject_infershape.cpp"],
        "op_def": ":subject_op_def",
        "output_name": "subject",
        "tags": ["manual"],
        "tiling_srcs": ["subject_tiling.cpp"],
    }
    pypto_op_host(name = "subject_host", **host)
    pypto_op_host(name = "by_hand_host", proto_hdrs = ["by_hand_proto.h"], **(host | {"output_name": "by_hand"}))
    pypto_aclnn(name = "subject_aclnn", op_def = ":subject_op_def", output_name = "subject", tags = ["manual"])
    pypto_kernel(name = "subject_kernel", src = "subject.py", op_def = ":subject_op_def", output_name = "subject", tags = ["manual"])
    pypto_operator(
        name = "subject",
        aclnn = "subject_aclnn",
        host = "subject_host",
        kernel = "subject_kernel",
        op_def = "subject_op_def",
        tags = ["manual"],
    )
    pypto_op_package(name = "pkg", ops = [":subject"], tags = ["manual"])

def host_toolchain_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    _toolchains()
    _subjects()
    _package_test(name = "package_test", target_under_test = ":pkg")
    _host_test(name = "host_test", prototype = "subject_proto.cpp", shipped = "subject.proto", target_under_test = ":subject_host")
    _host_test(name = "by_hand_test", prototype = "by_hand_proto.cpp", shipped = "by_hand_proto.h", target_under_test = ":by_hand_host")
    _aclnn_test(name = "aclnn_test", reads_library = True, target_under_test = ":subject_aclnn")
    _twin_aclnn_test(name = "twin_aclnn_test", reads_library = False, target_under_test = ":subject_aclnn")
    _twin_test(name = "twin_test", target_under_test = "//toolchains/twin:twin_host")
    _op_def_test(name = "op_def_test", target_under_test = ":subject_op_def")
    _failure_test(name = "unknown_role_test", target_under_test = ":unknown_role")
    native.test_suite(name = name, tests = [
        "aclnn_test",
        "by_hand_test",
        "host_test",
        "op_def_test",
        "package_test",
        "twin_aclnn_test",
        "twin_test",
        "unknown_role_test",
    ])
