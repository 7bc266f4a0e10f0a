"""The command `mephisto`: Mephisto's own, on every Python of the suite, with the suite's plugins known to it.

The command of that name in Mephisto's wheel ends in a traceback since Python 3.11, and Mephisto has no list of plugins:
what is not imported does not exist for it. Ours is installed after it, in its place.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path

from beat_the_ai.campaign.settings.configuration import load_blueprints, suite_root
from beat_the_ai.errors import InvalidInput
from beat_the_ai.mephisto import architect, mturk, shim  # noqa: F401  # each registers what it has


def main() -> None:
    with suppress(InvalidInput):  # without a checkout there is the engine alone
        load_blueprints(suite_root(Path.cwd()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations inside Mephisto 1.1.1
        from mephisto.client.cli import cli
    cli(prog_name="mephisto")


if __name__ == "__main__":
    main()
