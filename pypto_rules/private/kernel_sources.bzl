"""The Python files of a kernel: where its helper modules are imported from, and where they lie in a package."""

load("@rules_python//python:defs.bzl", "PyInfo")
load(":names.bzl", "label_text")

def _without_repository(path):
    """`../repo/a/b.py` and `a/b.py` → `a/b.py`."""
    return path.split("/", 2)[2] if path.startswith("../") else path

def _root(file):
    """The directory that `import a.b` of a file `a/b.py` starts from: workspace, repository or output root."""
    return file.path.removesuffix(_without_repository(file.short_path)).removesuffix("/") or "."

def _import_directory(entry):
    """An entry of PyInfo.imports, which begins with the repository's name, as a path below the execution root."""
    repository, _, path = entry.partition("/")
    return (path or ".") if repository == "_main" else "external/" + entry

def _library_sources(library):
    """Pairs of file and shipped path, and the import roots, of a py_library."""
    directories = [_import_directory(entry) for entry in library.imports.to_list()]
    files = [f for f in library.transitive_sources.to_list() if f.extension == "py"]
    sources = []
    for file in files:
        # A module below a directory of `imports` has two names; which one a kernel uses is not known here.
        sources.append((file, _without_repository(file.short_path)))
        sources += [(file, file.path.removeprefix(d + "/")) for d in directories if file.path.startswith(d + "/")]
    return sources, [_root(f) for f in files] + directories

def kernel_sources(label, src, deps):
    """The files of a kernel and the directories its imports are looked up in.

    Args:
      label: Label of the target, for messages.
      src: File, the kernel file.
      deps: list of targets: `.py` files, which are imported by their bare name, or `py_library` targets, which are
        imported as everywhere in Bazel: from the root of their repository or a directory of their `imports`.

    Returns:
      struct(helpers = depset of File, import_roots = list of string,
      sources = list of struct(file = File, shipped = path below the kernel's directory in a package)); `sources`
      begins with the kernel file.
    """
    beside = src.short_path.removesuffix(src.basename)
    found, roots = [], []
    for dep in deps:
        if PyInfo in dep:
            sources, directories = _library_sources(dep[PyInfo])
            found += sources
            roots += directories
        else:
            found += [(f, f.basename) for f in dep[DefaultInfo].files.to_list()]
    shipped = {src.basename: src}
    for file, path in found:
        if file.short_path.startswith(beside):
            path = file.short_path.removeprefix(beside)
        if shipped.get(path, file) != file:
            fail("%s: `deps` has two modules of the name '%s': %s and %s; a kernel imports each name from one file. Rename one." %
                 (label_text(label), path, shipped[path].short_path, file.short_path))
        shipped[path] = file
    return struct(
        helpers = depset([file for file, _ in found]),
        import_roots = {root: None for root in roots}.keys(),
        sources = [struct(file = f, shipped = path) for path, f in shipped.items()],
    )
