"""Finds copies of the kernel's TilingData in host sources and compares their layout."""
