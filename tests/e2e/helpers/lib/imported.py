"""Imported by its bare name, since its library says imports = ["."]."""

import pypto_pro.language as pl


def scale(tile, factor):
    """Multiplies a tile in place."""
    pl.mul(tile, tile, factor)
