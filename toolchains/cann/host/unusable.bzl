"""`unusable_host_toolchain`: stands for the host side of a toolkit that lacks a part; says so when something needs it."""

def _unusable_host_toolchain_impl(ctx):
    fail(("The host side of operators cannot be built with this CANN toolkit; it lacks %s. Install the whole toolkit, or build with " +
          "the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin.") % ", ".join(ctx.attr.missing))

unusable_host_toolchain = rule(
    doc = "A host toolchain that fails with what is missing.",
    implementation = _unusable_host_toolchain_impl,
    attrs = {"missing": attr.string_list(doc = "What the toolkit lacks.", mandatory = True)},
)
