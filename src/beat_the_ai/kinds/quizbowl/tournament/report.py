"""The report on an event: people and models, on adversarial and regular questions (§4.1, §5.3, Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.cells import mean_cell, share_cell
from beat_the_ai.kinds.quizbowl.report.buzzes import SETS, Buzz, Buzzes, Pair, answers_section, course_section
from beat_the_ai.kinds.quizbowl.tournament.buzzing import People
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam
from beat_the_ai.kinds.quizbowl.tournament.match import Outcome
from beat_the_ai.kinds.quizbowl.tournament.results import BuzzRow, Result
from beat_the_ai.statistics.section import Section, Table

ALONE = "Answers of one side, or to one tossup, are counted as if they were independent."
BY_LEVEL, BY_MODEL = ": people by level", ": each model alone"
RIGHT = (Outcome.POWER.value, Outcome.CORRECT.value)


@dataclass(frozen=True)
class EventRoom:
    match: Match
    result: Result


def event_sections(rooms: Sequence[EventRoom]) -> list[Section]:
    """Return the sections on all rooms together; a tossup that was not played counts nowhere."""
    people, models = _played(rooms, "people"), _played(rooms, "models", is_model=True)
    course = (
        "The share of tossups that somebody of the group has answered right when so much of the question is read, as "
        "it was played: whoever buzzes first takes the tossup from the others."
    )
    return [
        answers_section([people, models], f"Answers that were ruled on. {ALONE}"),
        course_section([people, models], course),
        *_levels(rooms, course),
        *_models(rooms),
        _sides(rooms),
        _expected_wins(rooms),
    ]


def _played(rooms: Sequence[EventRoom], name: str, *, is_model: bool = False, level: str | None = None) -> Pair:
    """Return the buzzes of people or models, or of the teams of a level in the rooms where there are any."""
    if level is not None:
        rooms = [room for room in rooms if level in room.match.levels.values()]

    def buzzes(adversarial: bool) -> Buzzes:
        answers = [
            _buzz(row)
            for room in rooms
            for row in room.result.buzzes
            if row.outcome and (row.is_model, row.adversarial) == (is_model, adversarial) and level in (None, row.level)
        ]
        played = sum(
            tossup.adversarial is adversarial
            for room in rooms
            for tossup in room.match.tossups[: room.result.tossups_played]
        )
        return Buzzes(f"{name}, {SETS[adversarial]}", answers, played)

    return buzzes(False), buzzes(True)


def _levels(rooms: Sequence[EventRoom], course: str) -> list[Section]:
    """Return the paper's groups of players apart; nothing where no team has a level."""
    levels = dict.fromkeys(level for room in rooms for level in room.match.levels.values())
    pairs = [_played(rooms, level, level=level) for level in levels]
    if not pairs:
        return []
    return [
        answers_section(pairs, f"Answers that were ruled on, by the level of the team. {ALONE}", BY_LEVEL),
        course_section(
            pairs, f"{course} Tossups are those of the rooms with a team of the level.", BY_LEVEL, "Figure 6"
        ),
    ]


def _models(rooms: Sequence[EventRoom]) -> list[Section]:
    """Return what each model would say to every tossup by itself; nothing where none plays."""
    names = dict.fromkeys(model.name for room in rooms for model in room.match.models)
    pairs = [(_planned(rooms, name, adversarial=False), _planned(rooms, name, adversarial=True)) for name in names]
    if not pairs:
        return []
    alone = (
        f"Each model alone, on all tossups of its rooms: its answer, and when it is sure, whoever was faster. {ALONE}"
    )
    return [
        answers_section(pairs, alone, BY_MODEL),
        course_section(pairs, f"{alone} The share of tossups that it would have answered right.", BY_MODEL, "Figure 7"),
    ]


def _planned(rooms: Sequence[EventRoom], name: str, *, adversarial: bool) -> Buzzes:
    asked = [
        (tossup, model.buzzes.get(tossup.id))
        for room in rooms
        for model in room.match.models
        if model.name == name
        for tossup in room.match.tossups
        if tossup.adversarial is adversarial
    ]
    answers = [
        Buzz(plan.word, tossup.length, plan.page == tossup.answer.page) for tossup, plan in asked if plan is not None
    ]
    return Buzzes(f"{name}, {SETS[adversarial]}", answers, len(asked))


def _buzz(row: BuzzRow) -> Buzz:
    return Buzz(row.word, row.words, row.outcome in RIGHT)


def _sides(rooms: Sequence[EventRoom]) -> Section:
    rows = []
    for room in rooms:
        for standing in room.result.standings:
            answers = [row for row in room.result.buzzes if row.outcome and row.side == standing.side]
            side = f"{standing.side} (model)" if standing.is_model else standing.side
            right = share_cell(sum(row.outcome in RIGHT for row in answers), len(answers))
            rows.append((side, room.match.room, f"{standing.points:,}", f"{len(answers):,}", right))
    text = f"Each side's points, and how many of its answers were right, with 95% Wilson intervals. {ALONE}"
    return Section("Teams and models", text, Table(("side", "room", "points", "answers", "right"), rows), source="§5.3")


def _expected_wins(rooms: Sequence[EventRoom]) -> Section:
    names = dict.fromkeys(model.name for room in rooms for model in room.match.models)
    rows = [
        (name, *(mean_cell(list(_wins(rooms, name, adversarial=adversarial))) for adversarial in SETS))
        for name in names
    ]
    text = (
        "The share of tossups that a model would win against people who buzz as the paper's players did on regular "
        "questions (with 28.3% of the words left, 84.2% right): the area under the curve of their buzzes after its "
        "own, where it is right. From when the model is sure, whoever was faster in the event. With 95% bootstrap "
        "intervals over tossups."
    )
    return Section("Expected wins of models", text, Table(("model", *SETS.values()), rows))


def _wins(rooms: Sequence[EventRoom], name: str, *, adversarial: bool) -> Iterator[float]:
    for room in rooms:
        for model in room.match.models:
            if model.name == name:
                yield from _wins_in(room.match, model, adversarial)


def _wins_in(match: Match, model: ModelTeam, adversarial: bool) -> Iterator[float]:
    people = People()
    for tossup in match.tossups:
        if tossup.adversarial is adversarial:
            plan = model.buzzes.get(tossup.id)
            is_right = plan is not None and plan.page == tossup.answer.page
            earlier = people.has_buzzed_by(plan.word / tossup.length) if plan is not None else 1.0
            yield 1 - earlier * people.accuracy if is_right else 0.0
