from pypto_pro.runtime.tilingkey import TilingKeyField


class Keys:
    class OpKey:
        a = TilingKeyField(bits=1, values=[0, 1])
        b = TilingKeyField(bits=2, values=[1, 2, 3])
