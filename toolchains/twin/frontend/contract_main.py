"""The contract tool with the twin's front end, which goes first: no other `pypto_pro` of the machine can replace it."""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, _HERE)

from pypto_rules.tools.contract.cli import main  # noqa: E402  after the path is set

if __name__ == "__main__":
    sys.exit(main())
