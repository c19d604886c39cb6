"""`package_sbom`: a package's software bill of materials. A target of its own, so that its tool is fetched for it alone."""

load(":actions.bzl", "run_tool")
load(":providers.bzl", "PyptoPackageInfo")

def _package_sbom_impl(ctx):
    manifest = ctx.attr.package[PyptoPackageInfo].manifest
    document = ctx.actions.declare_file(ctx.label.name + ".cdx.json")
    args = ctx.actions.args()
    args.add("--manifest", manifest)
    args.add("--out", document)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoSbom",
        progress_message = "Listing materials of %{label}",
        tool = ctx.attr._sbom[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = [manifest],
        outputs = [document],
    )
    return [DefaultInfo(files = depset([document]))]

package_sbom = rule(
    doc = "What a package is made of, every file with its digest, in CycloneDX form.",
    implementation = _package_sbom_impl,
    attrs = {
        "package": attr.label(doc = "The package.", mandatory = True, providers = [PyptoPackageInfo]),
        "_sbom": attr.label(cfg = "exec", default = "//pypto_rules/tools/sbom", executable = True),
    },
)
