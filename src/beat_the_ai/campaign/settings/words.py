"""The words of a campaign's pages: the product's, those of its kind of task, and what its task folder overrides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.terms.campaign import WORDS as FOLDER
from beat_the_ai.words import Catalogue, page_words, product_languages
from beat_the_ai.words.catalogue import merged
from beat_the_ai.words.faults import own_faults
from beat_the_ai.words.languages import LETTERS, PRODUCT, WITHOUT_MODEL, languages_in
from beat_the_ai.words.served import PageWords


def campaign_words(settings: Settings) -> list[Catalogue]:
    """Return the words of a campaign's pages in each language that it offers, its own first.

    Raises `UnknownName` for a language that has no words, and `InvalidInput` for faulty words of the task folder.
    """
    check_languages(settings)
    folders = checked_folders(settings)
    for own in own_folders(settings):
        for language in checked_languages(settings):
            for fault in own_faults([*folders, own], language, own):
                if fault.breaks_pages:
                    raise InvalidInput(
                        "words", f"{fault} `beat-the-ai words check {settings.task_dir}` lists all faults."
                    )
    return [page_words(language, *word_folders(settings)[1:]) for language in settings.language.offered]


def arm_words(settings: Settings, name: str) -> dict[str, dict[str, Any]]:
    """Return the words that an arm's writers read in the place of the campaign's, as pages have them, by language."""
    folders = arm_folders(settings, name)
    return {language: PageWords.of(merged(language, folders)).sent() for language in settings.language.offered}


def arm_folders(settings: Settings, name: str) -> list[Path]:
    """Return the folders of an arm's words, which stand above all of the campaign's."""
    arm, folders = settings.terms.arms[name], list[Path]()
    if not arm.shows_model:
        assert settings.kind.words_without_model is not None, "settings are checked"
        folders += [PRODUCT / WITHOUT_MODEL, settings.kind.words_without_model]
    return [*folders, settings.task_dir / arm.words] if arm.words is not None else folders


def checked_languages(settings: Settings) -> list[str]:
    """Return the languages that a campaign shows: English too, which stands where a translation is missing."""
    return list(dict.fromkeys((*settings.language.offered, ENGLISH)))


def own_folders(settings: Settings) -> list[Path]:
    """Return the folders of words in the task folder: the campaign's, and those of arms."""
    of_arms = [arm.words for arm in settings.terms.arms.values() if arm.words is not None]
    return [settings.task_dir / name for name in dict.fromkeys((FOLDER, *of_arms))]


def check_languages(settings: Settings) -> None:
    """Raise `UnknownName` for a language of which neither the product nor the task folder has words."""
    known = {*product_languages(), *languages_in(settings.task_dir / FOLDER)}
    for language in settings.language.offered:
        if language not in known:
            raise UnknownName("language", language, known)


def checked_folders(settings: Settings) -> list[Path]:
    """Return the folders of all words that a task folder may override: of letters and of an event's pages, too."""
    *product, own = word_folders(settings)
    events = settings.kind.event_words
    return [*product, LETTERS, *([] if events is None else [events]), own]


def word_folders(settings: Settings) -> list[Path]:
    """Return the folders of a campaign's words; the later ones override the earlier ones."""
    kind = settings.kind.page_words
    return [PRODUCT / "page", *([] if kind is None else [kind]), settings.task_dir / FOLDER]
