"""A validation session: which works a validator gets, and what happens with the answers.

An answer is durable before it is acknowledged, and the same answer key again changes nothing. It counts once its HIT
was handed in and the crowd has confirmed that; the works of a HIT that is given back go to somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.adjudication import Checking
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import check_key, printable
from beat_the_ai.store import (
    Campaign,
    PlacedItem,
    Snapshot,
    Store,
    ValidationAssignment,
    ValidationItem,
    ValidationVote,
    now,
)
from beat_the_ai.store.validations import Chosen
from beat_the_ai.validation.draw import draw_gold, draw_works, gold_key, mixed
from beat_the_ai.validation.need import Need, needs
from beat_the_ai.validation.terms import ValidationTerms

MAX_NOTE_CHARS = 1000
GRACE = timedelta(minutes=2)

Limits = tuple[Collection[str] | None, AbstractSet[str]]  # the contexts, and whose work is discarded


@dataclass(frozen=True)
class ItemState:
    """A work of a HIT and what its validator last answered."""

    item: ValidationItem
    vote: ValidationVote | None


@dataclass(frozen=True)
class ValidationState:
    """Where a validator stands in a HIT."""

    items: tuple[ItemState, ...]
    seconds_left: float
    submitted: bool

    @property
    def answered(self) -> int:
        return sum(item.vote is not None for item in self.items)

    @property
    def complete(self) -> bool:
        return self.submitted or self.answered == len(self.items)


class ValidationDesk:
    """Where validators' answers come in: one for a round, shared by all sessions and safe to use from threads.

    `contexts()` limits validation to those contexts; they may change while writing goes on. `final()` says that no
    more works will come: until then HITs are full ones. `without()` gives the workers whose work is discarded;
    nobody is asked about it. With `awaits_crowd` what is handed in counts only once the crowd confirms it (`confirm`).
    """

    def __init__(
        self,
        store: Store,
        checking: Checking,
        terms: ValidationTerms,
        campaign: Campaign,
        *,
        round_number: int = 1,
        contexts: Callable[[], Collection[str]] | None = None,
        final: Callable[[], bool] = lambda: True,
        without: Callable[[], AbstractSet[str]] = frozenset,
        awaits_crowd: bool = False,
    ) -> None:
        self.store = store
        self.checking = checking
        self.terms = terms
        self.campaign = campaign
        self.round_number = round_number
        self._contexts = contexts
        self._final = final
        self._without = without
        self._awaits_crowd = awaits_crowd

    def accept(self, hit: str, worker: str, registration: str) -> ValidationAssignment:
        """Take a HIT; taking it again with the same registration continues where it was left.

        Raises `Refused` when nothing is left for this worker.
        """
        final, limits, at = self._final(), self._limits(), now()

        def choose(assignment_id: str, snapshot: Snapshot) -> list[Chosen]:
            works = self._works(snapshot, worker, final, limits, at)
            return self._with_gold(works, worker, snapshot.placed, assignment_id) if works else []

        return self.store.validations.accept(
            self.campaign.id, hit, worker, registration, at, choose, round_number=self.round_number
        )

    def has_work(self, worker: str) -> bool:
        """Whether a HIT can be made for this worker now."""
        snapshot = self.store.validations.snapshot(self.campaign.id)
        return bool(self._works(snapshot, worker, self._final(), self._limits(), now()))

    def may_get_work(self, worker: str) -> bool:
        """Whether a HIT may still come for this worker: now, or once more is written or somebody gives a HIT back."""
        if not self._final():
            return True
        return any(need.wanted + need.pending > 0 and need.may_be_checked_by(worker) for need in self.needs())

    def hits_wanted(self) -> int:
        """How many HITs should be waiting for a worker now; those that somebody works on are not among them."""
        open_ones = [need.wanted for need in self.needs() if need.wanted]
        full, rest = divmod(sum(open_ones), self.terms.works_per_hit)
        if self._final():
            return min(self.terms.open_hits, full + (rest > 0))
        return min(self.terms.open_hits, full) if len(open_ones) >= self.terms.works_per_hit else 0

    def complete(self) -> bool:
        """Whether no work needs another vote, none is being answered, and no more works will come."""
        return self._final() and not any(need.wanted or need.pending for need in self.needs())

    def needs(self) -> list[Need]:
        snapshot = self.store.validations.snapshot(self.campaign.id)
        return self._needs(snapshot, self._limits(), now())

    def state(self, assignment_id: str) -> ValidationState:
        return self._state(*self.store.validations.session(assignment_id), now())

    def vote(self, assignment_id: str, item_id: str, key: str, payload: object) -> ValidationState:
        """Keep a vote on an item; a later one replaces it. Raises `InvalidInput`, `Refused`."""
        check_key("vote_key", key)
        assignment, items, _ = self.store.validations.session(assignment_id)
        contexts, _ = self.store.validations.material(assignment_id)
        vote = self._read(items, item_id, contexts, payload)
        if assignment.accepted_at + self._limit + GRACE < now():
            raise Refused("The time for this HIT is over. Your answers until now are kept; please submit the HIT.")
        self.store.validations.vote(assignment_id, item_id, key, vote.model_dump(), now())
        return self.state(assignment_id)

    def finish(self, assignment_id: str, feedback: str = "") -> ValidationAssignment:
        """Close the HIT; works without an answer go to others. Feedback that is not plain text is cut."""
        note = printable(feedback, max_chars=MAX_NOTE_CHARS)
        return self.store.validations.submit(assignment_id, note, now(), awaits_crowd=self._awaits_crowd)

    def confirm(self, assignment_id: str) -> None:
        """The crowd has what was handed in, from this worker: from now on its votes count."""
        self.store.validation_hand_ins.confirm(assignment_id, now())

    def set_aside(self, assignment_id: str, reason: str) -> None:
        """The crowd knows of no such work of this worker: the votes are kept and count nothing."""
        self.store.validation_hand_ins.set_aside(assignment_id, reason, now())

    def release(self, assignment_id: str) -> None:
        """The validator is gone for good."""
        self.store.validations.release(assignment_id, now())

    @property
    def _limit(self) -> timedelta:
        return timedelta(seconds=self.terms.time_limit_seconds)

    def _read(self, items: list[ValidationItem], item_id: str, contexts: Any, payload: object) -> Value:
        for item in items:
            if item.id == item_id:
                return self.checking.read_vote(payload, contexts[item.context_id])
        raise InvalidInput("item_id", "There is no such item in this HIT. Please reload the page.")

    def _limits(self) -> Limits:
        """Asked for before a transaction begins: what answers may read the store."""
        return None if self._contexts is None else self._contexts(), self._without()

    def _needs(self, snapshot: Snapshot, limits: Limits, at: datetime) -> list[Need]:
        contexts, without = limits
        return needs(
            snapshot,
            self.checking,
            adaptive=self.terms.adaptive,
            held_since=at - self._limit - 2 * GRACE,
            contexts=contexts,
            without=without,
        )

    def _works(self, snapshot: Snapshot, worker: str, final: bool, limits: Limits, at: datetime) -> list[Need]:
        size = self.terms.works_per_hit
        open_ones = self._needs(snapshot, limits, at)
        drawn = draw_works(open_ones, worker, size, seed=self.campaign.seed, same_context=self.terms.same_context)
        return drawn if final or len(drawn) == size else []

    def _with_gold(
        self, works: list[Need], worker: str, placed: tuple[PlacedItem, ...], assignment_id: str
    ) -> list[Chosen]:
        identity = self.checking.identity
        asked = {gold_key(need.candidate.context_id, need.candidate.work, identity) for need in works}
        seen = {
            gold_key(each.item.context_id, each.item.gold, identity)
            for each in placed
            if each.worker == worker and each.item.gold is not None
        }
        gold = draw_gold(
            self._references,
            asked | seen,
            self.terms.gold_per_hit,
            identity=identity,
            seed=self.campaign.seed,
            key=assignment_id,
        )
        return mixed(works, gold, key=f"{self.campaign.seed}/{assignment_id}")

    @cached_property
    def _references(self) -> list[tuple[str, Any]]:
        contexts = self.store.campaigns.contexts(self.campaign.id).get(self.round_number, [])
        return [(context.id, work) for context in contexts for work in self.checking.references(context)]

    def _state(
        self,
        assignment: ValidationAssignment,
        items: list[ValidationItem],
        votes: dict[str, ValidationVote],
        at: datetime,
    ) -> ValidationState:
        return ValidationState(
            items=tuple(ItemState(item, votes.get(item.id)) for item in items),
            seconds_left=(assignment.accepted_at + self._limit - at).total_seconds(),
            submitted=assignment.submitted_at is not None,
        )
