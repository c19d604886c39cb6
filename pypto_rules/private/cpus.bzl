"""The CPUs of the machines that host libraries are built for."""

# As CANN names its packages, and as `@platforms//cpu` names the constraints.
TARGET_CPUS = ["aarch64", "x86_64"]

# An attribute for `target_cpu`.
CPU_ATTRS = {
    "_cpus": attr.label_list(
        default = ["@platforms//cpu:" + cpu for cpu in TARGET_CPUS],
        providers = [platform_common.ConstraintValueInfo],
    ),
}

def target_cpu(ctx):
    """The CPU of the target platform.

    Args:
      ctx: of a rule with `CPU_ATTRS`.

    Returns:
      One of TARGET_CPUS, or None.
    """
    for constraint in ctx.attr._cpus:
        if ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo]):
            return constraint.label.name
    return None

def device_platform_name(soc, cpu = None):
    """The name of a device platform in `//pypto_rules/platforms`.

    Args:
      soc: compute-unit name.
      cpu: one of TARGET_CPUS, or None for this machine's.

    Returns:
      string.
    """
    return "%s_%s" % (soc, cpu) if cpu else soc
