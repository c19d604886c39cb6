"""Module extensions of pypto_rules.

The rules use them themselves; a workspace that depends on pypto_rules need not mention them. One that has its own wish for
the CANN toolkit says so with a tag of `cann`.
"""

load("//pypto_rules/private/repositories:extension.bzl", _pypto = "pypto")
load("//toolchains/cann/repository:extension.bzl", _cann = "cann")

cann = _cann
pypto = _pypto
