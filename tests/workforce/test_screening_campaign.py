"""The campaign of the sample HITs: paid like any other, and no part of the dataset."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.cli.data import export
from beat_the_ai.cli.payments import pay
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.files.data_file import find_data_file
from beat_the_ai.kinds.reading_comprehension.screening.quiz import ReadingQuiz
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rules.registry import bind
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Screening, Store, now
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.terms.round import QualificationSettings, RoundTerms
from beat_the_ai.workforce import Standing, Workforce
from beat_the_ai.workforce.requirements import load_requirements
from beat_the_ai.workforce.screening import ScreeningDesk, open_screening_desk, sample_terms
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, ROOT, content_at, small_quiz
from tests.writing.fakes import FakeModel

CROWD = {"crowd": {"provider": "mock"}}
CONFIG: dict[str, Any] = {
    "round": {
        "number": 1,
        "hits_per_context": 1,
        "max_hits": None,
        "wins_wanted": 3,
        "max_wins": 5,
        "max_tries": 25,
        "time_limit_seconds": 3600,
    },
    "pay": {"reward_cents": 200, "bonus_cents_per_win": 50, "cap_cents": 100_000, "masters": True},
}
SECTION = QualificationSettings(requirements="open", quiz="q", places=9, reward_cents=120, time_limit_seconds=1800)


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> ScreeningDesk:
    return new_desk(store, tmp_path)


def new_desk(store: Store, tmp_path: Path, *, awaits_crowd: bool = False) -> ScreeningDesk:
    writing = ReadingComprehension()
    quiz = ReadingQuiz(small_quiz(tmp_path), writing)
    terms = sample_terms(quiz, reward_cents=SECTION.reward_cents, time_limit_seconds=SECTION.time_limit_seconds)
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, CROWD, now()), CONFIG)
    pilot = BoundCampaign.open(store, "pilot")
    return open_screening_desk(
        pilot,
        quiz,
        writing,
        FakeModel(),
        reward_cents=SECTION.reward_cents,
        time_limit_seconds=SECTION.time_limit_seconds,
        terms=SECTION.sample_terms(RoundTerms.model_validate(CONFIG), terms).model_dump(mode="json"),
        workforce=Workforce(pilot),
        awaits_crowd=awaits_crowd,
    )


def took_it(desk: ScreeningDesk, worker: str) -> None:
    """A newcomer passes, with a win that would earn a bonus in the campaign."""
    assignment = desk.open(worker, f"crowd-assignment-{worker}").assignment_id
    for step, payload in GOOD.items():
        desk.respond(assignment, step, step, payload)
    quiz = content_at(desk)
    for number in range(2):
        work = quiz.work(quiz.sample.passage, quiz.sample.questions[number]).model_dump()
        desk.submit_attempt(assignment, str(number), desk.sample_hit.context.id, work)
    desk.finish(assignment)


def test_every_screening_that_was_handed_in_is_owed_its_reward_and_no_bonus(
    desk: ScreeningDesk, tmp_path: Path
) -> None:
    took_it(desk, "ann")
    gives_up = desk.open("gives-up", "crowd-assignment-gives-up")
    desk.respond(gives_up.assignment_id, "k", *next(iter(GOOD.items())))
    desk.finish(gives_up.assignment_id)
    desk.finish(desk.open("does-nothing", "crowd-assignment-does-nothing").assignment_id)
    desk.open("still-at-it", "crowd-assignment-still-at-it")
    done = CliRunner().invoke(pay, [str(tmp_path / "store.db"), "--json"])
    assert done.exit_code == 0, done.output
    [samples] = [plan for plan in json.loads(done.output) if sample_campaign_id("pilot") in json.dumps(plan)]
    assert json.dumps(samples).count('"cents": 120') == 2
    assert "crowd-assignment-still-at-it" not in json.dumps(samples)
    assert "crowd-assignment-does-nothing" not in json.dumps(samples)


def test_what_newcomers_write_is_no_part_of_the_dataset(desk: ScreeningDesk, tmp_path: Path) -> None:
    took_it(desk, "ann")
    done = CliRunner().invoke(export, [str(tmp_path / "store.db"), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "attempts.jsonl").read_text() == ""
    assert len(list(desk.store.attempts.of_campaign(sample_campaign_id("pilot")))) == 2


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in (ROOT / "hydra_configs" / "qualification").glob("*.yaml"))
)
@pytest.mark.parametrize("task", ["reading_comprehension", "nli"])
def test_every_configuration_names_files_that_are_there(task: str, name: str, tmp_path: Path) -> None:
    section = read_settings(ROOT / "tasks" / task, [f"qualification={name}"], out=tmp_path).qualification
    screening = bind(task).screening
    assert screening is not None
    screening.load_quiz(find_data_file(section.quiz, ROOT / "qualification" / "quizzes", "quiz"))
    load_requirements(find_data_file(section.requirements, ROOT / "qualification" / "requirements", "requirements"))


def test_a_name_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    folder = ROOT / "qualification" / "requirements"
    names = "anybody, experienced, masters, open, paper"
    with pytest.raises(UnknownName, match=rf"Available: {names}\. Did you mean 'paper'"):
        find_data_file("papers", folder, "requirement set")
    own = tmp_path / "own.yaml"
    own.touch()
    assert find_data_file(str(own), folder, "requirement set") == own


def test_a_newcomer_is_a_candidate_once_the_crowd_has_confirmed_the_screening(store: Store, tmp_path: Path) -> None:
    desk, workforce = new_desk(store, tmp_path, awaits_crowd=True), Workforce(BoundCampaign.open(store, "pilot"))
    took_it(desk, "ann")
    [hand_in] = store.assignments.waiting(sample_campaign_id("pilot"), Stage.SCREENING)
    assert (workforce.standing("ann"), store.screenings.confirmed("pilot")) == (None, set())
    for _ in range(2):  # the first operator died in the middle of it
        desk.confirm(hand_in.id)
    assert workforce.standing("ann") is Standing.CANDIDATE
    assert store.screenings.confirmed("pilot") == {"ann"}
    assert len(workforce.history("ann")) == 1


@pytest.mark.parametrize("moment", ["before the outcome is stored", "after it", "while it is confirmed"])
def test_whoever_is_confirmed_while_handing_in_is_a_candidate(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    desk, samples = new_desk(store, tmp_path, awaits_crowd=True), sample_campaign_id("pilot")
    submit, confirm_sample = store.screenings.submit, desk.sample.confirm

    def confirm() -> None:
        for each in store.assignments.waiting(samples, Stage.SCREENING):
            desk.confirm(each.id)

    def submit_beside(assignment_id: str, outcome: str, at: datetime) -> Screening:
        if moment != "after it":
            confirm()
        stored = submit(assignment_id, outcome, at)
        if moment == "after it":
            confirm()
        return stored

    def confirm_beside(assignment_id: str) -> None:
        """The page's thread gets in between, from its outcome to its end."""
        monkeypatch.setattr(desk.sample, "confirm", confirm_sample)
        monkeypatch.setattr(store.screenings, "submit", submit)
        desk.finish(assignment_id)
        confirm_sample(assignment_id)

    monkeypatch.setattr(store.screenings, "submit", submit_beside)
    if moment == "while it is confirmed":
        monkeypatch.setattr(desk.sample, "confirm", confirm_beside)
    took_it(desk, "ann")
    assert Workforce(BoundCampaign.open(store, "pilot")).standing("ann") is Standing.CANDIDATE
    assert store.assignments.waiting(samples, Stage.SCREENING) == []


def test_whoever_opens_another_hit_while_the_first_begins_to_count_has_taken_the_screening(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a crowd does that accepts the next HIT by itself, and does not sign who the worker is."""
    desk = new_desk(store, tmp_path, awaits_crowd=True)
    took_it(desk, "ann")
    [hand_in] = store.assignments.waiting(sample_campaign_id("pilot"), Stage.SCREENING)
    claim, begun = store.screenings.claim, list[str]()

    def claim_slowly(assignment_id: str, at: datetime) -> bool:
        claimed = claim(assignment_id, at)
        begun.append(desk.open("ann", "crowd-assignment-next", identity_verified=False).assignment_id)
        return claimed

    monkeypatch.setattr(store.screenings, "claim", claim_slowly)
    desk.confirm(hand_in.id)
    monkeypatch.undo()
    mine = store.screenings.of_worker("pilot", "ann")
    assert mine is not None
    assert (mine.assignment_id, mine.outcome) == (hand_in.id, "passed")
    assert store.assignments.get(hand_in.id).counts
    [another] = begun
    desk.sample.finish(another)
    desk.confirm(another)
    assert store.assignments.get(another).set_aside_at is not None
    assert desk.taken() == 1


def test_a_screening_in_anothers_name_takes_no_place_and_is_not_held_against_anybody(
    store: Store, tmp_path: Path
) -> None:
    desk, workforce = new_desk(store, tmp_path, awaits_crowd=True), Workforce(BoundCampaign.open(store, "pilot"))
    forged = desk.open("victim", "crowd-assignment-forged")
    desk.respond(forged.assignment_id, "k", *next(iter(GOOD.items())))
    desk.finish(forged.assignment_id)
    assert desk.taken() == 1
    with pytest.raises(Refused, match="before"):
        desk.check_admission("victim")
    desk.set_aside(forged.assignment_id, "the crowd has this assignment from another worker")
    assert (desk.taken(), workforce.standing("victim")) == (0, None)
    assert store.screenings.of_campaign("pilot") == []
    desk.check_admission("victim")
    took_it(desk, "victim")
    [hand_in] = store.assignments.waiting(sample_campaign_id("pilot"), Stage.SCREENING)
    desk.confirm(hand_in.id)
    assert workforce.standing("victim") is Standing.CANDIDATE
    assert desk.taken() == 1
