"""Toolchain rules, for authors of backends."""

load("//pypto_rules/private:host_toolchain.bzl", _pypto_host_toolchain = "pypto_host_toolchain")
load("//pypto_rules/private:toolchain.bzl", _pypto_toolchain = "pypto_toolchain")

pypto_host_toolchain = _pypto_host_toolchain
pypto_toolchain = _pypto_toolchain
