"""The rules of a match of tossups ("Trick Me If You Can", §5.3), as a state that events change.

A tossup is read word by word. Whoever buzzes has the floor: right, the tossup is over; wrong, the team is out of it,
and the others hear the rest. Points are configured: commonly 15 for an early answer (power), 10 for any other, and 5
less for the first that interrupts and is wrong. Once a protest finds an answer right, what came after it is void.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.quizbowl.tournament.events import (
    Answered,
    Begun,
    Buzzed,
    Closed,
    Ended,
    Event,
    Protested,
    Read,
    Ruled,
    Settled,
)
from beat_the_ai.kinds.quizbowl.tournament.saying import said


class Outcome(Enum):
    """The outcome of an answer."""

    POWER = "power"
    CORRECT = "correct"
    INTERRUPT = "interrupt"
    WRONG = "wrong"


@dataclass(frozen=True)
class Scoring:
    """Points for an answer. It is early up to `power_share` of the words; with 0 there is no power."""

    power: int = 15
    correct: int = 10
    interrupt: int = -5
    power_share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.power_share <= 1:
            raise InvalidInput(
                "scoring.power_share", f"power_share={self.power_share} was given; a share from 0 to 1 is needed."
            )

    @property
    def points(self) -> Mapping[Outcome, int]:
        return {
            Outcome.POWER: self.power,
            Outcome.CORRECT: self.correct,
            Outcome.INTERRUPT: self.interrupt,
            Outcome.WRONG: 0,
        }


@dataclass(frozen=True)
class Buzz:
    """A team's answer to a tossup: after how many words, by whom, what was said, and how it was ruled."""

    team: str
    player: str
    word: int
    answer: str | None = None
    ruling: bool | None = None
    settlement: bool | None = None

    @property
    def correct(self) -> bool | None:
        """None as long as nobody has ruled."""
        return self.ruling if self.settlement is None else self.settlement


@dataclass(frozen=True)
class TossupState:
    """The progress of a tossup of `length` words; `protests` are those that nobody has settled."""

    length: int
    words_read: int = 0
    buzzes: tuple[Buzz, ...] = ()
    closed: bool = False
    protests: tuple[Protested, ...] = ()

    @property
    def on_the_floor(self) -> Buzz | None:
        """The answer that waits for a ruling."""
        return self.buzzes[-1] if self.buzzes and self.buzzes[-1].ruling is None else None

    @property
    def over(self) -> bool:
        return self.closed or any(buzz.ruling for buzz in self.buzzes)

    def buzz(self, team: str) -> Buzz | None:
        return next((buzz for buzz in self.buzzes if buzz.team == team), None)

    def outcomes(self, scoring: Scoring) -> Iterator[tuple[Buzz, Outcome]]:
        """Yield the outcomes of the answers that were ruled on, up to the first right one."""
        interrupted = False
        for buzz in self.buzzes:
            if buzz.correct:
                yield buzz, Outcome.POWER if buzz.word <= scoring.power_share * self.length else Outcome.CORRECT
                return
            if buzz.correct is False:
                first = buzz.word < self.length and not interrupted
                interrupted = interrupted or first
                yield buzz, Outcome.INTERRUPT if first else Outcome.WRONG


@dataclass(frozen=True)
class MatchState:
    """A match of these teams on tossups of these lengths, in words. `tossups` are those that were begun."""

    teams: tuple[str, ...]
    lengths: tuple[int, ...]
    scoring: Scoring = field(default_factory=Scoring)
    tossups: tuple[TossupState, ...] = ()
    ended: bool = False

    @property
    def current(self) -> TossupState | None:
        return self.tossups[-1] if self.tossups else None

    def tally(self) -> dict[str, Counter[Outcome]]:
        """Return how often each team had each outcome."""
        counts: dict[str, Counter[Outcome]] = {team: Counter() for team in self.teams}
        for tossup in self.tossups:
            for buzz, outcome in tossup.outcomes(self.scoring):
                counts[buzz.team][outcome] += 1
        return counts

    def scores(self) -> dict[str, int]:
        """Return the scores of all teams."""
        points = self.scoring.points
        return {
            team: sum(points[outcome] * n for outcome, n in counts.items()) for team, counts in self.tally().items()
        }

    def after(self, event: Event) -> MatchState:
        """Raises `Refused` for what cannot happen now, and `InvalidInput` for what never can."""
        match event:
            case Begun():
                return self._begin(event)
            case Ended():
                return self._end()
            case Protested() | Settled():
                return self._protest(event)
            case _:
                return self._play(event)

    def _begin(self, event: Begun) -> MatchState:
        self._check_running()
        if self.current is not None and not self.current.over:
            raise Refused(said("event_refusals.tossup.before"))
        if len(self.tossups) == len(self.lengths):
            raise Refused(said("event_refusals.tossup.all_read"))
        if event.tossup != len(self.tossups) + 1:
            raise Refused(said("event_refusals.tossup.next", next=len(self.tossups) + 1, given=event.tossup))
        return replace(self, tossups=(*self.tossups, TossupState(self.lengths[len(self.tossups)])))

    def _end(self) -> MatchState:
        self._check_running()
        if self.current is not None and not self.current.over:
            raise Refused(said("event_refusals.tossup.open"))
        return replace(self, ended=True)

    def _play(self, event: Read | Buzzed | Answered | Ruled | Closed) -> MatchState:
        self._check_running()
        if self.current is None or event.tossup != len(self.tossups):
            # a ruling may be taken back as long as the match runs
            if isinstance(event, Ruled) and event.tossup < len(self.tossups):
                return self._with(event.tossup, _ruled(self.tossups[event.tossup - 1], event))
            raise Refused(said("event_refusals.tossup.other"))
        tossup = self.current
        match event:
            case Read():
                changed = _read(tossup, event)
            case Buzzed():
                changed = _buzzed(tossup, event, self.teams)
            case Answered():
                changed = _answered(tossup, event)
            case Ruled():
                changed = _ruled(tossup, event)
            case Closed():
                changed = _closed(tossup)
        return self._with(event.tossup, changed)

    def _protest(self, event: Protested | Settled) -> MatchState:
        if not 1 <= event.tossup <= len(self.tossups):
            raise InvalidInput("tossup", said("event_refusals.tossup.unread", number=event.tossup))
        tossup = self.tossups[event.tossup - 1]
        buzz = tossup.buzz(event.against)
        if buzz is None or buzz.ruling is None:
            raise Refused(said("event_refusals.protest.no_ruling", side=event.against))
        if isinstance(event, Protested):
            self._check_running()
            if event.team not in self.teams:
                raise InvalidInput("team", said("event_refusals.team", team=event.team))
            others = (each for each in tossup.protests if (each.team, each.against) != (event.team, event.against))
            return self._with(event.tossup, replace(tossup, protests=(*others, event)))
        if all(each.against != event.against for each in tossup.protests):
            raise Refused(said("event_refusals.protest.none", side=event.against))
        settled = _changed(tossup, replace(buzz, settlement=event.correct))
        left = tuple(each for each in tossup.protests if each.against != event.against)
        return self._with(event.tossup, replace(settled, protests=left))

    def _with(self, number: int, tossup: TossupState) -> MatchState:
        return replace(self, tossups=(*self.tossups[: number - 1], tossup, *self.tossups[number:]))

    def _check_running(self) -> None:
        if self.ended:
            raise Refused(said("event_refusals.ended"))


def replayed(
    teams: Sequence[str], lengths: Sequence[int], events: Iterable[Event], scoring: Scoring | None = None
) -> MatchState:
    """The state after all events of a log."""
    state = MatchState(tuple(teams), tuple(lengths), scoring or Scoring())
    for event in events:
        state = state.after(event)
    return state


def _read(tossup: TossupState, event: Read) -> TossupState:
    if tossup.over or tossup.on_the_floor is not None:
        raise Refused(said("event_refusals.read.stopped"))
    if event.words != tossup.words_read + 1 or event.words > tossup.length:
        raise Refused(said("event_refusals.read.words", read=tossup.words_read, count=tossup.length))
    return replace(tossup, words_read=event.words)


def _buzzed(tossup: TossupState, event: Buzzed, teams: Sequence[str]) -> TossupState:
    if event.team not in teams:
        raise InvalidInput("team", said("event_refusals.team", team=event.team))
    if tossup.over:
        raise Refused(said("event_refusals.buzz.late"))
    if tossup.on_the_floor is not None:
        raise Refused(
            said("event_refusals.buzz.faster", player=tossup.on_the_floor.player, team=tossup.on_the_floor.team)
        )
    if tossup.words_read == 0:
        raise Refused(said("event_refusals.buzz.nothing_read"))
    if tossup.buzz(event.team) is not None:
        raise Refused(said("event_refusals.buzz.once"))
    buzz = Buzz(event.team, event.player, tossup.words_read, event.answer)
    return replace(tossup, buzzes=(*tossup.buzzes, buzz))


def _answered(tossup: TossupState, event: Answered) -> TossupState:
    buzz = tossup.on_the_floor
    if buzz is None or buzz.team != event.team:
        raise Refused(said("event_refusals.answer.no_floor"))
    return _changed(tossup, replace(buzz, answer=event.answer))


def _ruled(tossup: TossupState, event: Ruled) -> TossupState:
    buzz = tossup.buzz(event.team)
    if buzz is None:
        raise Refused(said("event_refusals.ruling.no_answer", team=event.team))
    if event.correct and any(other.ruling for other in tossup.buzzes if other.team != event.team):
        raise Refused(said("event_refusals.ruling.another"))
    return _changed(tossup, replace(buzz, ruling=event.correct))


def _closed(tossup: TossupState) -> TossupState:
    if tossup.over:
        raise Refused(said("event_refusals.tossup.over"))
    if tossup.on_the_floor is not None:
        raise Refused(said("event_refusals.ruling.waits"))
    return replace(tossup, closed=True)


def _changed(tossup: TossupState, buzz: Buzz) -> TossupState:
    return replace(tossup, buzzes=tuple(buzz if each.team == buzz.team else each for each in tossup.buzzes))
