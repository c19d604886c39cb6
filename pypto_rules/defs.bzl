"""What a BUILD file loads from pypto_rules."""

load("//pypto_rules/private:aclnn.bzl", _pypto_aclnn = "pypto_aclnn")
load("//pypto_rules/private:aclnn_example.bzl", _pypto_aclnn_example = "pypto_aclnn_example")
load("//pypto_rules/private:kernel_macro.bzl", _pypto_kernel = "pypto_kernel")
load("//pypto_rules/private:kernel_test.bzl", _pypto_kernel_test = "pypto_kernel_test")
load("//pypto_rules/private:op.bzl", _pypto_op = "pypto_op")
load("//pypto_rules/private:op_def.bzl", _pypto_op_def = "pypto_op_def")
load("//pypto_rules/private:op_host.bzl", _pypto_op_host = "pypto_op_host")
load("//pypto_rules/private:op_test.bzl", _pypto_op_test = "pypto_op_test")
load("//pypto_rules/private:package_macro.bzl", _pypto_op_package = "pypto_op_package")
load("//pypto_rules/private:package_test.bzl", _pypto_package_test = "pypto_package_test")
load("//pypto_rules/private:tiling_headers.bzl", _pypto_tiling_headers = "pypto_tiling_headers")
load("//pypto_rules/private:tiling_test.bzl", _pypto_tiling_test = "pypto_tiling_test")

pypto_aclnn = _pypto_aclnn
pypto_aclnn_example = _pypto_aclnn_example
pypto_kernel = _pypto_kernel
pypto_kernel_test = _pypto_kernel_test
pypto_op = _pypto_op
pypto_op_def = _pypto_op_def
pypto_op_host = _pypto_op_host
pypto_op_package = _pypto_op_package
pypto_op_test = _pypto_op_test
pypto_package_test = _pypto_package_test
pypto_tiling_headers = _pypto_tiling_headers
pypto_tiling_test = _pypto_tiling_test
