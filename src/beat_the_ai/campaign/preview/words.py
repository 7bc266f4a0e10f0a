"""The words of a previewed page, read anew each time, with what is wrong with them."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.words import checked_folders, word_folders
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.words import Catalogue, page_words
from beat_the_ai.words.faults import WordFault, faults, sound_words
from beat_the_ai.words.languages import languages_in


def own_folder(settings: Settings) -> Path | None:
    """Return the folder of the task folder's words, if there is one."""
    own = word_folders(settings)[-1]
    return own if own.is_dir() else None


def languages(settings: Settings) -> list[str]:
    """Return all languages that can be shown: the campaign's first, then the product's and the task folder's others."""
    others = sorted({tag for folder in word_folders(settings) for tag in languages_in(folder)})
    return list(dict.fromkeys((*settings.language.offered, *others)))


def previewed(settings: Settings, language: str) -> Catalogue:
    """Return the words of a language, the product's in the place of those that would break a page."""
    product, own = word_folders(settings)[1:-1], word_folders(settings)[-1]
    try:
        return sound_words(language, product, own, checked_folders(settings)[:-1])
    except InvalidInput:
        return page_words(language, *product)


def faults_of(settings: Settings, language: str) -> list[WordFault]:
    """Return what `words check` says of a language, and of English, which stands where a translation is missing."""
    folders = checked_folders(settings)
    try:
        return [fault for each in dict.fromkeys((language, ENGLISH)) for fault in faults(folders, each, folders[-1])]
    except InvalidInput as error:
        return [WordFault(folders[-1], "words", str(error))]
