"""Python tools of the ruleset as one directory each; see `pypto_rules/private/python_app.bzl`."""
