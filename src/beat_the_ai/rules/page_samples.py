"""Samples of what the pages of a kind of task show, for a preview of their words: texts, a model's answers, and acts.

A sample has what the pages are sent, and the acts of a worker that bring a page into a state. Acts name elements by CSS
selectors, never by words: these are what is previewed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from beat_the_ai.rules.protocol import Json

SEND = "form.composer button[type=submit]"


@dataclass(frozen=True)
class Act:
    """An act of a worker on the `place`-th element that a selector finds, once it is there."""

    act: Literal["click", "fill", "press", "wait"]
    selector: str
    text: str = ""
    place: int = 0


@dataclass(frozen=True)
class Text:
    """A context as pages get it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class SampleVerdict:
    """A prediction of the model for a work, and the scores that follow."""

    prediction: Json
    scores: Json


@dataclass(frozen=True)
class WritingSample:
    """A HIT for a writer. `write` fills the form; `refusal` is an answer of the server in the place of a verdict.

    `calls` are the answers to what the page asks besides, and `more` are further states by their titles.
    """

    text: Text
    brief: Json
    work: Json
    write: tuple[Act, ...]
    won: SampleVerdict
    lost: SampleVerdict
    refusal: Json
    explanation: Json | None = None
    calls: Mapping[str, Json] = field(default_factory=dict)
    more: Mapping[str, tuple[Act, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckingSample:
    """A HIT for a validator. `choose` fills the form; `incomplete` sends it with something missing.

    `revealed` is as much as was shown of a work that is shown step by step.
    """

    text: Text
    work: Json
    vote: Json
    choose: tuple[Act, ...] = ()
    incomplete: tuple[Act, ...] = ()
    revealed: Json | None = None


@dataclass(frozen=True)
class ScreeningSample:
    """A screening: `steps` as pages get them, the acts that answer each, and what is said of a try."""

    page: str
    text: Text
    brief: Json
    config: Json
    steps: tuple[Json, ...]
    answers: tuple[tuple[Act, ...], ...]
    right: tuple[Json, ...]
    mistake: Json


@dataclass(frozen=True)
class SampleEvent:
    """A live event: its pages by title, each what follows their address, and what serves them.

    `app` makes an ASGI application of languages and of a folder of words that override the product's.
    """

    app: Callable[[Sequence[str], Path | None], Any]
    links: Mapping[str, str]


@dataclass(frozen=True)
class PageSamples:
    """The samples of a kind of task: without `checking` nobody checks, without `screening` nobody learns.

    `event` opens a live event, for kinds that have any.
    """

    writing: WritingSample
    checking: CheckingSample | None = None
    screening: ScreeningSample | None = None
    event: Callable[[], AbstractContextManager[SampleEvent]] | None = None
