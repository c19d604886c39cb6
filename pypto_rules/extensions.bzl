"""Module extension of pypto_rules.

The rules use it themselves; a workspace that depends on pypto_rules need not mention it.
"""

load("//pypto_rules/private/repositories:extension.bzl", _pypto = "pypto")

pypto = _pypto
