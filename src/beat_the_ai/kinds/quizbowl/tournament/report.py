"""The report on an event: people and models, on adversarial and regular questions (§4.1, §5.3, Figures 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from beat_the_ai.analysis.cells import mean_cell, share_cell
from beat_the_ai.kinds.quizbowl.report.buzzes import SETS, Buzz, Buzzes, answers_section, course_section
from beat_the_ai.kinds.quizbowl.tournament.buzzing import People
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam
from beat_the_ai.kinds.quizbowl.tournament.match import Outcome
from beat_the_ai.kinds.quizbowl.tournament.results import BuzzRow, Result
from beat_the_ai.statistics.section import Section, Table

RIGHT = (Outcome.POWER.value, Outcome.CORRECT.value)


@dataclass(frozen=True)
class EventRoom:
    match: Match
    result: Result


def event_sections(rooms: Sequence[EventRoom]) -> list[Section]:
    """Return the sections on all rooms together; a tossup that was not played counts nowhere."""
    groups = {(models, written): _group(rooms, models, written) for models, written in product((False, True), SETS)}
    course = (
        "The share of tossups that somebody of the group has answered right when so much of the question is read, as "
        "it was played: whoever buzzes first takes the tossup from the others."
    )
    return [
        answers_section([(groups[by, False], groups[by, True]) for by in (False, True)], "Answers that were ruled on."),
        course_section(list(groups.values()), course),
        _sides(rooms),
        _expected_wins(rooms),
    ]


def _group(rooms: Sequence[EventRoom], models: bool, adversarial: bool) -> Buzzes:
    answers = [
        _buzz(row)
        for room in rooms
        for row in room.result.buzzes
        if row.outcome and (row.is_model, row.adversarial) == (models, adversarial)
    ]
    played = sum(
        tossup.adversarial is adversarial
        for room in rooms
        for tossup in room.match.tossups[: room.result.tossups_played]
    )
    return Buzzes(f"{'models' if models else 'people'}, {SETS[adversarial]}", answers, played)


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
    text = "Each side's points, and how many of its answers were right, with 95% Wilson intervals."
    return Section(
        "Teams and models", text, Table(("side", "room", "points", "answers", "right"), rows), source="Figure 6"
    )


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
        "intervals."
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
