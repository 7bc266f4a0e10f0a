"""Secrets of the environment that lie in files, as Docker and systemd hand them over."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from pathlib import Path

from beat_the_ai.errors import InvalidInput

SUFFIX = "_FILE"
SECRET = re.compile(
    r"BEAT_THE_AI_\w+|PROLIFIC_TOKEN|OPENSEARCH_AUTHORIZATION|AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)",
    re.ASCII,
)


def read_secret_files(environment: MutableMapping[str, str]) -> None:
    """Set each secret `NAME` whose file `NAME_FILE` names, without the line's end, in the place of `NAME_FILE`.

    Raises `InvalidInput` for a file that cannot be read, and where both are set.
    """
    for variable in [each for each in environment if each.endswith(SUFFIX)]:
        name = variable.removesuffix(SUFFIX)
        if SECRET.fullmatch(name):
            if name in environment:
                raise InvalidInput(variable, f"{name} and {variable} are both set. Set one of them.")
            environment[name] = _content(variable, environment.pop(variable))


def _content(variable: str, file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidInput(variable, f"{variable}={file} cannot be read: {reason}.") from error
