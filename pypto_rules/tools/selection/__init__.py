"""Which variants of a kernel to build: the flags `tiling_keys` and `dtypes`, applied to a kernel."""
