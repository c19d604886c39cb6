"""Fills in the templates of the installer."""

from __future__ import annotations

import shlex
from pathlib import Path

import jinja2

from pypto_rules.tools.package.spec import Spec

_TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, spec: Spec, **values: object) -> str:
    """The text of a template for a package; `values` are further variables of it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        # The usual "{#" begins a comment in the middle of bash's "${#name}".
        comment_start_string="<#",
        comment_end_string="#>",
    )
    environment.filters["shell_quoted"] = shlex.quote
    return environment.get_template(template).render(spec=spec, **values)
