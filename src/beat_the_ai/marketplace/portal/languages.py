"""The language of the pages: a worker's choice, else what their browser asks for, else the language of the store."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.requests import Request

COOKIE = "worker_language"
PAGE = re.compile(r"/worker(/[A-Za-z0-9_-]+)*(\?[A-Za-z0-9_.~%=&+/-]*)?", re.ASCII)
MOST_CHARACTERS = 500  # of what a browser asks for


def here(address: str) -> str:
    """Return the address if it is one of the portal's pages, else ""."""
    return address if PAGE.fullmatch(address) else ""


def chosen_language(request: Request, offered: Iterable[str], default: str) -> str:
    """Return the language for a browser among those offered."""
    languages = list(offered)
    kept = request.cookies.get(COOKIE)
    if kept in languages:
        return str(kept)
    for asked in _asked_for(request.headers.get("accept-language", "")):
        for language in languages:
            if asked == language.lower() or asked.partition("-")[0] == language.lower():
                return language
    return default if default in languages else languages[0]


def _asked_for(header: str) -> list[str]:
    """Return the languages that a browser asks for, the dearest first (RFC 9110, section 12.5.4)."""
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
