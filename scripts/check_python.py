"""Say in one sentence what is wrong when this Python cannot run the project."""

import sys

if not (3, 10) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        f"Python {sys.version.split()[0]} was found; Python 3.10 to 3.13 is needed. "
        "Name another one like this: make PYTHON=python3.11 ..."
    )
