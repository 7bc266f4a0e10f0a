"""The messages of a worker's page of results and letters, in the language of each."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import Speaker
from beat_the_ai.words import page_words
from beat_the_ai.words.faults import sound_words
from beat_the_ai.words.languages import LETTERS, languages_in
from beat_the_ai.words.voice import Voice

log = logging.getLogger(__name__)

said = Speaker(LETTERS)


@cache
def voices(own: Path | None = None) -> Mapping[str, Voice]:
    """Return the voices of the page by their languages. `own` is a folder of words that overrides the product's.

    Words there that would break the page are left out, so that a worker can always read and write letters.
    """
    languages = {*languages_in(LETTERS), *([] if own is None else languages_in(own))}
    return {language: voice_in(language, own) for language in sorted(languages)}


def voice_in(language: str, own: Path | None) -> Voice:
    """Return the voice of a language by the words of now."""
    if own is not None and own.is_dir():
        try:
            return Voice(sound_words(language, [LETTERS], own))
        except InvalidInput as error:
            log.warning("the words in %s cannot be used: %s", own, error)
    return Voice(page_words(language, LETTERS))
