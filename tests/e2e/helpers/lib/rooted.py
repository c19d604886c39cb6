"""Imported by its path from the root of the repository."""

TILE = 64
