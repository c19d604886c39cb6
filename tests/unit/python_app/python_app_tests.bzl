"""`python_app`: one action makes the whole tool, each module at the place it is imported from."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _contract_impl(ctx):
    env = analysistest.begin(ctx)
    (pack,) = [action for action in analysistest.target_actions(env) if action.mnemonic == "PyptoPackApp"]
    (app,) = pack.outputs.to_list()
    asserts.equals(env, "contract.app", app.basename)
    asserts.true(env, app.is_directory)
    names = [file.basename for file in pack.inputs.to_list()]
    asserts.true(env, "tilingkey.py" in names, "the front end is an input")
    asserts.true(env, "cli.py" in names, "the contract is an input")
    info = analysistest.target_under_test(env)[DefaultInfo]
    asserts.equals(env, ["contract", "contract.app"], sorted([file.basename for file in info.files.to_list()]))
    asserts.true(env, info.files_to_run.executable.basename == "contract")
    return analysistest.end(env)

_contract_test = analysistest.make(_contract_impl)

def python_app_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    _contract_test(name = "contract_test", target_under_test = "//toolchains/twin/frontend:contract")
    native.test_suite(name = name, tests = ["contract_test"])
