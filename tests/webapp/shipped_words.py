"""The words of the pages as a router serves them, those of one kind of task or of all, and a made-up language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import beat_the_ai.kinds
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.words import Catalogue, page_words
from beat_the_ai.words.pseudo import PSEUDO, pseudo

KINDS = [path / "words" for path in sorted(Path(beat_the_ai.kinds.__path__[0]).iterdir()) if (path / "words").is_dir()]


@cache
def shipped_words(language: str, kind: str | None = None) -> Catalogue:
    """Return the words that ship with the product."""
    folders = [folder for folder in KINDS if kind in (None, folder.parent.name)]
    return pseudo(page_words(ENGLISH, *folders)) if language == PSEUDO else page_words(language, *folders)
