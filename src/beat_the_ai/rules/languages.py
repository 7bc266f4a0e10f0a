"""Languages by their tags (BCP 47, such as `en` or `pt-BR`), their direction, and what rules say of all but English."""

from __future__ import annotations

import re
from typing import Literal

ENGLISH = "en"
LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
RIGHT_TO_LEFT = {"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"}
RIGHT_TO_LEFT_SCRIPTS = {"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"}


def direction(language: str) -> Literal["ltr", "rtl"]:
    """Return the direction in which a language is written: that of the script in its tag, if one is named."""
    name, *parts = language.lower().split("-")
    script = next((part for part in parts if len(part) == 4 and part.isalpha()), None)
    is_from_right = name in RIGHT_TO_LEFT if script is None else script in RIGHT_TO_LEFT_SCRIPTS
    return "rtl" if is_from_right else "ltr"


def is_english(language: str) -> bool:
    """Return whether a tag is of English, of any country."""
    return language.partition("-")[0] == ENGLISH


def english_only(rules: str, language: str) -> str:
    """Say that rules which know English do not apply to data in a language; nothing for English, or without rules.

    `rules` are named as in "the shape of questions".
    """
    if not rules or is_english(language):
        return ""
    return f"The data are in the language {language}. For English only, and not applied here: {rules}."
