"""The command line: ``pdn`` and ``python -m pdn``."""

import sys

from pdn._core import run_command


def main() -> int:
    """Runs the command given by the arguments of the process and returns its exit status."""
    return run_command(["pdn", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
