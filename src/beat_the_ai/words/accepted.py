"""The language of a reader: their choice, else the first of those that their browser asks for and we have."""

from __future__ import annotations

from collections.abc import Iterable

MOST_CHARACTERS = 500  # of what a browser asks for


def language_for(choice: str | None, asked_for: str, offered: Iterable[str], default: str) -> str:
    """Return a language among those offered. `asked_for` is an Accept-Language header (RFC 9110, section 12.5.4)."""
    languages = list(offered)
    if choice in languages:
        return str(choice)
    for asked in _by_weight(asked_for):
        for language in languages:
            if language.lower() in (asked, asked.partition("-")[0]):
                return language
    return default if default in languages else languages[0]


def _by_weight(header: str) -> list[str]:
    """Return the languages that a browser asks for, the dearest first."""
    weighed = []
    for part in header[:MOST_CHARACTERS].split(","):
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if tag.strip() and quality > 0:
            weighed.append((quality, tag.strip().lower()))
    return [tag for _, tag in sorted(weighed, key=lambda one: -one[0])]
