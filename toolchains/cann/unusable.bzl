"""`unusable_toolchain`: stands for a toolchain that cannot be had."""

def _unusable_toolchain_impl(ctx):
    fail("\n" + ctx.attr.problem)

unusable_toolchain = rule(
    doc = "A build that needs the toolchain ends with what is wrong and what to do; others do not notice.",
    implementation = _unusable_toolchain_impl,
    attrs = {"problem": attr.string(doc = "What is wrong, and the fix.", mandatory = True)},
)
