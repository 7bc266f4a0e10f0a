"""A validation session: which works a validator gets, and what happens with the answers.

An answer is durable before it is acknowledged, and the same answer key again changes nothing. It counts once its HIT
was handed in and the crowd has confirmed that; the works of a HIT that is given back go to somebody else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from threading import Lock
from typing import Any, TypeVar

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.checking import Checking, Gradual
from beat_the_ai.rules.deadlines import ANSWER_GRACE, HAND_IN_GRACE
from beat_the_ai.rules.protocol import Json
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import check_key, printable
from beat_the_ai.store import (
    Assignment,
    OpenWork,
    ValidationItem,
    ValidationVote,
    now,
)
from beat_the_ai.store.validations import NO_ITEM, Chosen
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation.counting import counting_rules
from beat_the_ai.validation.draw import draw_gold, draw_works, gold_key, mixed

MAX_NOTE_CHARS = 1000
MOST_CHOICES = 20  # of works that others take meanwhile
T = TypeVar("T")


@dataclass(frozen=True)
class ItemState:
    """A work of a HIT and what its validator last answered; what they saw of one that is shown step by step."""

    item: ValidationItem
    vote: ValidationVote | None
    revealed: Json | None = None


@dataclass(frozen=True)
class ValidationState:
    """The progress of a validator in a HIT."""

    items: tuple[ItemState, ...]
    seconds_left: float
    submitted: bool

    @property
    def answered(self) -> int:
        return sum(item.vote is not None for item in self.items)

    @property
    def complete(self) -> bool:
        return self.submitted or self.answered == len(self.items)


@dataclass(frozen=True)
class _Now:
    """The works that somebody has in hand, by attempt; whose votes do not count; whose works nobody is asked about."""

    held: Mapping[str, OpenWork]
    uncounted: AbstractSet[str]
    without: AbstractSet[str]


@dataclass(frozen=True)
class _Known:
    """The known data of a round's contexts: their titles, and works with known labels, as `(context, work)`."""

    titles: Mapping[str, str]
    references: list[tuple[str, Any]] = field(default_factory=list)
    by_title: defaultdict[str, list[tuple[str, Any]]] = field(default_factory=lambda: defaultdict(list))


class ValidationDesk:
    """The desk for validators' answers: one for a round, shared by all sessions and safe to use from threads.

    `contexts()` limits validation to those contexts; they may change while writing goes on. `final()` says that no more
    works will come; until then only full HITs are made. `without()` gives the workers whose work is discarded; no
    validator is asked about it. With `awaits_crowd` a submission counts only once the crowd confirms it (`confirm`).
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        checking: Checking,
        terms: ValidationTerms,
        *,
        round_number: int = 1,
        contexts: Callable[[], Collection[str]] | None = None,
        final: Callable[[], bool] = lambda: True,
        without: Callable[[], AbstractSet[str]] = frozenset,
        awaits_crowd: bool = False,
    ) -> None:
        self.store = campaign.store
        self.campaign = campaign
        self.checking = checking
        self.terms = terms
        self.round_number = round_number
        self._contexts = contexts
        self._final = final
        self._without = without
        self._awaits_crowd = awaits_crowd
        self._asked: Collection[str] | None = None
        self._asking = Lock()

    def accept(self, hit: str, worker: str, registration: str, at: datetime | None = None) -> Assignment:
        """Take a HIT; taking it again with the same registration continues where it was left.

        `at` is when the crowd gave it to the worker; None: now.

        Raises `Refused` when nothing is left for this worker. Works are chosen before the store is locked, and again
        when others took some of them meanwhile.
        """
        validations = self.store.validations
        known = validations.taken(self.campaign.id, hit, worker, registration)
        for _ in range(0 if known is not None else MOST_CHOICES):
            works = self._look(lambda current: self._works(current, worker), but_of=hit)
            if not works:
                raise Refused(said("refusals.nothing_to_check"))
            name = validations.next_id(self.campaign.id, worker)
            which, accepted_at = (name, self.campaign.id, Stage.VALIDATION), at or now()
            made = Assignment(*which, hit, worker, registration, accepted_at, round=self.round_number)
            known = validations.accept(made, self._with_gold(works, worker, name), self._held_since(now()))
            if known is not None:
                break
        if known is None:
            raise Refused(said("refusals.too_many_ask"))
        return known

    def has_work(self, worker: str) -> bool:
        """Return whether a HIT can be made for this worker now."""
        return bool(self._look(lambda current: self._works(current, worker)))

    def may_get_work(self, worker: str) -> bool:
        """Return whether this worker may still get a HIT: now, after more writing, or when a HIT is returned."""
        if not self._final():
            return True
        return self._look(lambda current: self._is_left_for(worker, current))

    def _is_left_for(self, worker: str, current: _Now) -> bool:
        if worker in current.uncounted:
            return False
        had = self.store.works.had_by(worker, current.held)
        held = (need for need in current.held.values() if need.attempt_id not in had)
        return any(need.is_free_for(worker) for need in held) or bool(self._open(current, worker, most=1))

    def hits_wanted(self) -> int:
        """Return how many HITs should wait for a worker now; those in progress are not counted."""
        size = self.terms.works_per_hit
        needs = self._look(lambda current: self._open(current, None, most=self.terms.open_hits * size))
        open_ones = [need.missing for need in needs]
        full, rest = divmod(sum(open_ones), size)
        if self._final():
            return min(self.terms.open_hits, full + (rest > 0))
        return min(self.terms.open_hits, full) if len(open_ones) >= size else 0

    def complete(self) -> bool:
        """Return whether no work needs another vote, none is being answered, and no more works will come."""
        if not self._final():
            return False
        return self._look(lambda current: not current.held and not self._open(current, None, most=1))

    def needs(self) -> list[OpenWork]:
        """Return the needs of all works that validators are asked about, satisfied ones included."""

        def look(current: _Now) -> list[OpenWork]:
            works = self.store.works.asked(self.campaign.id, self.round_number, without=current.without)
            return [current.held.get(work.attempt_id, work) for work in works]

        return self._look(look)

    def state(self, assignment_id: str) -> ValidationState:
        assignment, items, votes = self.store.validations.session(assignment_id)
        revealed = self._revealed(assignment_id, items)
        return ValidationState(
            items=tuple(ItemState(item, votes.get(item.id), revealed.get(item.id)) for item in items),
            seconds_left=(assignment.accepted_at + self._limit - now()).total_seconds(),
            submitted=assignment.submitted_at is not None,
        )

    def reveal(self, assignment_id: str, item_id: str, steps: object) -> Json:
        """Show so many steps of an item, one more than before at most; what was shown before is given again.

        How many were is durable before they are. Raises `InvalidInput`, and `Refused` once there is a vote on it.
        """
        if not isinstance(self.checking, Gradual):
            raise InvalidInput("steps", "All of this is shown at once.")
        assignment, item, work = self.store.validations.placed_work(assignment_id, item_id)
        self._check_time(assignment)
        most = min(item.steps + 1, self.checking.steps(work))
        if not isinstance(steps, int) or not 1 <= steps <= most:
            raise InvalidInput("steps", f"{str(steps)[:20]} was given; 1 to {most} can be shown now.")
        return self.checking.revealed(work, self.store.validations.reveal(assignment_id, item_id, steps))

    def vote(self, assignment_id: str, item_id: str, key: str, payload: object) -> ValidationState:
        """Keep a vote on an item; a later one replaces it, unless the item is shown step by step.

        Raises `InvalidInput`, `Refused`.
        """
        check_key("vote_key", key)
        assignment, items, _ = self.store.validations.session(assignment_id)
        contexts, _ = self.store.validations.material(assignment_id)
        item = _item(items, item_id)
        vote = self.checking.read_vote(payload, contexts[item.context_id])
        self._check_time(assignment)
        after_steps = None
        if isinstance(self.checking, Gradual):
            if not item.steps:
                raise Refused(said("refusals.nothing_shown"))
            vote, after_steps = self.checking.voted_after(vote, item.steps), item.steps
        dumped = vote.model_dump()
        self.store.validations.vote(assignment_id, item_id, key, dumped, now(), after_steps=after_steps)
        return self.state(assignment_id)

    def finish(self, assignment_id: str, feedback: str = "") -> Assignment:
        """Close the HIT; works without an answer go to others. Feedback that is not plain text is cut."""
        note = printable(feedback, max_chars=MAX_NOTE_CHARS)
        return self.store.assignments.submit(assignment_id, note, now(), awaits_crowd=self._awaits_crowd)

    def confirm(self, assignment_id: str) -> None:
        """The crowd has what was handed in, from this worker: from now on its votes count."""
        self.store.assignments.confirm(assignment_id, now())

    def set_aside(self, assignment_id: str, reason: str) -> None:
        """The crowd knows of no such work of this worker: the votes are kept and count nothing."""
        self.store.assignments.set_aside(assignment_id, reason, now())

    def release(self, assignment_id: str) -> None:
        """The validator is gone for good."""
        self.store.validations.release(assignment_id)

    @property
    def _limit(self) -> timedelta:
        return timedelta(seconds=self.terms.time_limit_seconds)

    def _check_time(self, assignment: Assignment) -> None:
        if assignment.accepted_at + self._limit + ANSWER_GRACE < now():
            raise Refused(said("refusals.time_over.answers"))

    def _revealed(self, assignment_id: str, items: list[ValidationItem]) -> dict[str, Json]:
        """Return by item the revealed steps of works that are shown step by step and were begun."""
        begun = {item.id: item.steps for item in items if item.steps}
        if not begun or not isinstance(self.checking, Gradual):
            return {}
        _, works = self.store.validations.material(assignment_id)
        return {name: self.checking.revealed(works[name], steps) for name, steps in begun.items()}

    def _held_since(self, at: datetime) -> datetime:
        """HITs that were taken before and never handed in keep nothing from others."""
        return at - self._limit - HAND_IN_GRACE

    def _look(self, look: Callable[[_Now], T], but_of: str | None = None) -> T:
        """Return the result of `look` once all votes are settled, leaving out the works that HIT `but_of` holds.

        If votes have begun to count meanwhile, it looks again: it may have seen one part before and another after them.
        """
        self._ask()
        works, place = self.store.works, (self.campaign.id, self.round_number)
        rules = counting_rules(self.checking, self.campaign.seed, adaptive=self.terms.adaptive)
        while True:
            version = works.adjudicate(*place, rules)
            found = look(self._now(but_of))
            if works.version(*place) == version:
                return found

    def _now(self, but_of: str | None) -> _Now:
        works, place, without = self.store.works, (self.campaign.id, self.round_number), self._without()
        held = works.held(*place, self._held_since(now()), but_of=but_of)
        held_works = works.asked(*place, without=without, attempts=held)
        needs = {work.attempt_id: replace(work, holders=held[work.attempt_id]) for work in held_works}
        return _Now(needs, works.uncounted_validators(*place), without)

    def _ask(self) -> None:
        """Validators are asked about works on these contexts, which the store keeps."""
        contexts = None if self._contexts is None else self._contexts()
        with self._asking:
            if contexts is None or contexts != self._asked:
                self.store.works.ask(self.campaign.id, self.round_number, contexts)
                self._asked = contexts

    def _open(
        self, current: _Now, worker: str | None, *, most: int | None, contexts: Collection[str] | None = None
    ) -> list[OpenWork]:
        """Up to `most` works that want votes by their rank, for everybody or for a worker who may give one."""
        if worker in current.uncounted:
            return []
        works = self.store.works.open_to(
            self.campaign.id,
            self.round_number,
            worker,
            without=current.without,
            most=None if most is None else most + len(current.held),
            contexts=contexts,
        )
        needs = [current.held.get(work.attempt_id, work) for work in works]
        free = [need for need in needs if need.missing and (worker is None or need.is_free_for(worker))]
        return sorted(free, key=lambda need: need.rank)[:most]

    def _works(self, current: _Now, worker: str) -> list[OpenWork]:
        size = self.terms.works_per_hit
        ranked = self._open(current, worker, most=size)
        if self.terms.same_context and ranked:
            ranked = self._open(current, worker, most=None, contexts={need.context_id for need in ranked})
        drawn = draw_works(ranked, size, same_context=self.terms.same_context)
        return drawn if self._final() or len(drawn) == size else []

    def _with_gold(self, works: list[OpenWork], worker: str, assignment_id: str) -> list[Chosen]:
        identity = self.checking.identity
        texts = self.store.works.texts([need.attempt_id for need in works])
        asked = {gold_key(need.context_id, texts[need.attempt_id], identity) for need in works}
        gold_seen = self.store.validations.gold_of(self.campaign.id, worker)
        avoid = asked | {gold_key(context_id, gold, identity) for context_id, gold in gold_seen}
        draw = partial(draw_gold, identity=identity, seed=self.campaign.seed, key=assignment_id)
        gold = draw(self._alike(works, texts), avoid, self.terms.gold_per_hit)
        avoid |= {gold_key(context_id, work, identity) for context_id, work in gold}
        gold += draw(self._known.references, avoid, self.terms.gold_per_hit - len(gold))
        return mixed(works, gold, key=f"{self.campaign.seed}/{assignment_id}")

    def _alike(self, works: list[OpenWork], texts: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Any]]:
        """Return references with other labels on contexts of the same titles, where contexts come together."""
        if not self.terms.same_context:
            return []
        label = self.checking.author_label
        labels = {label(texts[need.attempt_id]) for need in works}
        titles = dict.fromkeys(self._known.titles[need.context_id] for need in works)
        found = (each for title in titles for each in self._known.by_title[title])
        return [(context_id, work) for context_id, work in found if label(work) not in labels]

    @cached_property
    def _known(self) -> _Known:
        contexts = self.store.campaigns.contexts(self.campaign.id).get(self.round_number, [])
        known = _Known({context.id: context.title for context in contexts})
        for context in contexts:
            of_context = [(context.id, work) for work in self.checking.references(context)]
            known.references.extend(of_context)
            known.by_title[context.title].extend(of_context)
        return known


def _item(items: list[ValidationItem], item_id: str) -> ValidationItem:
    for item in items:
        if item.id == item_id:
            return item
    raise InvalidInput("item_id", said(NO_ITEM))
