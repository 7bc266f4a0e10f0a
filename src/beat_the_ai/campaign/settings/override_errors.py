"""Hydra's refusals of KEY=VALUE, in the words of this command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from beat_the_ai.errors import InvalidInput, UnknownName

UNKNOWN_KEY = re.compile(r"Could not override '([^']+)'")
UNKNOWN_OPTION = re.compile(r"Could not find '([^']+)/([^'/]+)'\s+Available options in [^\n]+\n((?:\t[^\n]+\n)+)")
NO_VALUE = re.compile(r"Error parsing override '([^']+)'\s+missing EQUAL")


def refusal(error: Exception, settings_without: Callable[[str], Mapping[str, Any]]) -> InvalidInput:
    """`settings_without` composes the settings without the overrides of a key."""
    text = str(error)
    if found := UNKNOWN_KEY.search(text):
        return UnknownName("setting", found[1], _alike(found[1], list(_keys(settings_without(found[1])))))
    if found := UNKNOWN_OPTION.search(text):
        return UnknownName(found[1], found[2], found[3].split())
    if found := NO_VALUE.search(text):
        return InvalidInput("configuration", f"{found[1]!r} was given. A setting has a value: KEY=VALUE.")
    return InvalidInput("configuration", " ".join(text.split()))


def _keys(settings: Mapping[str, Any], within: str = "") -> Iterator[str]:
    for name, value in settings.items():
        yield f"{within}{name}"
        if isinstance(value, Mapping):
            yield from _keys(value, f"{within}{name}.")


def _alike(given: str, known: Collection[str]) -> list[str]:
    """Return the keys of the same section; else those of that name in any; else all sections."""
    section, _, name = given.rpartition(".")
    siblings = [key for key in known if section and key.rpartition(".")[0] == section]
    return siblings or [key for key in known if name in key] or [key for key in known if "." not in key]
