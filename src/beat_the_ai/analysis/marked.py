"""Texts of tables in which stretches stand out: what matches, what was taken out, what was put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from markupsafe import Markup, escape


class Stretch(Enum):
    """A stretch by its element on a page, with the signs around it where there are no pages (those of wdiff)."""

    PLAIN = ("", "", "")
    MATCH = ("mark", "[", "]")
    DELETED = ("del", "[-", "-]")
    INSERTED = ("ins", "{+", "+}")

    def html(self, text: str) -> Markup:
        element, *_ = self.value
        return Markup("<{0}>{1}</{0}>").format(element, text) if element else escape(text)

    def text(self, text: str) -> str:
        _, start, end = self.value
        return f"{start}{text}{end}"


class Marked(str):
    """A cell of a table: with signs around its stretches as text, and on a page escaped, with elements."""

    __slots__ = ("_parts",)
    _parts: Sequence[tuple[str, Stretch]]

    def __new__(cls, parts: Iterable[tuple[str, Stretch]]) -> Marked:
        kept = [(text, stretch) for text, stretch in parts if text]
        cell = super().__new__(cls, "".join(stretch.text(text) for text, stretch in kept))
        cell._parts = kept
        return cell

    def __html__(self) -> str:
        return Markup("").join(stretch.html(text) for text, stretch in self._parts)


def marked(text: str, places: Iterable[tuple[int, int]]) -> Marked:
    """Return a text with what stands at these places, in code points, as matches; places that overlap are one."""
    parts, done = list[tuple[str, Stretch]](), 0
    for start, end in sorted(places):
        start, end = max(start, done), min(end, len(text))
        if start < end:
            parts += [(text[done:start], Stretch.PLAIN), (text[start:end], Stretch.MATCH)]
            done = end
    return Marked([*parts, (text[done:], Stretch.PLAIN)])
