"""A made-up language for tests: English with accents and brackets. Text without them is not in a catalogue."""

from __future__ import annotations

import unicodedata

from beat_the_ai.messages.icu import parsed, with_texts
from beat_the_ai.words.catalogue import Catalogue
from beat_the_ai.words.markdown import Node

PSEUDO = "en-XA"
OPENING, CLOSING = "⟦", "⟧"
ACUTE = "\N{COMBINING ACUTE ACCENT}"
LETTERS = "aceiknoprsuwyz"  # with an acute they are one character


def pseudo(english: Catalogue) -> Catalogue:
    """Return a catalogue in the made-up language."""
    return Catalogue(
        language=PSEUDO,
        messages={key: with_texts(parsed(text), _changed) for key, text in english.messages.items()},
        texts={name: tuple(map(_changed_node, nodes)) for name, nodes in english.texts.items()},
    )


def _changed_node(node: Node) -> Node:
    if node.tag:
        return node.model_copy(update={"children": tuple(map(_changed_node, node.children))})
    return node.model_copy(update={"text": _changed(node.text)})


def _changed(text: str) -> str:
    """Put each word into brackets; white space stays where it is."""
    words = (f"{OPENING}{''.join(map(_accented, word))}{CLOSING}" if word.strip() else word for word in _split(text))
    return "".join(words)


def _split(text: str) -> list[str]:
    """Return the text between white space at its ends, and that white space."""
    inner = text.strip()
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return [before, inner, after]


def _accented(letter: str) -> str:
    return unicodedata.normalize("NFC", letter + ACUTE) if letter.lower() in LETTERS else letter
