"""`python -m toolchains.twin.codegen`."""

import sys

from toolchains.twin.codegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
