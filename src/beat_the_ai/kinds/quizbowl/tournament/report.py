"""What an event tells: people and models, on adversarial and regular questions (§4.1, §5.3, Figures 4 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from beat_the_ai.analysis.cells import mean_cell, share_cell
from beat_the_ai.analysis.drawings import curves
from beat_the_ai.kinds.quizbowl.tournament.buzzing import People
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam
from beat_the_ai.kinds.quizbowl.tournament.match import Outcome
from beat_the_ai.kinds.quizbowl.tournament.results import BuzzRow, Result
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.statistics.significance import fisher_exact, welch_t

SHARES = (0.25, 0.5, 0.75, 1.0)
STEPS = 20
RIGHT = (Outcome.POWER.value, Outcome.CORRECT.value)
SETS = {False: "regular", True: "adversarial"}


@dataclass(frozen=True)
class EventRoom:
    match: Match
    result: Result


@dataclass(frozen=True)
class _Group:
    """Answers that were ruled on, by people or by models, and the tossups on which they could be given."""

    name: str
    answers: Sequence[BuzzRow]
    tossups: int

    @property
    def right(self) -> list[BuzzRow]:
        return [row for row in self.answers if row.outcome in RIGHT]

    @property
    def words_left(self) -> list[float]:
        return [1 - row.word / row.words for row in self.answers]

    def right_by(self, share: float) -> int:
        """How many tossups somebody of the group had answered when that share of the words was read."""
        return sum(row.word <= share * row.words for row in self.right)


def event_sections(rooms: Sequence[EventRoom]) -> list[Section]:
    """Of all rooms together; a tossup that was not played counts nowhere."""
    groups = {(models, written): _group(rooms, models, written) for models, written in product((False, True), SETS)}
    return [_answers(groups), _course(list(groups.values())), _sides(rooms), _expected_wins(rooms)]


def _group(rooms: Sequence[EventRoom], models: bool, adversarial: bool) -> _Group:
    answers = [
        row
        for room in rooms
        for row in room.result.buzzes
        if row.outcome and (row.is_model, row.adversarial) == (models, adversarial)
    ]
    played = sum(
        tossup.adversarial is adversarial
        for room in rooms
        for tossup in room.match.tossups[: room.result.tossups_played]
    )
    return _Group(f"{'models' if models else 'people'}, {SETS[adversarial]}", answers, played)


def _answers(groups: dict[tuple[bool, bool], _Group]) -> Section:
    rows = []
    for models in (False, True):
        regular, adversarial = groups[models, False], groups[models, True]
        counts = [(len(group.right), len(group.answers) - len(group.right)) for group in (regular, adversarial)]
        shares = fisher_exact(counts[0], counts[1]) if regular.answers and adversarial.answers else None
        positions = welch_t(regular.words_left, adversarial.words_left)
        for group, p in ((regular, ("", "")), (adversarial, (_p(shares), _p(positions)))):
            right = share_cell(len(group.right), len(group.answers))
            rows.append((group.name, f"{len(group.answers):,}", right, p[0], mean_cell(group.words_left), p[1]))
    text = (
        "Answers that were ruled on. The shares have 95% Wilson intervals, the means 95% bootstrap ones; p is that of "
        "a difference between regular and adversarial questions, by Fisher's exact test and by Welch's t-test, both "
        "two-sided. In the paper's event people were right on 84.2% of regular questions with 28.3% of the words left, "
        "and on 89.7% of adversarial ones with 41.6% left (p = 0.16 and 0.0047)."
    )
    header = ("", "answers", "right", "p", "share of the words left", "p")
    return Section("Answers", text, Table(header, rows), source="§4.1")


def _course(groups: Sequence[_Group]) -> Section:
    rows = [
        (f"{share:.0%}", *(share_cell(group.right_by(share), group.tossups) for group in groups)) for share in SHARES
    ]
    drawn = {
        group.name: [
            (step / STEPS, group.right_by(step / STEPS) / group.tossups if group.tossups else 0.0)
            for step in range(STEPS + 1)
        ]
        for group in groups
    }
    text = (
        "The share of tossups that somebody of the group has answered right when so much of the question is read, as "
        "it was played: whoever buzzes first takes the tossup from the others. With 95% Wilson intervals."
    )
    table = Table(("of the words", *(group.name for group in groups)), rows)
    plot = curves(drawn, "Right answers in the course of a question", "of the words")
    return Section("Right answers in the course of a question", text, table, plot, "Figures 4 to 7")


def _sides(rooms: Sequence[EventRoom]) -> Section:
    rows = []
    for room in rooms:
        for standing in room.result.standings:
            answers = [row for row in room.result.buzzes if row.outcome and row.side == standing.side]
            group = _Group(standing.side, answers, room.result.tossups_played)
            side = f"{standing.side} (model)" if standing.is_model else standing.side
            right = share_cell(len(group.right), len(answers))
            rows.append((side, room.match.room, f"{standing.points:,}", f"{len(answers):,}", right))
    text = "Each side's points, and how many of its answers were right, with 95% Wilson intervals."
    return Section("Teams and models", text, Table(("", "room", "points", "answers", "right"), rows), source="Figure 6")


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
    return Section("Expected wins of models", text, Table(("", *SETS.values()), rows))


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


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "below 0.001" if value < 0.001 else f"{value:.3f}"
