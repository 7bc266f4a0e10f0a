"""A model in the loop that does what a test tells it, and a HIT to write for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query, ReadingComprehension
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.store import Attempt, Campaign, Store, now
from beat_the_ai.terms.prospect import Outlook, Prospect
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import WritingDesk

PASSAGE = Context(
    "rome/0",
    "Rome fell in 476. The last emperor was Romulus Augustulus 𝄞 of old.",
    "Rome",
    {"questions": [{"question": "Secret reference?", "answer": {"text": "476", "start": 13}}]},
)
RIGHT, WRONG = "476", "Romulus"
HASH = "a" * 64

Answer = str | Exception | Callable[[], str]


@dataclass(frozen=True)
class Asked:
    """What the model was asked, and by whom."""

    query: Value
    key: str
    requester: str


class FakeModel:
    """Gives the queued answers (or raises them, or calls them for their answer), then `WRONG` for ever."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = deque(answers)
        self.asked: list[Asked] = []

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        assert isinstance(query, Query)
        self.asked.append(Asked(query, key, asker.requester))
        answer = self.answers.popleft() if self.answers else WRONG
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else answer()
        return Reply(
            Prediction(text=text, start=max(0, query.context.find(text)), score=0.5), "m1", "fake", HASH, "fp32"
        )


def payload(question: str = "When did Rome fall?", text: str = RIGHT, start: int = 13, **more: Any) -> dict[str, Any]:
    return {"question": question, "answer": {"text": text, "start": start}, **more}


def payload_of(key: str, **more: Any) -> dict[str, Any]:
    """Another question for each key."""
    return payload(f"When did Rome fall to {key}?", **more)


@dataclass(frozen=True)
class CentsPerWin:
    """An outlook: so many cents for every win, and as many again where other people check it."""

    cents: int
    checked_writers: tuple[str, ...] = ()

    def is_checked(self, context_id: str, worker: str) -> bool:
        return context_id == PASSAGE.id and worker in self.checked_writers

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        cents = self.cents * sum(attempt.fooled and not attempt.retracted for attempt in attempts)
        return Prospect(cents, cents if is_checked else 0)


def new_desk(store: Store, model: FakeModel | None = None, outlook: Outlook | None = None, **terms: Any) -> WritingDesk:
    return WritingDesk(store, ReadingComprehension(), model or FakeModel(), Terms(**terms), outlook=outlook)


def offer_hits(store: Store, slots: int = 1) -> list[str]:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()))
    return list(store.campaigns.offer("pilot", [PASSAGE], round_number=1, slots=slots))


def take_hit(store: Store, worker: str = "w1", registration: str = "r1", at: datetime | None = None) -> str:
    """The id of an assignment of the only HIT of the campaign."""
    [hit_id] = offer_hits(store)
    return store.attempts.accept(hit_id, worker, registration, at or now())[0].id
