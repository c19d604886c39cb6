"""`python -m pypto_rules.tools.contract`; needs a `pypto_pro` front end on the path."""

import sys

from pypto_rules.tools.contract.cli import main

if __name__ == "__main__":
    sys.exit(main())
