"""The messages of a worker's page of results and letters, in the language of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from beat_the_ai.messages import Speaker
from beat_the_ai.words.catalogue import page_words
from beat_the_ai.words.languages import languages_in
from beat_the_ai.words.voice import Voice

WORDS = Path(__file__).parent / "words"

said = Speaker(WORDS)


@cache
def voices() -> Mapping[str, Voice]:
    """Return the voices of the pages by their languages."""
    return {language: Voice(page_words(language, WORDS)) for language in languages_in(WORDS)}
