"""What was looked for and found, as text for people: `report.txt` and `toolkit.txt`."""

_PARTS = {
    "asc": "headers of Ascend C",
    "ascendc": "more headers of Ascend C (not every toolkit has them)",
    "bisheng": "compiler and linker for AI Cores",
    "include": "headers of CANN",
    "lib64": "libraries of the host side",
    "op_build": "generator of the host side",
    "tikcpp": "older headers of Ascend C (not every toolkit has them)",
}

def _section(title, lines):
    return title + "\n" + "".join(["  %s\n" % line for line in lines]) if lines else ""

def layout_report(layout):
    """The parts of a toolkit.

    Args:
      layout: as of examine.

    Returns:
      text.
    """
    lines = ["%s: %s" % (name, layout.links.get(name, "not found") + ", " + what) for name, what in _PARTS.items()]
    return _section("CANN %s in %s" % (layout.version, layout.root), lines)

def detection_report(found, notes):
    """What detect found.

    Args:
      found: as of detect.
      notes: list of texts.

    Returns:
      text.
    """
    return "".join([
        _section("notes", notes),
        _section("where a CANN toolkit was looked for", found.steps),
        layout_report(found.layout) if found.layout else "",
        _section("where pypto_pro was looked for", found.pypto.steps if found.pypto else []),
        "result: %s\n" % {"broken": "cannot be used", "found": "CANN is used", "none": "no CANN toolkit"}[found.state],
        found.problem + "\n" if found.state == "broken" else "",
    ])
