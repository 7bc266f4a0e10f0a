"""The languages of words: those that ship with the product, and those of a folder."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.rules.languages import LANGUAGE_TAG

PRODUCT = Path(__file__).parent
LETTERS = PRODUCT / "letters"  # the words of a worker's page of results and letters
WITHOUT_MODEL = "without_model"  # the folder of words on pages that say nothing of a model


def product_languages() -> list[str]:
    """Return the languages that ship with the product."""
    return languages_in(PRODUCT / "page")


def languages_in(folder: Path) -> list[str]:
    """Return the languages of a folder of words: its folders whose names are language tags."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and LANGUAGE_TAG.fullmatch(path.name))
