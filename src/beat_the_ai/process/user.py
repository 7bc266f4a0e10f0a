"""The user of the machine."""

from __future__ import annotations

import os
import pwd


def machine_user() -> str:
    """Return the machine's user by the process, because anybody can change the environment."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # containers run under numbers that nobody has given a name
        return str(os.getuid())
