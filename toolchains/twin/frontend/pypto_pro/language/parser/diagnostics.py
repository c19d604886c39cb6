"""`pypto_pro.language.parser.diagnostics`: what the parser raises on the host."""

from pypto_pro._errors import exception_named as __getattr__  # noqa: F401
