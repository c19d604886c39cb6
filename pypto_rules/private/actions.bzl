"""The one place that makes actions.

Every tool action of the rules runs through `run_tool`, so that no action can forget its mnemonic, its progress message or
the deterministic environment (design, section 6). A lint test finds any other `ctx.actions.run`.
"""

# What an action sees of the machine: fixed strings only. PATH is needed by the `#!/usr/bin/env python3` launcher of
# py_binary and is the one Bazel itself uses under --incompatible_strict_action_env.
ACTION_ENV = {
    "LC_ALL": "C.UTF-8",
    "PATH": "/bin:/usr/bin:/usr/local/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "1",
    "PYTHONSAFEPATH": "1",
    "TZ": "UTC",
}

def run_tool(actions, mnemonic, progress_message, tool, arguments, inputs, outputs, tools = []):
    """Runs a tool of the ruleset as an action.

    Args:
      actions: `ctx.actions`.
      mnemonic: the action's mnemonic, CamelCase with the prefix `Pypto` (design, section 3).
      progress_message: what Bazel shows while it runs; `%{label}` and the like are expanded by Bazel.
      tool: a `FilesToRunProvider` or an executable `File`.
      arguments: a list of `Args`.
      inputs: a list or depset of `File`; all that the tool reads.
      outputs: a list of `File`.
      tools: further executables the tool starts.
    """
    if not mnemonic.startswith("Pypto"):
        fail("mnemonic %r must start with Pypto" % mnemonic)
    if not progress_message:
        fail("action %s needs a progress message" % mnemonic)
    actions.run(
        executable = tool,
        arguments = arguments,
        inputs = inputs,
        outputs = outputs,
        tools = tools,
        mnemonic = mnemonic,
        progress_message = progress_message,
        env = ACTION_ENV,
        use_default_shell_env = False,
    )
