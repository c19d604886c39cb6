"""Names: operator types from file names, and the rules vendor names obey."""

# Attributes of every rule: what holds for a target of a macro holds for those it makes beside it.
COMMON_ATTRS = ["compatible_with", "deprecation", "exec_compatible_with", "restricted_to", "target_compatible_with", "testonly", "visibility"]

VENDOR_NAME_RULE = "a letter followed by at most 63 letters, digits or underscores"

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_REST = _LETTERS + "0123456789_"

def camel_case(name):
    """`add_example` → `AddExample`, as the operator type is spelt in the OpDef.

    Args:
      name: a snake_case name.

    Returns:
      The CamelCase name.
    """
    return "".join([part[:1].upper() + part[1:] for part in name.split("_")])

def is_identifier(name):
    """Whether a name is an ASCII C identifier that begins with a letter.

    Args:
      name: the name to look at.

    Returns:
      bool.
    """
    if not name or name[0] not in _LETTERS:
        return False
    return all([c in _REST for c in name.elems()])

def vendor_name_problem(name):
    """What is wrong with a vendor name, or None. It becomes a directory, a file name and part of a shell script.

    Args:
      name: the vendor name as given.

    Returns:
      A message with value, rule and fix, or None.
    """
    if is_identifier(name) and len(name) <= 64:
        return None
    return ("vendor_name '%s' is not usable; allowed is %s. " +
            "Change the `vendor_name` attribute or --@pypto_rules//pypto_rules/settings:vendor_name.") % (name, VENDOR_NAME_RULE)

def file_name_problem(name):
    """What is wrong with the file name of an installer, or None: it is part of shell commands and texts.

    Args:
      name: the name as given.

    Returns:
      A message with value, rule and fix, or None.
    """
    good = all([c in _REST + ".+-" for c in name.elems()]) and not name.startswith((".", "-"))
    if good and name.endswith(".run"):
        return None
    return "'%s' is not usable; allowed are letters, digits and '._+-', ending in '.run', e.g. 'my-ops_linux-x86_64.run'." % name

def deb_version_problem(version):
    """What keeps a version from being that of a `.deb`, or None.

    Args:
      version: the version as given.

    Returns:
      A message with value, rule and fix, or None.
    """
    if version[0].isdigit() and all([c in _REST.replace("_", "") + ".+-~" for c in version.elems()]):
        return None
    return "version '%s' cannot be that of a .deb; allowed are letters, digits and '.+-~', a digit first. Change `version` of the package." % version

def rpm_version_problem(version):
    """What keeps a version from being that of an `.rpm`, or None.

    Args:
      version: the version as given.

    Returns:
      A message with value, rule and fix, or None.
    """
    if all([c in _REST + ".+~" for c in version.elems()]):
        return None
    return "version '%s' cannot be that of an .rpm; allowed are letters, digits and '._+~'. Change `version` of the package." % version

def label_text(label):
    """A label as a user types it: `//ops/add_example:pkg`, without the marks of the main repository.

    Args:
      label: a Label.

    Returns:
      string.
    """
    return str(label).removeprefix("@@").removeprefix("@")

def runfile_path(file, workspace):
    """Where a file lies below a runfiles directory, which is also how PyInfo's `imports` names directories.

    Args:
      file: a File.
      workspace: `ctx.workspace_name`, the directory of the main repository.

    Returns:
      string, beginning with the repository's name.
    """
    path = file.short_path
    return path.removeprefix("../") if path.startswith("../") else workspace + "/" + path
