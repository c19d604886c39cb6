"""Stands for buildozer where there is no network: the extension exists, its repository fails when fetched."""

def _absent_impl(_rctx):
    fail("buildozer is not in the module registry of bazelw; use a Bazel that reaches the Central Registry for `bazel mod tidy`")

_absent = repository_rule(implementation = _absent_impl)

def _buildozer_binary_impl(_module_ctx):
    _absent(name = "buildozer_binary")

buildozer_binary = module_extension(implementation = _buildozer_binary_impl)
