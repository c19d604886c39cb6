"""Builders of a kernel's actions (design, section 3): explicit arguments in, files out."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load(":actions.bzl", "run_tool")
load(":providers.bzl", "PyptoTilingHeadersInfo")

def contract_action(actions, name, toolchain, src, python, max_variants, op_def):
    """Action 1: loads the kernel file and writes its contract.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      src: File, the kernel file.
      python: struct of `kernel_sources`: helper modules it may import, and from where.
      max_variants: int, the most TilingKeys it may have.
      op_def: File, `op.json` to check the kernel against, or None.

    Returns:
      File: `<name>.kernel.json`.
    """
    manifest = actions.declare_file(name + ".kernel.json")
    args = actions.args()
    args.add("emit")
    args.add("--kernel", src)
    args.add_all(python.helpers, before_each = "--src")
    args.add_all(python.import_roots, before_each = "--import-root")
    args.add("--max-variants", max_variants)
    if op_def:
        args.add("--op-def", op_def)
        args.add("--soc", toolchain.soc)
    args.add("--out", manifest)
    run_tool(
        actions,
        mnemonic = "PyptoContract",
        progress_message = "Loading PyPTO kernel %{label}",
        tool = toolchain.contract,
        arguments = [args],
        inputs = depset([src] + ([op_def] if op_def else []), transitive = [python.helpers]),
        outputs = [manifest],
    )
    return manifest

def headers_action(actions, name, tool, manifest, op_type):
    """Action 2: writes the headers that host and device share, and the Python module. Waits for nothing but the contract.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      tool: FilesToRunProvider of the headers tool.
      manifest: File, `kernel.json`.
      op_type: string, the operator the TilingData is registered for.

    Returns:
      PyptoTilingHeadersInfo.
    """
    directory = actions.declare_directory(name + ".headers")
    host_include = actions.declare_file(name + "_tiling_host.h")
    registration_source = actions.declare_file(name + "_tiling_registration.cpp")
    python = actions.declare_directory(name + ".python")
    args = actions.args()
    args.add("--manifest", manifest)
    args.add("--op-type", op_type)
    args.add_all("--out-dir", [directory], expand_directories = False)
    args.add("--host-include", host_include)
    args.add("--registration-source", registration_source)
    args.add_all("--python-dir", [python], expand_directories = False)
    run_tool(
        actions,
        mnemonic = "PyptoHeaders",
        progress_message = "Generating tiling headers of %{label}",
        tool = tool,
        arguments = [args],
        inputs = [manifest],
        outputs = [directory, host_include, python, registration_source],
    )
    return PyptoTilingHeadersInfo(
        directory = directory,
        host_include = host_include,
        manifest = manifest,
        op_type = op_type,
        python = python,
        registration_source = registration_source,
    )

def codegen_action(actions, name, toolchain, src, helpers, manifest, columns, op_def, wanted):
    """Action 4: writes one C++ source per variant.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      src: File, the kernel file.
      helpers: depset of File, helper modules.
      manifest: File, `kernel.json`.
      columns: list of dicts, dtype variable → CANN dtype name, one per dtype column; None: those of `op_def`.
      op_def: File, `op.json`, or None.
      wanted: struct(tiling_keys, dtypes = lists of string), the selections of the flags; empty for all variants.

    Returns:
      struct(sources = directory File, variants = File, source_map = File).
    """
    sources = actions.declare_directory(name + ".src")
    variants = actions.declare_file(name + ".variants.json")
    source_map = actions.declare_file(name + ".source_map.json")
    args = actions.args()
    args.add("--kernel", src)
    args.add_all(helpers, before_each = "--src")
    args.add("--manifest", manifest)
    inputs = [src, manifest]
    if columns != None:
        columns_file = actions.declare_file(name + ".columns.json")
        actions.write(columns_file, json.encode(columns) + "\n")
        args.add("--columns", columns_file)
        inputs.append(columns_file)
    if op_def:
        args.add("--op-def", op_def)
        inputs.append(op_def)
    args.add("--soc", toolchain.soc)
    args.add_all(wanted.tiling_keys, before_each = "--tiling-keys")
    args.add_all(wanted.dtypes, before_each = "--dtypes")
    args.add_all("--out-dir", [sources], expand_directories = False)
    args.add("--variants", variants)
    args.add("--source-map", source_map)
    run_tool(
        actions,
        mnemonic = "PyptoCodegen",
        progress_message = "Generating variants of %%{label} for %s" % toolchain.soc,
        tool = toolchain.codegen,
        arguments = [args],
        inputs = depset(inputs, transitive = [helpers]),
        outputs = [sources, variants, source_map],
    )
    return struct(source_map = source_map, sources = sources, variants = variants)

def compile_variants(actions, name, toolchain, feature_configuration, sources, options):
    """Action 5, one per variant: Bazel expands the directory into one CppCompile per file once it exists.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      feature_configuration: of the toolchain's C++ toolchain.
      sources: directory File, one `.cpp` per variant.
      options: list of string, the backend's, then the target's own.

    Returns:
      File: a directory of objects, one per variant.
    """
    _, outputs = cc_common.compile(
        actions = actions,
        name = name,
        cc_toolchain = toolchain.cc_toolchain,
        feature_configuration = feature_configuration,
        srcs = [sources],
        compilation_contexts = [toolchain.runtime.compilation_context],
        user_compile_flags = options,
        # Shared objects are all we link; without this -c opt compiles every variant twice.
        disallow_nopic_outputs = True,
    )
    return outputs.pic_objects[0]

def link_action(actions, name, toolchain, linker, manifest, variants, objects, op_type, op_def):
    """Action 6: binds objects to TilingKeys, one binary and one json per dtype column.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      linker: string, path of the C++ toolchain's linker driver.
      manifest: File, `kernel.json`.
      variants: File, `variants.json`: which object is which variant.
      objects: directory File of objects.
      op_type: string, names the binaries.
      op_def: File, `op.json`: one binary for each of its columns; or None.

    Returns:
      File: the directory of binaries.
    """
    binaries = actions.declare_directory(name + ".bin")
    args = actions.args()
    args.add("--manifest", manifest)
    args.add("--variants", variants)
    args.add("--op-type", op_type)
    args.add("--linker", linker)
    if op_def:
        args.add("--op-def", op_def)
    args.add_all("--out-dir", [binaries], expand_directories = False)
    args.add_all("--objects", [objects], expand_directories = False)
    run_tool(
        actions,
        mnemonic = "PyptoLink",
        progress_message = "Linking variants of %%{label} for %s" % toolchain.soc,
        tool = toolchain.link,
        arguments = [args],
        inputs = depset([manifest, variants, objects] + ([op_def] if op_def else []), transitive = [toolchain.cc_toolchain.all_files]),
        outputs = [binaries],
    )
    return binaries
