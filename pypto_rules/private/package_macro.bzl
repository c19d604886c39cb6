"""`pypto_op_package` as BUILD files load it: the package `<name>`, and the programs `<name>.install` and `<name>.uninstall`."""

load(":names.bzl", "COMMON_ATTRS")
load(":package.bzl", _pypto_op_package = "pypto_op_package")
load(":package_scripts.bzl", "package_script")
load(":sbom.bzl", "package_sbom")

def pypto_op_package(name, **kwargs):
    """Packages operators for a vendor.

    Args:
      name: name of the package; its default output is the installer. `bazel run <name>.install -- --install-path=<dir>`
        installs it from the workspace, `bazel run <name>.uninstall -- --install-path=<dir>` removes it.
        `<name>.sbom` is its bill of materials, in CycloneDX form.
      **kwargs: attributes of the rule (see `package.bzl`): `ops`, `socs`, `vendor_name`, `version`, `package_file`, and those
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
    package_sbom(name = name + ".sbom", package = ":" + name, tags = tags, **common)
