"""Rules for text from a worker, applied before anything else looks at it.

Workers' text is hostile input: it reaches other workers' pages, reviewers, exports and logs. Text that could reorder or
damage what a person reads, or pass for markup, is refused here, once. Such text has control and bidi characters, or
lone surrogates. Characters without a shape are removed: honest people paste them unseen. Joiners stay where they change
how a word is written.
"""

from __future__ import annotations

import re
import unicodedata

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import said

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters without a shape: format characters, and letters and marks that Unicode calls default-ignorable.
INVISIBLE = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
)
NON_JOINER, JOINER = "\u200c", "\u200d"
VIRAMA = 9  # its combining class
MAX_KEY_CHARS = 64
_WORD = re.compile(r"\w+")
_REPEATED_JOINER = re.compile("([\u200c\u200d])\\1+")
MARKUP = re.compile(r"<[/!?]?[a-zA-Z][^<>]*>|<!--|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});")


def clean_line(field: str, value: str, *, max_chars: int, context: str = "", called: str = "") -> str:
    """One line of plain text in NFC: stripped, white space collapsed, characters without a shape taken out.

    Pictographs (emoji and the like) are allowed only where `context` has them. Raises `InvalidInput` with a
    message for the worker, whose page calls the field so, if not by its name. The length is checked before anything is
    computed on the text.
    """
    called = called or field
    if len(value) > max_chars * 4:
        raise InvalidInput(field, said("refusals.text.long", of=called, count=len(value), most=max_chars))
    value = without_shapeless(value, context)
    _refuse_hidden_characters(field, called, value, context)
    line = unicodedata.normalize("NFC", " ".join(value.split()))
    if not line:
        raise InvalidInput(field, said("refusals.text.empty", of=called))
    if len(line) > max_chars:
        raise InvalidInput(field, said("refusals.text.long", of=called, count=len(line), most=max_chars))
    markup = MARKUP.search(line)
    if markup and markup.group() not in context:
        raise InvalidInput(field, said("refusals.text.markup", of=called, markup=markup.group()[:20]))
    return line


def without_shapeless(text: str, context: str = "") -> str:
    """Return a text in NFC without the characters that show nothing.

    What `context` has stays, but for `INVISIBLE`. A non-joiner stays between Arabic letters, as in Persian; it and a
    joiner stay at a virama, as in the scripts of India.
    """
    shown = _REPEATED_JOINER.sub(r"\1", "".join(char for char in text if char not in INVISIBLE))
    composed = unicodedata.normalize("NFC", shown)
    kept = (
        char
        for place, char in enumerate(composed)
        if not _may_be_shapeless(char) or char in context or _joins(composed, place)
    )
    return unicodedata.normalize("NFC", "".join(kept))


def folded(text: str) -> str:
    """Return the text without case, punctuation, symbols and spacing: equal texts have the same folded form."""
    folded_case = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded_case if unicodedata.category(char)[0] not in "PSZC")


def words_of(text: str) -> list[str]:
    """Return the words of a text without case and punctuation, in order. Scripts without spaces have long ones."""
    return _WORD.findall(text.casefold())


def check_key(field: str, key: str) -> None:
    """Raises `InvalidInput` unless a page's own name for a request can be kept."""
    if not 1 <= len(key) <= MAX_KEY_CHARS or not key.isascii() or not key.isprintable():
        raise InvalidInput(field, f"The {field} must be 1 to {MAX_KEY_CHARS} printable ASCII characters.")


def printable(text: str, *, max_chars: int) -> str | None:
    """Return the readable part of a remark on one line, cut to that length; None if nothing is left. Never refuses."""
    shown = "".join(char for char in text[:max_chars] if char not in INVISIBLE)
    kept = "".join(char if char.isprintable() else " " for char in shown)
    return " ".join(kept.split()) or None


def _refuse_hidden_characters(field: str, called: str, value: str, context: str) -> None:
    for char in value:
        category = unicodedata.category(char)
        if char in BIDI_CONTROLS:
            problem = "direction"
        elif category in ("Cs", "Co", "Cn") or (category == "Cc" and char not in "\t\n\r"):
            problem = "invalid"
        elif char in context or char in (NON_JOINER, JOINER):
            continue
        elif category == "Cf":
            problem = "format"
        elif _is_pictograph(char, category):
            problem = "pictograph"
        else:
            continue
        given = {"char": char} if problem == "pictograph" else {"code": f"U+{ord(char):04X}"}
        raise InvalidInput(field, said(f"refusals.text.{problem}", of=called, **given))


def _may_be_shapeless(char: str) -> bool:
    """Joiners, selectors of a variant, and tags, which only machines read."""
    return (
        char in (NON_JOINER, JOINER)
        or "\ufe00" <= char <= "\ufe0f"
        or "\u180b" <= char <= "\u180f"
        or "\U000e0000" <= char <= "\U000e0fff"
    )


def _joins(text: str, place: int) -> bool:
    """Tell whether the character there is a joiner that changes how its neighbours are written."""
    before, char, after = text[place - 1 : place], text[place], text[place + 1 : place + 2]
    if not before or not after or char not in (NON_JOINER, JOINER):
        return False
    if VIRAMA in (unicodedata.combining(before), unicodedata.combining(after)):
        return True
    return char == NON_JOINER and all("\u0620" <= each <= "\u08ff" for each in (before, after))


def _is_pictograph(char: str, category: str) -> bool:
    """Symbols from Miscellaneous Symbols on, the clocks and buttons of Miscellaneous Technical, and skin tones."""
    symbol = category == "So" and (char > "\u25ff" or "\u2300" <= char <= "\u23ff")
    return symbol or "\U0001f3fb" <= char <= "\U0001f3ff"
