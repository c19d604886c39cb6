def fits(key):
    mode, tile = key
    return mode < tile
