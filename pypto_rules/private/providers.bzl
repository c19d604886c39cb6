"""Providers of the ruleset."""

PyptoKernelInfo = provider(
    doc = "A kernel, its contract, and its binaries for one SoC. Since 0.1.0.",
    fields = {
        "backend": "string: name of the backend that made the binaries, e.g. `twin`. Never empty.",
        "cpu": "string: CPU of the device platform, e.g. `aarch64`, which twin kernels run on; None: another than CANN knows.",
        "binaries": "File, a directory: per dtype column one `<binary>.so` (twin) or `<binary>.o` (cann), and one `<binary>.json`.",
        "generated": "list of File, directories: one C++ source per variant, a directory per core that variants are compiled for.",
        "headers": "PyptoTilingHeadersInfo: the headers that host and device share.",
        "manifest": "File: `kernel.json`, the kernel's contract as the contract tool wrote it.",
        "op_def": "File: `op.json`, or None: no OpDef is known. Since 0.1.0.",
        "op_file": "string: stem of the kernel file; the opFile of the operator.",
        "op_type": "string: CamelCase operator type.",
        "options": "list of string: compile options of every variant, the backend's, then the kernel's own.",
        "soc": "string: compute-unit name the binaries are for, e.g. `ascend910b`.",
        "source_map": "File: `source_map.json`, positions in the kernel file by variant and site; for tests and debugging only.",
        "toolkit": "dict of string: as of PyptoToolchainInfo.",
        "sources": "list of struct(file = File, shipped = string): the kernel file first, then its helper modules, each with its path below the kernel's directory in a package.",
        "variants": "File: `variants.json`, every variant with its dtype column, TilingKey, source and entry symbol.",
    },
)

PyptoOpDefInfo = provider(
    doc = "What an operator's OpDef says. Since 0.1.0.",
    fields = {
        "library": "File: the `_def.cpp` as a shared library for the machine that builds.",
        "library_files": "depset of File: `library` and what it needs to be loaded.",
        "op_json": "File: `op.json`: parameters, attributes, dtype and format columns, SoC configurations (`//pypto_rules/tools/opdef`).",
    },
)

PyptoOpHostInfo = provider(
    doc = "The compiled host side of an operator, for the package's two libraries and for tests. Since 0.1.0.",
    fields = {
        "op_master": "File: `libcust_opmaster_rt2.0.so` of this operator alone, for tests. Built when something needs it.",
        "ops_proto": "File: `libcust_opsproto_rt2.0.so` of this operator alone, for tests. Built when something needs it.",
        "proto": "CcLinkingContext: InferShape and graph sources.",
        "proto_headers": "depset of File: `*_proto.h` of `op_graph`, or a directory with the backend's. Empty: the package's tool writes it.",
        "tiling": "CcLinkingContext: tiling sources and the registration of the TilingData.",
    },
)

PyptoAclnnInfo = provider(
    doc = "The aclnn interface of an operator. Since 0.1.0.",
    fields = {
        "headers": "depset of File: files and directories with the headers that ship, `aclnn_<op>.h`. Empty for aclnn_inner.",
        "interface": "CcLinkingContext: sources for `libcust_opapi.so`.",
    },
)

PyptoOpInfo = provider(
    doc = "An operator: its kernel is in PyptoKernelInfo beside this provider, here is its host side. Since 0.1.0.",
    fields = {
        "aclnn": "PyptoAclnnInfo, or None: no aclnn interface, or the host side is not built in a device platform.",
        "aclnn_type": "string: aclnn, aclnn_inner or aclnn_exclude.",
        "host": "PyptoOpHostInfo, or None: no host sources, or a device platform.",
        "op_def": "PyptoOpDefInfo, or None: no OpDef.",
    },
)

PyptoTilingHeadersInfo = provider(
    doc = "The headers that host and device share, and what makes them easy to test. Every field is always set. Since 0.1.0.",
    fields = {
        "directory": "File, a directory: `<TilingData>_tiling.h`, `<TilingKey>_tilingkey.h`, `<TilingData>_registration.h`, `<TilingData>_print.h`.",
        "host_include": "File: the header to force-include into host tiling sources; it includes the TilingKey and TilingData headers.",
        "manifest": "File: `kernel.json` that they were made from. Since 0.1.0.",
        "op_type": "string: the operator type that the TilingData is registered for. Since 0.1.0.",
        "python": "File, a directory for Python's search path: `pypto_tiling/<kernel>.py`, a dataclass of the TilingData's name that reads and writes its bytes.",
        "registration_source": "File: the C++ source that registers the TilingData's size in the host library. Since 0.1.0.",
    },
)

PyptoPackageInfo = provider(
    doc = "A vendor package. Since 0.1.0.",
    fields = {
        "arch": "string: CPU of its host libraries, `aarch64` or `x86_64`.",
        "op_api": "File: `libcust_opapi.so`, or None when no operator has an aclnn interface. Since 0.1.0.",
        "manifest": "File: `manifest.json`: every file with its sha256, the SoCs, the backend and the variants.",
        "run": "File: the self-extracting installer.",
        "socs": "list of string: the compute units that it has kernels for.",
        "system": "struct(data, check, rpm_spec = File): what a `.deb` or `.rpm` is made of: the tree where it is installed, the script that runs first, the rpm's spec.",
        "tree": "File, a directory: the vendor tree as it is installed, below `vendors/`.",
        "uninstaller": "File: the script that removes the installed package.",
        "vendor_name": "string: the validated vendor name.",
        "version": "string: the version of the package.",
    },
)

# The host libraries of a package, by what they are to it (cann-flow, section 3.5).
HOST_ROLES = ["op_api", "op_master", "ops_proto"]

PyptoHostToolchainInfo = provider(
    doc = "What a backend provides for the host side. Every field is always set. Since 0.1.0.",
    fields = {
        "acl": "CcInfo: what programs that call a package are compiled and linked with.",
        "aclnn": "FilesToRunProvider: `op.json` → `aclnn_<op>.h` and its source.",
        "backend": "string: name of the backend, e.g. `twin`.",
        "defines": "dict of role (see HOST_ROLES) to list of string: preprocessor definitions of that library's sources. Since 0.2.0.",
        "libraries": "dict of role to list of File: what that library of a package is linked with; archives (`.a`) whole, shared libraries as far as needed and found by their soname where the package is used. Since 0.2.0.",
        "op_def_dump": "FilesToRunProvider: library of a `_def.cpp` → what it registers.",
        "op_def_sdk": "CcInfo: what a `_def.cpp` is compiled and linked with.",
        "proto": "FilesToRunProvider: `op.json` → `<op>_proto.h` and its source. None: the package's tool writes the header, and no source is needed. Since 0.2.0.",
        "reads_library": "bool: whether `aclnn` and `proto` also read the library of the `_def.cpp`. Since 0.2.0.",
        "run_time": "File: the shared library that a package's host libraries are loaded into. Only the twin's can be loaded on any machine. Since 0.2.0.",
        "sdk": "CcInfo: headers of the host side and of acl, for sources of operators.",
    },
)

PyptoToolchainInfo = provider(
    doc = "What a backend provides for one SoC. Every field is always set. Since 0.1.0.",
    fields = {
        "backend": "string: name of the backend, e.g. `twin`.",
        "cc_toolchain": "CcToolchainInfo: the C++ toolchain that compiles variants.",
        "codegen": "FilesToRunProvider: kernel file and manifest → one C++ source per variant and `variants.json`.",
        "contract": "FilesToRunProvider: kernel file → `kernel.json`, with the backend's `pypto_pro` front end.",
        "copts": "list of string: options of every variant's compile.",
        "cores": "dict: core that variants are compiled for → list of features that compile for it; one core, the empty string, when they are not compiled apart.",
        "executes_kernel": "bool: whether `codegen` executes the kernel file.",
        "link": "FilesToRunProvider: objects and `variants.json` → the directory of binaries.",
        "mode_features": "list of string: features of `cc_toolchain` that `codegen` and `link` are told of.",
        "runtime": "CcInfo: headers every variant's source includes.",
        "soc": "string: compute-unit name.",
        "toolkit": "dict of string: what the backend is made of, name → version; empty for the twin, which is part of the rules.",
    },
)
