"""What pypto_op_package makes of its attributes: fan-out over SoCs, the spec of its action, names, and its refusals."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//pypto_rules:defs.bzl", "pypto_kernel", "pypto_op", "pypto_op_package")
load("//pypto_rules:providers.bzl", "PyptoKernelInfo", "PyptoOpInfo", "PyptoPackageInfo")

_SOC = str(Label("//pypto_rules/settings:soc"))
_VENDOR_NAME = str(Label("//pypto_rules/settings:vendor_name"))

def _spec(env):
    for action in analysistest.target_actions(env):
        if action.mnemonic == "FileWrite" and action.outputs.to_list()[0].basename.endswith(".spec.json"):
            return json.decode(action.content)
    fail("the package writes no spec")

def _two_socs_impl(ctx):
    env = analysistest.begin(ctx)
    spec = _spec(env)
    asserts.equals(env, ["one", "two"], [op["op_file"] for op in spec["ops"]])
    for op in spec["ops"]:
        asserts.equals(env, ["ascend910b", "ascend950"], sorted([s["soc"] for s in op["socs"]]))
        asserts.equals(env, 2, len({s["binaries"]: None for s in op["socs"]}), "one directory of binaries per SoC")
    packages = [a for a in analysistest.target_actions(env) if a.mnemonic == "PyptoPackage"]
    asserts.equals(env, 1, len(packages))
    asserts.equals(env, "twin", spec["backend"])
    asserts.equals(env, {}, spec["toolkit"])
    asserts.equals(env, None, spec["host"]["backend"], "kernels alone have no host side")
    return analysistest.end(env)

_two_socs_test = analysistest.make(_two_socs_impl, config_settings = {_SOC: ["ascend910b", "ascend950"]})

# The package's own list of SoCs holds when the command line names none; then for the host side, too.
def _own_socs_impl(ctx):
    env = analysistest.begin(ctx)
    socs = [s["soc"] for s in _spec(env)["ops"][0]["socs"]]
    asserts.equals(env, ctx.attr.socs, socs)
    asserts.equals(env, socs, analysistest.target_under_test(env)[PyptoPackageInfo].socs)
    return analysistest.end(env)

_own_socs_test = analysistest.make(_own_socs_impl, attrs = {"socs": attr.string_list()})
_own_socs_by_flag_test = analysistest.make(
    _own_socs_impl,
    attrs = {"socs": attr.string_list()},
    config_settings = {_SOC: ["ascend910b"]},
)

# The same SoC named twice, as `--config=ascend950 --config=ascend950` does, is one SoC.
def _repeated_soc_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["ascend950"], [s["soc"] for s in _spec(env)["ops"][0]["socs"]])
    return analysistest.end(env)

_repeated_soc_test = analysistest.make(_repeated_soc_impl, config_settings = {_SOC: ["ascend950", "ascend950"]})

def _names_impl(ctx):
    env = analysistest.begin(ctx)
    spec = _spec(env)
    target = analysistest.target_under_test(env)
    asserts.equals(env, ctx.attr.vendor, spec["vendor_name"])
    asserts.equals(env, ctx.attr.vendor, target[PyptoPackageInfo].vendor_name)
    run = target[DefaultInfo].files.to_list()
    asserts.equals(env, ["cann-ops-%s_linux-%s.run" % (ctx.attr.vendor, spec["arch"])], [f.basename for f in run])
    asserts.equals(env, ["ascend910b"], [s["soc"] for s in spec["ops"][0]["socs"]])
    return analysistest.end(env)

_names_test = analysistest.make(_names_impl, attrs = {"vendor": attr.string()})
_names_by_flag_test = analysistest.make(_names_impl, attrs = {"vendor": attr.string()}, config_settings = {_VENDOR_NAME: "flagged"})

def _cann_kernel_impl(ctx):
    target = ctx.attr.target
    of_twin = target[PyptoKernelInfo]
    fields = {field: getattr(of_twin, field) for field in dir(of_twin) if field not in ["to_json", "to_proto"]}
    kernel = PyptoKernelInfo(**(fields | {"backend": "cann", "toolkit": {"cann": "9.2.0", "pypto_pro": "0.2.0"}}))
    return [kernel] + ([target[PyptoOpInfo]] if PyptoOpInfo in target else [])

_cann_kernel = rule(
    doc = "A kernel or operator as if it had been built for the CANN backend.",
    implementation = _cann_kernel_impl,
    attrs = {"target": attr.label(mandatory = True, providers = [PyptoKernelInfo])},
)

def _cann_impl(ctx):
    env = analysistest.begin(ctx)
    spec = _spec(env)
    asserts.equals(env, "cann", spec["backend"])
    asserts.equals(env, {"cann": "9.2.0", "pypto_pro": "0.2.0"}, spec["toolkit"])
    return analysistest.end(env)

_cann_test = analysistest.make(_cann_impl)

def _host_backend_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, "twin", _spec(env)["host"]["backend"])
    return analysistest.end(env)

_host_backend_test = analysistest.make(_host_backend_impl)

def _failure_impl(ctx):
    env = analysistest.begin(ctx)
    for text in ctx.attr.texts:
        asserts.expect_failure(env, text)
    return analysistest.end(env)

_failure_test = analysistest.make(_failure_impl, attrs = {"texts": attr.string_list()}, expect_failure = True)

_REFUSALS = {
    "same_file": ({"ops": [":one", ":again"]}, ["two operators of the file name 'one'", "Rename"]),
    "file_name": ({"ops": [":one"], "package_file": "../x.run"}, ["package_file '../x.run' is not usable", "ending in '.run'"]),
    "host_backend": (
        {"ops": [":hosted_for_cann"]},
        ["the kernels are of the backend cann, the host side is of twin", "settings:kernel_backend=<cann|twin>"],
    ),
    "kernel_backends": (
        {"ops": [":one_for_cann", ":two"]},
        ["these are of cann (one for ascend910b) and twin (two for ascend910b)", "settings:kernel_backend=<cann|twin>"],
    ),
    "vendor_dots": ({"ops": [":one"], "vendor_name": "../x"}, ["vendor_name '../x' is not usable", "a letter followed by"]),
    "vendor_empty": ({"ops": [":one"], "vendor_name": ""}, ["vendor_name ''"]),
    "vendor_space": ({"ops": [":one"], "vendor_name": "my vendor"}, ["vendor_name 'my vendor'"]),
}

def package_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    pypto_kernel(name = "one", src = "one.py", tags = ["manual"])
    pypto_kernel(name = "two", src = "two.py", tags = ["manual"])
    pypto_kernel(name = "again", src = "again/one.py", tags = ["manual"])
    pypto_op(name = "hosted", tags = ["manual"])
    _cann_kernel(name = "one_for_cann", target = ":one", tags = ["manual"])
    _cann_kernel(name = "hosted_for_cann", target = ":hosted", tags = ["manual"])
    pypto_op_package(name = "for_cann", ops = [":one_for_cann"], tags = ["manual"], vendor_name = "for_cann")
    _cann_test(name = "cann_test", target_under_test = ":for_cann")
    pypto_op_package(name = "with_host", ops = [":hosted"], tags = ["manual"], vendor_name = "with_host")
    _host_backend_test(name = "with_host_test", target_under_test = ":with_host")
    pypto_op_package(name = "subject", ops = [":one", ":two"], tags = ["manual"], vendor_name = "acme")
    _two_socs_test(name = "two_socs_test", target_under_test = ":subject")
    _repeated_soc_test(name = "repeated_soc_test", target_under_test = ":subject")
    _names_test(name = "names_test", target_under_test = ":subject", vendor = "acme")
    _names_by_flag_test(name = "names_by_flag_test", target_under_test = ":subject", vendor = "flagged")
    pypto_op_package(name = "own_socs", ops = [":one"], socs = ["ascend950", "Ascend910_9391"], tags = ["manual"])
    _own_socs_test(name = "own_socs_test", socs = ["ascend950", "ascend910_93"], target_under_test = ":own_socs")
    _own_socs_by_flag_test(name = "own_socs_by_flag_test", socs = ["ascend910b"], target_under_test = ":own_socs")
    tests = ["own_socs_test", "own_socs_by_flag_test", "two_socs_test", "repeated_soc_test", "names_test", "names_by_flag_test", "cann_test", "with_host_test"]
    for case, (attributes, texts) in _REFUSALS.items():
        pypto_op_package(name = case + "_subject", tags = ["manual"], **attributes)
        _failure_test(name = case + "_test", target_under_test = case + "_subject", texts = texts)
        tests.append(case + "_test")
    native.test_suite(name = name, tests = tests)
