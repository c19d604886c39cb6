"""Imported by its bare name, since it lies beside the kernel."""

ROWS = 1
