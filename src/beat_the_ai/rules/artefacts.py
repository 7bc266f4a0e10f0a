"""The interface of artefacts: what tells the answers of a dataset to a model that does not understand them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Protocol

from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.text import words_of

PART = "part"  # of `LabelledWork.groups`, in a folder of several
Features = tuple[str, ...]
"""The features that are there, such as words; each counts once."""


@dataclass(frozen=True)
class Naming:
    """A guess of one of the answers that a training part has, such as a label."""

    features: Features
    answer: str


@dataclass(frozen=True)
class Choosing:
    """A guess of one of an example's own options, such as the sentences of its context. `right` is a place in them."""

    options: tuple[Features, ...]
    right: int


Guess = Naming | Choosing


@dataclass(frozen=True)
class Baseline:
    """A model that is trained on a part of the input.

    `about` tells in a sentence what it sees and guesses, `source` who does so. `expected` says why it succeeds on any
    such dataset; where there is a reason, its success is no artefact, and no warning.
    """

    name: str
    about: str
    source: str
    expected: str = ""


@dataclass(frozen=True)
class Trace:
    """An example without its meaning. `part` is that of a folder with several, and else "".

    `words` are the distinct words of `text`, in order; `shared` is the share of them that its context has. `place` is
    that of the answer in the context, from 0 to 1. `guesses` has what each baseline sees, by its name. Examples with
    the same `context` depend on each other; one without a context depends on none.
    """

    id: str
    part: str
    context: str
    text: str
    label: str
    words: Features
    shared: float | None = None
    place: float | None = None
    guesses: Mapping[str, Guess] = field(default_factory=dict)

    @property
    def cluster(self) -> str:
        return self.context or self.id


class Artefacts(Protocol):
    @property
    def label(self) -> str:
        """Name what `Trace.label` is: "label", "type of answer"."""

    @property
    def natural(self) -> str:
        """Say which words go with a label by nature, in a sentence; nothing where none should."""

    @property
    def baselines(self) -> Sequence[Baseline]: ...

    def work(self, example: Example) -> LabelledWork:
        """Return a campaign's example as a file would have it, under its final label, with its part among `groups`."""

    def traces(self, works: Sequence[LabelledWork]) -> Sequence[Trace]:
        """Return the traces of works, in their order. Their `groups` name the part, where there are several."""


def bag(text: str) -> Features:
    """Return the distinct words of a text, in order."""
    return tuple(dict.fromkeys(map(intern, words_of(text))))


def share_within(words: Features, others: Collection[str]) -> float | None:
    """Return the share of words that are among others; None without words."""
    return sum(word in others for word in words) / len(words) if words else None
