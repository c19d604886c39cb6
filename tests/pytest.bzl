"""`pytest_test` for the ruleset's own tests."""

load("//pypto_rules/private:pytest.bzl", _pytest_test = "pytest_test")

pytest_test = _pytest_test
