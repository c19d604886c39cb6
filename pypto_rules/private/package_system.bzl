"""A package as `.deb` and `.rpm`, made by the tools of rules_pkg. Both install to `/opt/ascend/vendors/<vendor>`."""

load(":actions.bzl", "run_tool")
load(":names.bzl", "deb_version_problem", "label_text", "rpm_version_problem")
load(":providers.bzl", "PyptoPackageInfo")

_RPMBUILD = "@rules_pkg//toolchains/rpm:rpmbuild_toolchain_type"
_DEB_ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}

# 2000-01-01, the time of every file in the package.
_EPOCH = "946684800"

def _package_name(info):
    """Distributions know lower case and hyphens only."""
    return "cann-ops-" + info.vendor_name.lower().replace("_", "-")

def _summary(info):
    return "Operators of %s for Ascend NPUs (%s)" % (info.vendor_name, ", ".join(info.socs))

def _check_version(ctx, problem):
    if problem:
        fail("%s: %s" % (label_text(ctx.label), problem))

def _package_deb_impl(ctx):
    info = ctx.attr.package[PyptoPackageInfo]
    _check_version(ctx, deb_version_problem(info.version))
    architecture = _DEB_ARCHITECTURES[info.arch]
    name = "%s_%s_%s" % (_package_name(info), info.version, architecture)
    deb = ctx.actions.declare_file(name + ".deb")
    changes = ctx.actions.declare_file(name + ".changes")
    args = ctx.actions.args()
    for flag, value in {
        "architecture": architecture,
        "description": _summary(info),
        "distribution": "unstable",
        "maintainer": ctx.attr.maintainer or info.vendor_name,
        "package": _package_name(info),
        "priority": "optional",
        "section": "libs",
        "urgency": "medium",
        "version": info.version,
    }.items():
        args.add("--%s=%s" % (flag, value))
    args.add(deb, format = "--output=%s")
    args.add(changes, format = "--changes=%s")
    args.add(info.system.data, format = "--data=%s")
    args.add(info.system.check, format = "--preinst=@%s")
    run_tool(
        ctx.actions,
        "PyptoDeb",
        "Packaging %{label}",
        ctx.attr._make_deb[DefaultInfo].files_to_run,
        [args],
        [info.system.data, info.system.check],
        [deb, changes],
    )
    return [DefaultInfo(files = depset([deb])), OutputGroupInfo(changes = depset([changes]))]

package_deb = rule(
    doc = "A package for Debian and its descendants.",
    implementation = _package_deb_impl,
    attrs = {
        "maintainer": attr.string(doc = "`Name <address>`; default: the vendor name."),
        "package": attr.label(doc = "The package.", mandatory = True, providers = [PyptoPackageInfo]),
        "_make_deb": attr.label(cfg = "exec", default = "@rules_pkg//pkg/private/deb:make_deb", executable = True),
    },
)

def _package_rpm_impl(ctx):
    info = ctx.attr.package[PyptoPackageInfo]
    _check_version(ctx, rpm_version_problem(info.version))
    if not ctx.executable.make_rpm:
        fail(("%s: an .rpm is made with rpmbuild, which is not on PATH. Install it (`apt-get install rpm` on Debian, " +
              "`dnf install rpm-build` on openEuler), or name it with --repo_env=PYPTO_RPMBUILD=/path/to/rpmbuild.") % label_text(ctx.label))
    rpm = ctx.actions.declare_file("%s-%s-1.%s.rpm" % (_package_name(info), info.version, info.arch))
    macros = {
        "_buildhost": "localhost",
        "package": _package_name(info),
        "package_summary": _summary(info),
        "package_version": info.version,
    }
    args = ctx.actions.args()
    args.add("--name=" + _package_name(info))
    args.add("--rpmbuild=" + ctx.toolchains[_RPMBUILD].rpmbuild.path)
    args.add("--source_date_epoch=" + _EPOCH)
    args.add(info.system.rpm_spec, format = "--spec_file=%s")
    args.add(rpm, format = "--out_file=%s")
    args.add("--rpmbuild_arg=--target=%s-linux" % info.arch)
    for macro, value in macros.items():
        args.add("--rpmbuild_arg=--define=%s %s" % (macro, value))
    args.add(info.system.data)
    run_tool(
        ctx.actions,
        "PyptoRpm",
        "Packaging %{label}",
        ctx.attr.make_rpm[DefaultInfo].files_to_run,
        [args],
        [info.system.data, info.system.rpm_spec],
        [rpm],
    )
    return [DefaultInfo(files = depset([rpm]))]

package_rpm = rule(
    doc = "A package for distributions with rpm.",
    implementation = _package_rpm_impl,
    attrs = {
        "make_rpm": attr.label(cfg = "exec", doc = "The tool of rules_pkg; None: there is no rpmbuild.", executable = True),
        "package": attr.label(doc = "The package.", mandatory = True, providers = [PyptoPackageInfo]),
    },
    toolchains = [_RPMBUILD],
)
