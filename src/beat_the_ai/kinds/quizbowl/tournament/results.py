"""The results of a match: standings, people and models on each kind of question (§4.1), and every buzz."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path
from typing import TextIO

from beat_the_ai.kinds.quizbowl.tournament.events import Buzzed, Read
from beat_the_ai.kinds.quizbowl.tournament.log import Entry, Match, read_match
from beat_the_ai.kinds.quizbowl.tournament.match import MatchState, Outcome, replayed
from beat_the_ai.kinds.quizbowl.tournament.recount import recount

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute instead of showing


@dataclass(frozen=True)
class Standing:
    """A side's points, and how often it had which outcome."""

    side: str
    is_model: bool
    points: int
    power: int
    correct: int
    interrupt: int
    wrong: int


@dataclass(frozen=True)
class BuzzRow:
    """A buzz of the log, after `word` of the tossup's `words`. One that was refused has a refusal, and no outcome.

    An answer that a protest has made void has neither. `level` is the team's, if it has one.
    """

    room: str
    number: int
    at: str
    tossup: int
    question: str
    category: str
    adversarial: bool | None
    side: str
    is_model: bool
    player: str
    word: int
    words: int
    said: str
    answer: str
    outcome: str
    points: int
    refusal: str
    level: str


@dataclass(frozen=True)
class Figure:
    """The figures of ruled answers: the share that is right, and the mean share of words that were left (§4.1)."""

    by: str
    questions: str
    answers: int
    accuracy: float | None
    words_left: float | None


@dataclass(frozen=True)
class Result:
    """The result of a room's match. `recount` is the score by another way."""

    room: str
    ended: bool
    tossups_played: int
    tossups: int
    standings: Sequence[Standing]
    recount: dict[str, int]
    figures: Sequence[Figure]
    buzzes: Sequence[BuzzRow]

    @property
    def agrees(self) -> bool:
        return self.recount == {standing.side: standing.points for standing in self.standings}


def read_result(path: Path) -> Result:
    """From a match's file, also while it is being played. Raises `InvalidInput` for a file that is no match."""
    match, entries = read_match(path)
    events = [entry.event for entry in entries if entry.refusal is None]
    lengths = [tossup.length for tossup in match.tossups]
    state = replayed(match.sides, lengths, events, match.scoring)
    buzzes = list(_buzz_rows(match, entries, state))
    return Result(
        match.room,
        state.ended,
        sum(tossup.over for tossup in state.tossups),
        len(match.tossups),
        _standings(match, state),
        recount(match.sides, lengths, events, match.scoring),
        _figures(buzzes),
        buzzes,
    )


def write_csv(results: Iterable[Result], file: TextIO) -> None:
    """Every buzz of all rooms. What players typed cannot pass for a spreadsheet's formula."""
    writer = csv.writer(file)
    writer.writerow(field.name for field in fields(BuzzRow))
    for result in results:
        for row in result.buzzes:
            writer.writerow(_cell(value) for value in asdict(row).values())


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _standings(match: Match, state: MatchState) -> list[Standing]:
    scores, tally = state.scores(), state.tally()
    models = {model.name for model in match.models}
    rows = [
        Standing(side, side in models, scores[side], *(tally[side][outcome] for outcome in Outcome))
        for side in match.sides
    ]
    return sorted(rows, key=lambda row: -row.points)


def _buzz_rows(match: Match, entries: Sequence[Entry], state: MatchState) -> Iterator[BuzzRow]:
    models = {model.name for model in match.models}
    words_read = [0] * len(match.tossups)
    outcomes = [{buzz.team: outcome for buzz, outcome in tossup.outcomes(match.scoring)} for tossup in state.tossups]
    for entry in entries:
        event = entry.event
        if isinstance(event, Read):
            words_read[event.tossup - 1] = event.words
        if not isinstance(event, Buzzed):
            continue
        place = event.tossup - 1
        tossup = match.tossups[place] if place < len(state.tossups) else None
        buzz = state.tossups[place].buzz(event.team) if tossup and entry.refusal is None else None
        outcome = outcomes[place].get(event.team) if buzz else None
        yield BuzzRow(
            room=match.room,
            number=entry.number,
            at=entry.at.isoformat(),
            tossup=event.tossup,
            question=tossup.id if tossup else "",
            category=tossup.category if tossup else "",
            adversarial=tossup.adversarial if tossup else None,
            side=event.team,
            is_model=event.team in models,
            player=event.player,
            word=words_read[place] if tossup else 0,
            words=tossup.length if tossup else 0,
            said=(buzz.answer or "") if buzz else "",
            answer=tossup.answer.page if tossup else "",
            outcome=outcome.value if outcome else "",
            points=match.scoring.points[outcome] if outcome else 0,
            refusal=entry.refusal or "",
            level=match.levels.get(event.team, ""),
        )


def _figures(buzzes: Sequence[BuzzRow]) -> list[Figure]:
    return [
        _figure("models" if models else "people", "adversarial" if adversarial else "regular", ruled)
        for models, adversarial in product((False, True), (False, True))
        for ruled in [
            [row for row in buzzes if row.outcome and (row.is_model, row.adversarial) == (models, adversarial)]
        ]
    ]


def _figure(by: str, questions: str, ruled: Sequence[BuzzRow]) -> Figure:
    right = sum(row.outcome in (Outcome.POWER.value, Outcome.CORRECT.value) for row in ruled)
    left = sum(1 - row.word / row.words for row in ruled)
    return Figure(
        by, questions, len(ruled), right / len(ruled) if ruled else None, left / len(ruled) if ruled else None
    )
