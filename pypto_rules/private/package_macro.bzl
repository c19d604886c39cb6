"""`pypto_op_package` as BUILD files load it: the package `<name>`, the programs `<name>.install` and `<name>.uninstall`, and its other forms."""

load(":names.bzl", "COMMON_ATTRS")
load(":package.bzl", _pypto_op_package = "pypto_op_package")
load(":package_scripts.bzl", "package_script")
load(":package_system.bzl", "package_deb", "package_rpm")
load(":sbom.bzl", "package_sbom")

def pypto_op_package(name, maintainer = "", **kwargs):
    """Packages operators for a vendor.

    Args:
      name: name of the package; its default output is the installer. `bazel run <name>.install -- --install-path=<dir>`
        installs it from the workspace, `bazel run <name>.uninstall -- --install-path=<dir>` removes it.
        `<name>.sbom` is its bill of materials, in CycloneDX form. `<name>.deb` and `<name>.rpm` are the package for a
        distribution's package manager, which installs it to `/opt/ascend/vendors/<vendor>`.
      maintainer: `Name <address>` for the `.deb`. Default: the vendor name.
      **kwargs: attributes of the rule (see `package.bzl`): `ops`, `socs`, `framework`, `vendor_name`, `version`, `package_file`, and those
        of every rule.
    """
    stamped = select({Label("//pypto_rules/settings:stamped"): True, "//conditions:default": False})
    _pypto_op_package(name = name, stamped = stamped, **kwargs)
    tags = ["manual"] + kwargs.get("tags", [])
    common = {key: value for key, value in kwargs.items() if key in COMMON_ATTRS}
    for script in ["install", "uninstall"]:
        package_script(
            name = "%s.%s" % (name, script),
            package = ":" + name,
            script = script,
            tags = tags,
            **common
        )
    package_deb(name = name + ".deb", maintainer = maintainer, package = ":" + name, tags = tags, **common)
    package_rpm(
        name = name + ".rpm",
        make_rpm = select({
            Label("@rules_pkg//toolchains/rpm:have_rpmbuild"): Label("@rules_pkg//pkg:make_rpm"),
            "//conditions:default": None,
        }),
        package = ":" + name,
        tags = tags,
        **common
    )
    package_sbom(name = name + ".sbom", package = ":" + name, tags = tags, **common)
