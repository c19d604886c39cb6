"""Names of operators, vendors and SoCs."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//pypto_rules/private:names.bzl", "camel_case", "is_identifier", "vendor_name_problem")
load("//pypto_rules/private:socs.bzl", "DEFAULT_SOC", "KNOWN_SOCS", "SUPPORTED_SOCS", "compute_unit", "soc_notes", "soc_problem", "socs_or_default")

def _camel_case_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "AddExample", camel_case("add_example"))
    asserts.equals(env, "Gelu", camel_case("gelu"))
    asserts.equals(env, "Conv2dV2", camel_case("conv2d_v2"))
    return unittest.end(env)

_camel_case_test = unittest.make(_camel_case_impl)

def _vendor_name_impl(ctx):
    env = unittest.begin(ctx)
    for name in ["custom", "Acme2", "a_b", "a" * 64]:
        asserts.equals(env, None, vendor_name_problem(name))
    for name in ["", "2x", "_x", "a-b", "a b", "a/b", "../a", "a$(b)", "ä", "a" * 65]:
        asserts.true(env, "vendor_name '%s'" % name in (vendor_name_problem(name) or ""), name)
    asserts.false(env, is_identifier("1a"))
    return unittest.end(env)

_vendor_name_test = unittest.make(_vendor_name_impl)

def _socs_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, 13, len(KNOWN_SOCS))
    asserts.equals(env, [DEFAULT_SOC], socs_or_default([]))
    asserts.equals(env, ["ascend950", "ascend910b"], socs_or_default(["ascend950", "ascend910b", "ascend950"]))
    for soc in SUPPORTED_SOCS:
        asserts.equals(env, None, soc_problem(soc))
    known = soc_problem("ascend310p")
    asserts.true(env, "'ascend310p' is known" in known and "ascend950" in known, known)
    unknown = soc_problem("ascand950")
    for text in ["'ascand950' is unknown; nearest is 'ascend950'", "--config="] + KNOWN_SOCS:
        asserts.true(env, text in unknown, text)
    return unittest.end(env)

_socs_test = unittest.make(_socs_impl)

# As build.sh matches names: in any case, the longest that it goes on from, else the only one that goes on from it.
def _compute_unit_impl(ctx):
    env = unittest.begin(ctx)
    for given, unit in {
        "Ascend910B3": "ascend910b",
        "Ascend910_95": "ascend950",
        "ascend310p3": "ascend310p",
        "ascend910_9391": "ascend910_93",
        "ascend910_9599": "ascend950",
        "ascend910b": "ascend910b",
        "ascend910b4-1": "ascend910b",
        "ascend95": "ascend950",
        "ascend950dt_9592": "ascend950",
        "ascend950pr_957b": "ascend950",
        "kirinX90": "kirinx90",
        "mc62cm12aa": "mc62",
        "": None,
        "ascend": None,
        "b910": None,
    }.items():
        asserts.equals(env, unit, compute_unit(given), given)
    asserts.equals(env, ["ascend910b", "ascend950"], socs_or_default(["Ascend910B1", "ascend910b3", "ascend910_95"]))
    asserts.equals(env, ["ascend910b3 is built as ascend910b"], soc_notes(["ascend950", "ascend910b3"]))
    return unittest.end(env)

_compute_unit_test = unittest.make(_compute_unit_impl)

def names_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the test suite.
    """
    unittest.suite(name, _camel_case_test, _vendor_name_test, _socs_test, _compute_unit_test)
