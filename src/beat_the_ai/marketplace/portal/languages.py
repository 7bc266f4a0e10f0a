"""The language of the pages: a worker's choice, else what their browser asks for, else the language of the store."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.requests import Request

from beat_the_ai.words.accepted import language_for

COOKIE = "worker_language"
PAGE = re.compile(r"/worker(/[A-Za-z0-9_-]+)*(\?[A-Za-z0-9_.~%=&+/-]*)?", re.ASCII)


def here(address: str) -> str:
    """Return the address if it is one of the portal's pages, else ""."""
    return address if PAGE.fullmatch(address) else ""


def chosen_language(request: Request, offered: Iterable[str], default: str) -> str:
    """Return the language for a browser among those offered."""
    return language_for(request.cookies.get(COOKIE), request.headers.get("accept-language", ""), offered, default)
