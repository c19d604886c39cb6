SIZES = {'a2': 192}


def size(arch):
    return SIZES[arch]
