"""The scripts of letters, and the scripts without spaces between words."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import lru_cache

TEXTS_REMEMBERED = 64
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK", "BOPOMOFO": "CJK"}
_UNSPACED = (  # Thai, Lao, Tibetan, Myanmar, Khmer and their kin, then Chinese and Japanese: (first, last)
    *((0x0E00, 0x0EFF), (0x0F00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19FF), (0x1A20, 0x1AAF), (0x2E80, 0x2FDF)),
    *((0x3005, 0x3007), (0x3021, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF)),
    *((0xAA60, 0xAADF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x16FE0, 0x18DFF), (0x1AFF0, 0x1B2FF)),
    (0x20000, 0x3FFFF),
)
_FIRST = [first for first, _ in _UNSPACED]


def is_unspaced(char: str) -> bool:
    """Return whether the script of a letter has no spaces between words."""
    number = bisect_right(_FIRST, ord(char)) - 1
    return number >= 0 and ord(char) <= _UNSPACED[number][1]


@lru_cache(TEXTS_REMEMBERED)
def scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of a text's letters."""
    return frozenset(script(char) for char in set(text) if char.isalpha())


def script(letter: str) -> str:
    """Name the script of a letter by the first word of its own name: LATIN, CYRILLIC, CJK.

    Compatibility forms have the script of what they stand for.
    """
    name = unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "UNNAMED").partition(" ")[0]
    return _ONE_SCRIPT.get(name, name)
