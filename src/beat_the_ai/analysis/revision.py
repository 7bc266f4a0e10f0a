"""A revision of a text in words: the words that went and came, and the place of a word afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile

from beat_the_ai.analysis.marked import Marked, Stretch

CONTEXT = 5  # words around what has changed
GAP = "…"


@dataclass(frozen=True)
class Change:
    """Words `start` to `end` of the text before are `new_start` to `new_end` of the text after, counted from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True)
class Revision:
    """The words of a text before and after an edit."""

    before: Sequence[str]
    after: Sequence[str]

    @cached_property
    def changes(self) -> list[Change]:
        """Return the changes, in order. Equal beginnings and ends come off first: most edits are in one place."""
        begin = _alike(self.before, self.after)
        end = _alike(self.before[begin:][::-1], self.after[begin:][::-1])
        before, after = (text[begin : len(text) - end] for text in (self.before, self.after))
        opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        return [Change(*(begin + place for place in places)) for operation, *places in opcodes if operation != "equal"]

    @property
    def words(self) -> int:
        """Return how many words went and came."""
        return sum(each.end - each.start + each.new_end - each.new_start for each in self.changes)

    def place_after(self, word: int) -> int:
        """Return the place, counted from 1, to which what came and went before it has moved a word."""
        moves = (each.new_end - each.new_start - each.end + each.start for each in self.changes if each.start < word)
        return word + sum(moves)

    def shown(self) -> Marked:
        """Return what changed, with some words around it."""
        return Marked(self._parts())

    def _parts(self) -> Iterator[tuple[str, Stretch]]:
        done = 0
        for number, each in enumerate(self.changes):
            around = self.before[done : each.start]
            most = CONTEXT if number == 0 else 2 * CONTEXT
            if len(around) > most:
                left = around[:CONTEXT] if number else []
                around = [*left, GAP, *around[-CONTEXT:]]
            yield "".join(f"{word} " for word in around), Stretch.PLAIN
            gone, new = self.before[each.start : each.end], self.after[each.new_start : each.new_end]
            for words, stretch in ((gone, Stretch.DELETED), (new, Stretch.INSERTED)):
                if words:
                    yield " ".join(words), stretch
                    yield " ", Stretch.PLAIN
            done = each.end
        rest = self.before[done:]
        yield " ".join([*rest[:CONTEXT], *([GAP] if len(rest) > CONTEXT else [])]), Stretch.PLAIN


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
