"""Languages by their tags (BCP 47, such as `en` or `pt-BR`), and their direction."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

ENGLISH = "en"
PRODUCT = Path(__file__).parent
WITHOUT_MODEL = "without_model"  # the folder of words on pages that say nothing of a model
LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
RIGHT_TO_LEFT = {"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"}
RIGHT_TO_LEFT_SCRIPTS = {"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"}


def direction(language: str) -> Literal["ltr", "rtl"]:
    """Return the direction in which a language is written: that of the script in its tag, if one is named."""
    name, *parts = language.lower().split("-")
    script = next((part for part in parts if len(part) == 4 and part.isalpha()), None)
    is_from_right = name in RIGHT_TO_LEFT if script is None else script in RIGHT_TO_LEFT_SCRIPTS
    return "rtl" if is_from_right else "ltr"


def product_languages() -> list[str]:
    """Return the languages that ship with the product."""
    return languages_in(PRODUCT / "page")


def languages_in(folder: Path) -> list[str]:
    """Return the languages of a folder of words: its folders whose names are language tags."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and LANGUAGE_TAG.fullmatch(path.name))
