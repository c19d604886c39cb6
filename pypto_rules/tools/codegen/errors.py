"""Errors of a code generator's inputs."""

from __future__ import annotations


class InputError(Exception):
    """An input of the tool itself (not of the kernel) is wrong; the text says which and how to mend it."""
