"""What pypto_kernel makes of its attributes: actions, their inputs and command lines, providers, and its refusals."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//pypto_rules:defs.bzl", "pypto_kernel")
load("//pypto_rules:providers.bzl", "PyptoKernelInfo")

def _actions(env, mnemonic):
    return [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]

def _follows(argv, flag):
    return [argv[i + 1] for i in range(len(argv) - 1) if argv[i] == flag]

# One action of each kind per kernel, whatever its number of variants: compiles exist only once the directory does
# (tests/e2e/incremental counts them).
def _action_kinds_impl(ctx):
    env = analysistest.begin(ctx)
    counts = {}
    for action in analysistest.target_actions(env):
        counts[action.mnemonic] = counts.get(action.mnemonic, 0) + 1
    asserts.equals(
        env,
        {"FileWrite": 1, "PyptoCodegen": 1, "PyptoContract": 1, "PyptoHeaders": 1, "PyptoLink": 1},
        dict(sorted(counts.items())),
    )
    groups = analysistest.target_under_test(env)[OutputGroupInfo]
    asserts.equals(env, [True], [f.is_directory for f in groups.objects.to_list()])
    asserts.true(env, groups.sources.to_list()[0].is_directory)
    return analysistest.end(env)

_action_kinds_test = analysistest.make(_action_kinds_impl)

def _environment_impl(ctx):
    env = analysistest.begin(ctx)
    for action in analysistest.target_actions(env):
        if not action.mnemonic.startswith("Pypto"):
            continue
        asserts.equals(env, "0", action.env.get("PYTHONHASHSEED"), action.mnemonic)
        asserts.equals(env, "1", action.env.get("PYTHONNOUSERSITE"), action.mnemonic)
        asserts.equals(env, "C.UTF-8", action.env.get("LC_ALL"), action.mnemonic)
        for variable in ["HOME", "USER", "PYTHONPATH", "ASCEND_HOME_PATH"]:
            asserts.false(env, variable in action.env, "%s leaks into %s" % (variable, action.mnemonic))
    return analysistest.end(env)

_environment_test = analysistest.make(_environment_impl)

def _inputs_impl(ctx):
    env = analysistest.begin(ctx)
    inputs = {
        mnemonic: [f.basename for f in _actions(env, mnemonic)[0].inputs.to_list()]
        for mnemonic in ["PyptoContract", "PyptoHeaders", "PyptoCodegen", "PyptoLink"]
    }
    for mnemonic in ["PyptoContract", "PyptoCodegen"]:
        for name in ["subject.py", "helper.py"]:
            asserts.true(env, name in inputs[mnemonic], "%s reads %s" % (mnemonic, name))

    # Headers wait for the contract alone; the link must not see what a comment changes.
    asserts.false(env, "subject.py" in inputs["PyptoHeaders"], "PyptoHeaders reads the kernel file")
    for name in ["subject.py", ctx.attr.target_under_test.label.name + ".source_map.json"]:
        asserts.false(env, name in inputs["PyptoLink"], "PyptoLink reads %s" % name)
    asserts.true(env, ctx.attr.target_under_test.label.name + ".variants.json" in inputs["PyptoLink"])
    return analysistest.end(env)

_inputs_test = analysistest.make(_inputs_impl)

def _command_lines_impl(ctx):
    env = analysistest.begin(ctx)
    codegen = _actions(env, "PyptoCodegen")[0].argv
    asserts.equals(env, [ctx.attr.soc], _follows(codegen, "--soc"))
    contract = _actions(env, "PyptoContract")[0].argv
    asserts.equals(env, ["17"], _follows(contract, "--max-variants"))
    asserts.equals(env, [], _follows(contract, "--op-def"))
    asserts.equals(env, ["Subject"], _follows(codegen, "--op-type"))
    for option in ["--import-root", "--feature"]:
        asserts.equals(env, [], _follows(codegen, option))
    asserts.equals(env, 1, len(_follows(_actions(env, "PyptoLink")[0].argv, "--objects")))
    columns = [a for a in _actions(env, "FileWrite") if a.outputs.to_list()[0].basename.endswith(".columns.json")]
    asserts.equals(env, '[{"t":"float16","u":"int8"},{"t":"float","u":"int32"}]\n', columns[0].content)
    return analysistest.end(env)

_SOC = str(Label("//pypto_rules/settings:soc"))
_MAX_VARIANTS = str(Label("//pypto_rules/settings:max_variants"))

_command_lines_test = analysistest.make(
    _command_lines_impl,
    attrs = {"soc": attr.string()},
    config_settings = {_MAX_VARIANTS: 17, _SOC: ["ascend950"]},
)
_default_soc_test = analysistest.make(
    _command_lines_impl,
    attrs = {"soc": attr.string()},
    config_settings = {_MAX_VARIANTS: 17},
)

# What is wanted of a kernel reaches the code generator alone; contract and headers stay as they are.
def _narrowed_impl(ctx):
    env = analysistest.begin(ctx)
    codegen = _actions(env, "PyptoCodegen")[0].argv
    asserts.equals(env, ["mode=1", "subject:3"], _follows(codegen, "--tiling-keys"))
    asserts.equals(env, ["float16"], _follows(codegen, "--dtypes"))
    for mnemonic in ["PyptoContract", "PyptoHeaders", "PyptoLink"]:
        asserts.false(env, "mode=1" in " ".join(_actions(env, mnemonic)[0].argv), mnemonic)
    return analysistest.end(env)

_narrowed_test = analysistest.make(_narrowed_impl, config_settings = {
    str(Label("//pypto_rules/settings:tiling_keys")): ["mode=1", "subject:3"],
    str(Label("//pypto_rules/settings:dtypes")): ["float16"],
})

def _op_def_impl(ctx):
    env = analysistest.begin(ctx)
    (contract,) = _actions(env, "PyptoContract")
    asserts.equals(env, ["tests/unit/kernel/op.json"], _follows(contract.argv, "--op-def"))
    asserts.true(env, "op.json" in [f.basename for f in contract.inputs.to_list()])
    return analysistest.end(env)

_op_def_test = analysistest.make(_op_def_impl)

# The table of variants needs what the code generator writes, and nothing that is compiled.
def _table_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[DefaultInfo]
    names = [f.basename for f in info.default_runfiles.files.to_list()]
    for name in ["subject.kernel.json", "subject.variants.json", "subject.src", "variants.app"]:
        asserts.true(env, name in names, "%s is not among %s" % (name, names))
    asserts.false(env, "subject.bin" in names)
    asserts.equals(env, "subject.variants", info.files_to_run.executable.basename)
    return analysistest.end(env)

_table_test = analysistest.make(_table_impl)

def _provider_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[PyptoKernelInfo]
    asserts.equals(env, "twin", info.backend)
    asserts.equals(env, "ascend910b", info.soc)
    asserts.equals(env, "subject", info.op_file)
    asserts.equals(env, "Subject", info.op_type)
    asserts.true(env, info.binaries.is_directory)
    asserts.equals(env, [True], [d.is_directory for d in info.generated])
    asserts.equals(env, {}, info.toolkit)
    asserts.true(env, info.headers.directory.is_directory)
    asserts.equals(env, ["subject.py", "helper.py"], [s.shipped for s in info.sources])
    asserts.equals(env, [info.binaries], analysistest.target_under_test(env)[DefaultInfo].files.to_list())
    return analysistest.end(env)

_provider_test = analysistest.make(_provider_impl)

# Options that are selected by the SoC reach the kernel of that SoC, behind the backend's.
def _options_impl(ctx):
    env = analysistest.begin(ctx)
    options = analysistest.target_under_test(env)[PyptoKernelInfo].options
    asserts.true(env, "-std=c++17" in options)
    asserts.equals(env, ctx.attr.own, options[len(options) - len(ctx.attr.own):])
    asserts.equals(env, bool(ctx.attr.own), "-O1" in options)
    return analysistest.end(env)

_options_test = analysistest.make(_options_impl, attrs = {"own": attr.string_list()}, config_settings = {_SOC: ["ascend950"]})
_no_options_test = analysistest.make(_options_impl, attrs = {"own": attr.string_list()})

def _failure_impl(ctx):
    env = analysistest.begin(ctx)
    for text in ctx.attr.texts:
        asserts.expect_failure(env, text)
    return analysistest.end(env)

_failure_test = analysistest.make(_failure_impl, attrs = {"texts": attr.string_list()}, expect_failure = True)

_REFUSALS = {
    "copts_output": ({"copts": ["-o", "x"]}, ["copts has '-o'", "Remove it"]),
    "copts_dependencies": ({"copts": ["-MF/x"]}, ["copts has '-MF/x'"]),
    "copts_language": ({"copts": ["-xc"]}, ["copts has '-xc'"]),
    "copts_response_file": ({"copts": ["@/etc/hostname"]}, ["copts has '@/etc/hostname'"]),
    "copts_output_joined": ({"copts": ["--output=x"]}, ["copts has '--output=x'"]),
    "defines_flag": ({"defines": ["-DX"]}, ["defines has '-DX'", "NAME=value"]),
    "dtypes_empty": ({"dtypes": {"t": []}}, ["names the variables t but no dtype"]),
    "dtypes_lengths": ({"dtypes": {"t": ["float16"], "u": ["int8", "int8"]}}, ["their lengths differ", "one dtype per column"]),
    "dtypes_repeated": ({"dtypes": {"t": ["float16", "float16"]}}, ["column 1 of `dtypes` repeats"]),
    "dtypes_unknown": ({"dtypes": {"t": ["fp16"]}}, ["dtypes['t'] has 'fp16'", "float16"]),
    "op_type": ({"op_type": "Add-Example"}, ["op_type 'Add-Example'", "Set `op_type`"]),
}

def kernel_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    pypto_kernel(
        name = "subject",
        src = "subject.py",
        dtypes = {"t": ["float16", "float"], "u": ["int8", "int32"]},
        tags = ["manual"],
        deps = [":library"],
    )
    _action_kinds_test(name = "action_kinds_test", target_under_test = ":subject")
    _environment_test(name = "environment_test", target_under_test = ":subject")
    _inputs_test(name = "inputs_test", target_under_test = ":subject")
    _command_lines_test(name = "command_lines_test", soc = "ascend950", target_under_test = ":subject")
    _default_soc_test(name = "default_soc_test", soc = "ascend910b", target_under_test = ":subject")
    _provider_test(name = "provider_test", target_under_test = ":subject")
    _narrowed_test(name = "narrowed_test", target_under_test = ":subject")
    pypto_kernel(name = "with_op_def", src = "subject.py", op_def = "op.json", tags = ["manual"])
    _op_def_test(name = "op_def_test", target_under_test = ":with_op_def")
    pypto_kernel(
        name = "with_options",
        src = "subject.py",
        copts = select({"//pypto_rules/platforms:soc_ascend950": ["-O1"], "//conditions:default": []}),
        defines = select({"//pypto_rules/platforms:soc_ascend950": ["NEW=1"], "//conditions:default": []}),
        tags = ["manual"],
    )
    _options_test(name = "options_test", own = ["-DNEW=1", "-O1"], target_under_test = ":with_options")
    _no_options_test(name = "no_options_test", own = [], target_under_test = ":with_options")
    _table_test(name = "table_test", target_under_test = ":subject.variants")
    tests = [
        "action_kinds_test",
        "command_lines_test",
        "default_soc_test",
        "environment_test",
        "inputs_test",
        "narrowed_test",
        "no_options_test",
        "op_def_test",
        "options_test",
        "provider_test",
        "table_test",
    ]
    for case, (attributes, texts) in _REFUSALS.items():
        pypto_kernel(name = case + "_subject", src = "subject.py", tags = ["manual"], **attributes)
        _failure_test(name = case + "_test", target_under_test = case + "_subject", texts = texts)
        tests.append(case + "_test")
    native.test_suite(name = name, tests = tests)
