"""Reading locked requirements files and the metadata of wheels."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load(
    "//pypto_rules/private/repositories:requirements.bzl",
    "marker_holds",
    "parse_dependencies",
    "parse_requirements",
    "render_requirements",
    "select_requirements",
)

_LOCK = """# a comment
jinja2==3.1.6 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via -r x.in
ml-dtypes==0.6.0 --hash=sha256:cc
numpy==2.2.6 ; python_full_version < '3.11' \\
    --hash=sha256:dd
numpy==2.4.6 ; python_full_version == '3.11.*' \\
    --hash=sha256:ee
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:ff
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:00
"""

def _parse_impl(ctx):
    env = unittest.begin(ctx)
    requirements = parse_requirements(_LOCK)
    asserts.equals(env, ["jinja2", "ml_dtypes", "numpy", "numpy", "numpy", "colorama"], [r.name for r in requirements])
    asserts.equals(env, ["sha256:aa", "sha256:bb"], requirements[0].hashes)
    asserts.equals(env, "", requirements[0].marker)
    asserts.equals(env, "python_full_version < '3.11'", requirements[2].marker)
    return unittest.end(env)

_parse_test = unittest.make(_parse_impl)

def _select_impl(ctx):
    env = unittest.begin(ctx)
    for python, numpy in {"3.10": "2.2.6", "3.11": "2.4.6", "3.12": "2.5.5", "3.14": "2.5.5"}.items():
        selected = {r.name: r.version for r in select_requirements(_LOCK, python)}
        asserts.equals(env, {"jinja2": "3.1.6", "ml_dtypes": "0.6.0", "numpy": numpy}, selected)
    return unittest.end(env)

_select_test = unittest.make(_select_impl)

def _marker_impl(ctx):
    env = unittest.begin(ctx)
    holds = ["", "python_version >= '3.9'", "python_version != \"3.10\"", "python_version <= '3.11' and sys_platform == 'linux'"]
    for marker in holds:
        asserts.true(env, marker_holds(marker, "3.11"), marker)
    for marker in ["python_version > '3.11'", "sys_platform != 'linux'", "python_version >= '3.9' and python_version < '3.11'"]:
        asserts.false(env, marker_holds(marker, "3.11"), marker)
    return unittest.end(env)

_marker_test = unittest.make(_marker_impl)

def _render_impl(ctx):
    env = unittest.begin(ctx)
    text = render_requirements(select_requirements(_LOCK, "3.11"))
    asserts.equals(env, """jinja2==3.1.6 --hash=sha256:aa --hash=sha256:bb
ml_dtypes==0.6.0 --hash=sha256:cc
numpy==2.4.6 --hash=sha256:ee
""", text)
    return unittest.end(env)

_render_test = unittest.make(_render_impl)

def _dependencies_impl(ctx):
    env = unittest.begin(ctx)
    metadata = """Metadata-Version: 2.4
Name: pytest
Requires-Dist: iniconfig>=1.0.1
Requires-Dist: typing-extensions (>=4)
Requires-Dist: exceptiongroup>=1; python_version < "3.11"
Requires-Dist: numpy>=1.21
Requires-Dist: numpy>=2.1; python_version >= "3.13"
Requires-Dist: zope.interface; extra == 'dev'

Requires-Dist: text-of-the-description
"""
    asserts.equals(env, ["iniconfig", "typing_extensions", "exceptiongroup", "numpy"], parse_dependencies(metadata))
    return unittest.end(env)

_dependencies_test = unittest.make(_dependencies_impl)

def requirements_test_suite(name):
    """All tests of this file.

    Args:
      name: name of the suite.
    """
    unittest.suite(name, _parse_test, _select_test, _marker_test, _render_test, _dependencies_test)
