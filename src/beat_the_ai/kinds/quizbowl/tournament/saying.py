"""The words of an event's pages, and its messages as its server says them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.messages import Speaker
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.words import Catalogue, page_words, product_languages
from beat_the_ai.words.faults import own_faults
from beat_the_ai.words.languages import PRODUCT, languages_in

WORDS = Path(__file__).parent / "words"

said = Speaker(WORDS)


def event_words(languages: Sequence[str] = (), own: Path | None = None) -> list[Catalogue]:
    """Return the words of an event's pages in each language; without any, in all that there are, English first.

    `own` is a folder of words, as in a task folder, that overrides them. Raises `UnknownName` for a language without
    words, and `InvalidInput` for words that would break a page.
    """
    known = {*product_languages(), *(languages_in(own) if own is not None else [])}
    offered = list(dict.fromkeys(languages)) or [ENGLISH, *sorted(known - {ENGLISH})]
    for language in offered:
        if language not in known:
            raise UnknownName("language", language, known)
    if own is not None:
        _check(own, offered)
    folders = [WORDS] if own is None else [WORDS, own]
    return [page_words(language, *folders) for language in offered]


def _check(own: Path, offered: Sequence[str]) -> None:
    folders = [PRODUCT / "page", WORDS.parents[1] / "words", WORDS, own]
    for language in dict.fromkeys((*offered, ENGLISH)):
        for fault in own_faults(folders, language, own):
            if fault.breaks_pages:
                raise InvalidInput("words", f"{fault} `beat-the-ai words check TASK_DIR` lists all faults.")
