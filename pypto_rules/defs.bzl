"""What a BUILD file loads from pypto_rules."""

load("//pypto_rules/private:kernel_macro.bzl", _pypto_kernel = "pypto_kernel")
load("//pypto_rules/private:kernel_test.bzl", _pypto_kernel_test = "pypto_kernel_test")
load("//pypto_rules/private:op.bzl", _pypto_op = "pypto_op")
load("//pypto_rules/private:package.bzl", _pypto_op_package = "pypto_op_package")
load("//pypto_rules/private:tiling_headers.bzl", _pypto_tiling_headers = "pypto_tiling_headers")

pypto_kernel = _pypto_kernel
pypto_kernel_test = _pypto_kernel_test
pypto_op = _pypto_op
pypto_op_package = _pypto_op_package
pypto_tiling_headers = _pypto_tiling_headers
