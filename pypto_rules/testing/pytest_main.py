"""Main program of pytest tests under Bazel: runs pytest on the files given, reports to Bazel."""

from __future__ import annotations

import os
import sys


def main(files: list[str]) -> int:
    """Run pytest; exit status as pytest's, except that a test file without tests fails.

    Bazel's sharding, filter (`--test_filter`) and XML output are passed on.
    """
    try:
        import pytest
    except ImportError as error:
        print(
            f"error: {error}. The wheels were chosen for another Python than {sys.version.split()[0]}; "
            f"set --repo_env=PYPTO_PYTHON_VERSION={sys.version_info.major}.{sys.version_info.minor}",
            file=sys.stderr,
        )
        return 1
    arguments = ["-p", "no:cacheprovider", "--color=no", "--tb=short", "-q"]
    if directory := os.environ.get("TEST_TMPDIR"):
        arguments.append(f"--basetemp={directory}/pytest")
    if xml := os.environ.get("XML_OUTPUT_FILE"):
        arguments.append(f"--junitxml={xml}")
    if chosen := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        arguments += ["-k", chosen]
    return int(pytest.main([*arguments, *files]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
