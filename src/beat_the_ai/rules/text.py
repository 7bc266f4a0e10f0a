"""What text from a worker must be like before anything else looks at it.

Workers' text is hostile input: it reaches other workers' pages, reviewers, exports and logs. Whatever could hide or
reorder what a person reads (control and bidi characters, lone surrogates) or pass for markup is refused here, once.
"""

from __future__ import annotations

import re
import unicodedata

from beat_the_ai.errors import InvalidInput

BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters without a shape: format characters, and letters and marks that Unicode calls default-ignorable.
INVISIBLE = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
)
MAX_KEY_CHARS = 64
MARKUP = re.compile(r"<[/!?]?[a-zA-Z][^<>]*>|<!--|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});")


def clean_line(field: str, value: str, *, max_chars: int, context: str = "", called: str = "") -> str:
    """One line of plain text: stripped, white space collapsed, normalised to NFC.

    Pictographs (emoji and the like) and joiners are allowed only where `context` has them. Raises `InvalidInput` with a
    message for the worker, whose page calls the field so, if not by its name. The length is checked before anything is
    computed on the text.
    """
    called = called or field
    if len(value) > max_chars * 4:
        raise InvalidInput(field, f"The {called} has {len(value):,} characters; at most {max_chars} are allowed.")
    _refuse_hidden_characters(field, called, value, context)
    line = unicodedata.normalize("NFC", " ".join(value.split()))
    if not line:
        raise InvalidInput(field, f"The {called} is empty. Please write one.")
    if len(line) > max_chars:
        raise InvalidInput(field, f"The {called} has {len(line):,} characters; at most {max_chars} are allowed.")
    markup = MARKUP.search(line)
    if markup and markup.group() not in context:
        raise InvalidInput(field, f"The {called} contains markup ({markup.group()[:20]}). Please write plain text.")
    return line


def folded(text: str) -> str:
    """What is left without case, punctuation, symbols and spacing: by this the same text is known again."""
    folded_case = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded_case if unicodedata.category(char)[0] not in "PSZC")


def check_key(field: str, key: str) -> None:
    """Raises `InvalidInput` unless a page's own name for a request can be kept."""
    if not 1 <= len(key) <= MAX_KEY_CHARS or not key.isascii() or not key.isprintable():
        raise InvalidInput(field, f"The {field} must be 1 to {MAX_KEY_CHARS} printable ASCII characters.")


def printable(text: str, *, max_chars: int) -> str | None:
    """What is readable of a remark, on one line and cut to that length; None when nothing is left. Never refuses."""
    kept = "".join(char if char.isprintable() else " " for char in text[:max_chars])
    return " ".join(kept.split()) or None


def _refuse_hidden_characters(field: str, called: str, value: str, context: str) -> None:
    for char in value:
        category = unicodedata.category(char)
        if char in BIDI_CONTROLS:
            problem = f"a character that changes the direction of text (U+{ord(char):04X})"
        elif char in INVISIBLE or category in ("Cs", "Co", "Cn") or (category == "Cc" and char not in "\t\n\r"):
            problem = f"an invisible or invalid character (U+{ord(char):04X})"
        elif char in context:
            continue
        elif category == "Cf" or _selects_a_variant(char):  # joiners, tags: one word for people, another for a model
            problem = f"an invisible character (U+{ord(char):04X}) that the text does not have"
        elif _is_pictograph(char, category):
            problem = f"a pictograph ({char}) that the text does not have"
        else:
            continue
        raise InvalidInput(field, f"The {called} contains {problem}. Please remove it.")


def _selects_a_variant(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"


def _is_pictograph(char: str, category: str) -> bool:
    """Symbols from Miscellaneous Symbols on, the clocks and buttons of Miscellaneous Technical, and skin tones."""
    symbol = category == "So" and (char > "\u25ff" or "\u2300" <= char <= "\u23ff")
    return symbol or "\U0001f3fb" <= char <= "\U0001f3ff"
