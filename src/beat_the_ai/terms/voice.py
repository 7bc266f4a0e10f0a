"""Texts for workers as they get them through the crowd: in the language of their campaign."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import Said
from beat_the_ai.messages.icu import Unreadable
from beat_the_ai.words import page_words
from beat_the_ai.words.voice import Voice

log = logging.getLogger(__name__)


def told_in(language: str, text: str, own: Path | None = None) -> str:
    """Return a text by the messages that it was made of, in a language; any other as it stands.

    `own` is a folder of words that overrides the product's. Words there that cannot be read are logged and left out:
    nobody waits for money because of them.
    """
    if not isinstance(text, Said):
        return text
    if own is not None and own.is_dir():
        try:
            return _voice(language, own).told(text)
        except (InvalidInput, Unreadable) as error:
            log.warning("the words in %s cannot be used: %s", own, error)
    return _voice(language, None).told(text)


@cache
def _voice(language: str, own: Path | None) -> Voice:
    return Voice(page_words(language, *([] if own is None else [own])))
