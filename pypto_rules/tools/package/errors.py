"""The one error users of the package tool see."""


class PackageError(Exception):
    """The inputs cannot be packaged; the text says what is wrong and what to do."""
