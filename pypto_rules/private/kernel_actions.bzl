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

def _of_core(core, separator):
    """How names and options say a core; nothing when variants are not compiled apart."""
    return separator + core if core else ""

def codegen_action(actions, name, toolchain, src, python, manifest, op_type, columns, op_def, wanted, modes):
    """Action 4: writes one C++ source per variant.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      src: File, the kernel file.
      python: struct of `kernel_sources`: helper modules, and from where they are imported.
      manifest: File, `kernel.json`.
      op_type: string, the operator; names the binaries.
      columns: list of dicts, dtype variable → CANN dtype name, one per dtype column; None: those of `op_def`.
      op_def: File, `op.json`, or None.
      wanted: struct(tiling_keys, dtypes = lists of string), the selections of the flags; empty for all variants.
      modes: list of string, those of the toolchain's `mode_features` that are enabled.

    Returns:
      struct(sources = dict of core → directory File, variants = File, source_map = File).
    """
    sources = {core: actions.declare_directory("%s%s.src" % (name, _of_core(core, "."))) for core in toolchain.cores}
    variants = actions.declare_file(name + ".variants.json")
    source_map = actions.declare_file(name + ".source_map.json")
    args = actions.args()
    args.add("--kernel", src)
    args.add_all(python.helpers, before_each = "--src")
    if toolchain.executes_kernel:
        args.add_all(python.import_roots, before_each = "--import-root")
    args.add("--manifest", manifest)
    args.add("--op-type", op_type)
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
    args.add_all(modes, before_each = "--feature")
    for core, directory in sources.items():
        args.add_all("--out-dir" + _of_core(core, "-"), [directory], expand_directories = False)
    args.add("--variants", variants)
    args.add("--source-map", source_map)
    run_tool(
        actions,
        mnemonic = "PyptoCodegen",
        progress_message = "Generating variants of %%{label} for %s" % toolchain.soc,
        tool = toolchain.codegen,
        arguments = [args],
        inputs = depset(inputs, transitive = [python.helpers]),
        outputs = sources.values() + [variants, source_map],
    )
    return struct(source_map = source_map, sources = sources, variants = variants)

def compile_variants(actions, name, toolchain, core, feature_configuration, sources, options):
    """Action 5, one per variant: Bazel expands the directory into one CppCompile per file once it exists.

    Flags belong to a directory, not to a file: so there is one directory per core. It may stay empty.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      core: string, the core they are compiled for.
      feature_configuration: of the toolchain's C++ toolchain, for the core.
      sources: directory File, one `.cpp` per variant.
      options: list of string, the backend's, then the target's own.

    Returns:
      File: a directory of objects, one per variant.
    """

    # All objects of a backend are linked in one way; without this -c opt compiles every variant twice.
    pic = cc_common.is_enabled(feature_configuration = feature_configuration, feature_name = "supports_pic")
    _, outputs = cc_common.compile(
        actions = actions,
        name = name + _of_core(core, "."),
        cc_toolchain = toolchain.cc_toolchain,
        feature_configuration = feature_configuration,
        srcs = [sources],
        compilation_contexts = [toolchain.runtime.compilation_context],
        user_compile_flags = options,
        disallow_nopic_outputs = pic,
        disallow_pic_outputs = not pic,
    )
    return (outputs.pic_objects if pic else outputs.objects)[0]

def link_action(actions, name, toolchain, linker, manifest, variants, objects, op_def, modes):
    """Action 6: binds objects to TilingKeys, one binary and one json per dtype column.

    Args:
      actions: `ctx.actions`.
      name: prefix of output names.
      toolchain: PyptoToolchainInfo.
      linker: string, path of the C++ toolchain's linker driver.
      manifest: File, `kernel.json`.
      variants: File, `variants.json`: which object is which variant.
      objects: list of directory File, the objects of each core.
      op_def: File, `op.json`: one binary for each of its columns; or None.
      modes: list of string, as of `codegen_action`.

    Returns:
      File: the directory of binaries.
    """
    binaries = actions.declare_directory(name + ".bin")
    args = actions.args()
    args.add("--manifest", manifest)
    args.add("--variants", variants)
    args.add("--linker", linker)
    if op_def:
        args.add("--op-def", op_def)
    args.add_all(modes, before_each = "--feature")
    args.add_all("--out-dir", [binaries], expand_directories = False)
    args.add_all(objects, before_each = "--objects", expand_directories = False)
    run_tool(
        actions,
        mnemonic = "PyptoLink",
        progress_message = "Linking variants of %%{label} for %s" % toolchain.soc,
        tool = toolchain.link,
        arguments = [args],
        inputs = depset([manifest, variants] + objects + ([op_def] if op_def else []), transitive = [toolchain.cc_toolchain.all_files]),
        outputs = [binaries],
    )
    return binaries
