"""Random campaigns, from the first question to the export: invariants 4 to 7 hold whatever people do in which order."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.results.course import course_of
from beat_the_ai.campaign.results.models import models_of
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.report import subject_of
from beat_the_ai.campaign.results.rounds import figures_by_round
from beat_the_ai.campaign.results.splits import splits_by_round
from beat_the_ai.campaign.results.tried_hits import tried_hits
from beat_the_ai.dataset.card import EXCLUDED
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.transcript.verification import verify
from beat_the_ai.errors import Refused
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.payments import Cause, PaidWork, held_back
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, Campaign, PayDecision, Round, Totals, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.terms.writing import Terms
from beat_the_ai.validation import AdjudicatedWorks, ValidationDesk, page_material, page_validation
from beat_the_ai.workforce import Reviewing, Workforce
from beat_the_ai.writing import WritingDesk
from tests.console.reported import reported
from tests.examples import examples
from tests.payments.builders import tariffs
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR
from tests.validation.recount import discarded_writers, recounted
from tests.writing.fakes import FakeModel

WORKERS = [f"RAW-worker-{number}" for number in range(6)]
SET_ASIDE = ("the crowd never received it", ANOTHER_WORKERS, ANOTHER_HITS)
REWARDED = tariffs(cents_per_win=30)[1]
TARIFFS = {number: replace(REWARDED, validation_reward_cents=50) for number in (1, 2)}
EXCLUSIVE = WORKERS[0]
REVIEWERS = ("nora", "paul")
MODEL_SECRET = "what the model said"
SPANS = ("Nell", "the ferry", "1931", "Fenmouth")
CONFIG = {"dataset": {"train": 2, "dev": 1, "test": 1, "exclusive_writers": [EXCLUSIVE]}}
CHECKED_PARTS = ("dev", "test")


def span(text: str, of: str) -> dict[str, Any]:
    return {"text": text, "start": of.index(text)}


def passage(number: int) -> Context:
    text = f"Story {number}: Nell ran the ferry until 1931, when a bridge was built at Fenmouth."
    gold = {"question": f"Secret gold of {number}?", "answer": span("a bridge", text)}
    return Context(f"story/{number}", text, f"Story {number}", {"questions": [gold]})


class Play:
    """A campaign in a new store. Every act takes two numbers, which choose among what can be done then."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(str(folder / "store.db"))
        self.campaign = self.store.campaigns.create(
            Campaign("pilot", "reading_comprehension", 3, "k" * 32, {}, NEW_YEAR), CONFIG
        )
        self.store.rounds.open(Round("pilot", 2, CONFIG, NEW_YEAR))
        offered = [
            self.store.campaigns.offer("pilot", list(map(passage, which)), round_number=number, slots=3)
            for number, which in enumerate((range(5), range(5, 8)), start=1)
        ]
        self.hits = [pair for of_round in offered for pair in of_round.items()]
        with pytest.raises(Refused, match="round 1"):
            self.store.campaigns.offer("pilot", [passage(0)], round_number=2, slots=1)
        self.model = FakeModel()
        self.writing = WritingDesk(
            self.store, ReadingComprehension(), self.model, Terms(max_tries=6), awaits_crowd=True
        )
        self.desks = [
            ValidationDesk(
                BoundCampaign.open(self.store, self.campaign.id),
                Answerability(),
                ValidationTerms(works_per_hit=3, gold_per_hit=1, same_context=False),
                round_number=number,
                contexts=self.checked_contexts,
                without=lambda: self.store.standings.discarded("pilot"),
                awaits_crowd=True,
            )
            for number in (1, 2)
        ]
        self.validating = self.desks[0]  # what is taken already is any desk's
        self.reviewing, self.workforce = (
            Reviewing(BoundCampaign.open(self.store, "pilot")),
            Workforce(BoundCampaign.open(self.store, "pilot")),
        )
        self.written: list[tuple[str, str, str]] = []  # (assignment, context, writer), not handed in yet
        self.checking: list[tuple[str, str]] = []  # (assignment, validator), not handed in yet
        self.answered: set[str] = set()  # items

    def checked_contexts(self) -> set[str]:
        parts = parts_of(BoundCampaign.open(self.store, self.campaign.id))
        return {context for context, part in parts.items() if part in CHECKED_PARTS}

    def take(self, one: int, other: int) -> None:
        """A writer takes a HIT and tries some questions, or none."""
        worker = WORKERS[one % len(WORKERS)]
        if not self.hits or not self.workforce.may_work(worker, Stage.WRITING):
            return
        hit, context = self.hits.pop(other % len(self.hits))
        made, _ = self.writing.accept(hit, worker, f"page-{hit}-{worker}")
        self.written.append((made.id, context, worker))
        for number in range((other + 3) % 4):
            self.ask(-1, one + number)

    def ask(self, one: int, other: int) -> None:
        if self.written:
            assignment, context, _ = self.written[one % len(self.written)]
            number = len(self.writing.state(assignment).attempts)
            text, answer = passage(int(context.removeprefix("story/"))).text, SPANS[other % len(SPANS)]
            self.model.answers.append(answer if other % 5 == 0 else MODEL_SECRET)
            question = {"question": f"What is number {number} of {assignment} about?", "answer": span(answer, text)}
            try:
                self.writing.submit(assignment, f"key {number}", context, question)
            except Refused:  # no try is left
                self.model.answers.clear()

    def retract(self, one: int, other: int) -> None:
        if self.written:
            assignment, _, _ = self.written[one % len(self.written)]
            attempts = self.writing.state(assignment).attempts
            if attempts:
                self.writing.retract(assignment, attempts[other % len(attempts)].id)

    def hand_in(self, one: int, _other: int) -> None:
        if self.written:
            self.writing.finish(self.written.pop(one % len(self.written))[0])

    def confirm(self, one: int, _other: int) -> None:
        """The crowd has it. Of validation, too."""
        if waiting := self.store.assignments.waiting("pilot", Stage.WRITING):
            self.writing.confirm(waiting[one % len(waiting)].id)
            self.reviewing.draw()
        if waiting := self.store.assignments.waiting("pilot", Stage.VALIDATION):
            self.validating.confirm(waiting[one % len(waiting)].id)

    def set_aside(self, one: int, other: int) -> None:
        reason = SET_ASIDE[one % len(SET_ASIDE)]
        if other % 2 and (waiting := self.store.assignments.waiting("pilot", Stage.WRITING)):
            self.writing.set_aside(waiting[one % len(waiting)].id, reason)
        elif waiting := self.store.assignments.waiting("pilot", Stage.VALIDATION):
            self.validating.set_aside(waiting[one % len(waiting)].id, reason)

    def decide(self, one: int, other: int) -> None:
        """A person pays what waits for one, or lets it be."""
        waiting = [each for each in held_back(Paid(self.store, "pilot", TARIFFS)) if each.decision is None]
        if waiting:
            chosen = waiting[one % len(waiting)].assignment.id
            decision = PayDecision(chosen, other % 2 == 0, REVIEWERS[0], "looked at it", NEW_YEAR)
            self.store.pay_decisions.add(decision)

    def check(self, one: int, other: int) -> None:
        """A validator takes a HIT, and sees what may be seen."""
        worker = WORKERS[one % len(WORKERS)]
        if not self.workforce.may_work(worker, Stage.VALIDATION):
            return
        try:
            made = self.desks[other % 3 == 0].accept(
                f"check {len(self.checking)}/{one}/{other}", worker, f"page-{one}-{other}"
            )
        except Refused:
            return
        if (made.id, worker) not in self.checking and made.place is not None:
            self.checking.append((made.id, worker))
            for item in range(other % 5):
                self.vote(-1, one + item)

    def vote(self, one: int, other: int) -> None:
        if self.checking:
            assignment, _ = self.checking[one % len(self.checking)]
            items = self.validating.state(assignment).items
            item = items[other % len(items)].item
            text = passage(int(item.context_id.removeprefix("story/"))).text
            said = {"answer": None if other % 4 == 3 else span(SPANS[other % len(SPANS)], text)}
            try:
                self.validating.vote(assignment, item.id, f"key {one}/{other}", said)
            except Refused:  # somebody else took the HIT
                return
            self.answered.add(item.id)

    def hand_in_checks(self, one: int, other: int) -> None:
        if self.checking:
            leave = self.validating.release if other % 3 == 0 else self.validating.finish
            leave(self.checking.pop(one % len(self.checking))[0])

    def review(self, one: int, other: int) -> None:
        reviewer = REVIEWERS[one % len(REVIEWERS)]
        queue = self.reviewing.queue(reviewer)
        if queue:
            chosen = queue[other % len(queue)].assignment.id
            if one % 3 == 0:
                self.reviewing.reject(chosen, reviewer, "no question at all")
            else:
                self.reviewing.accept(chosen, reviewer)

    def undo(self, one: int, other: int) -> None:
        reviewer = REVIEWERS[one % len(REVIEWERS)]
        mine = [sampled for sampled in self.reviewing.queue(reviewer) if sampled.mine is not None]
        if mine:
            self.reviewing.undo(mine[other % len(mine)].assignment.id, reviewer)

    def revoke(self, one: int, other: int) -> None:
        self.workforce.revoke(WORKERS[one % len(WORKERS)], REVIEWERS[other % 2], "too many rejections")

    def reinstate(self, one: int, other: int) -> None:
        revoked = sorted(self.store.standings.discarded("pilot"))
        if revoked:
            self.workforce.reinstate(revoked[one % len(revoked)], REVIEWERS[other % 2], "a mistake")

    def validators_know_nothing_and_check_others_work_once(self) -> None:
        """Invariant 4, of what is stored and of what the pages of all open HITs hold."""
        snapshot = self.store.validations.snapshot("pilot")
        writers = {question.attempt_id: question.writer for question in snapshot.outcomes}
        pairs = [
            (placed.item.attempt_id, placed.worker)
            for placed in snapshot.placed
            if placed.vote is not None and placed.counts
        ]
        asked = [pair for pair in pairs if pair[0] is not None]
        assert len(asked) == len(set(asked))
        for placed in snapshot.placed:
            if placed.item.attempt_id is not None:
                assert placed.worker != writers[placed.item.attempt_id]
        for assignment, _ in self.checking:
            material, state = page_material(self.validating, assignment), self.validating.state(assignment)
            sent = json.dumps([material, page_validation(state)])
            assert not any(word in sent for word in ("RAW", MODEL_SECRET, 'a bridge"'))
            assert set(material) == {"hit", "contexts", "items"}
            assert all(set(item) == {"id", "context_id", "work"} for item in material["items"])
            assert all(set(context) == {"id", "title", "text"} for context in material["contexts"])
            answers = page_validation(state)["votes"]
            assert answers == {each.item.id: dict(each.vote.vote) for each in state.items if each.vote is not None}
            assert answers.keys() <= self.answered

    def only_what_counts_or_was_released_is_paid_and_once(self) -> None:
        decisions = self.store.pay_decisions.last()
        held = {each.assignment.id: each for each in held_back(Paid(self.store, "pilot", TARIFFS))}
        paid = PaidWork.read(Paid(self.store, "pilot", TARIFFS))
        names = [each.id for each in paid.assignments]
        assert len(names) == len(set(names))
        keys = [one.key for one in paid.owed()]
        assert len(keys) == len(set(keys))
        released = {name for name, each in held.items() if each.decision is not None and each.decision.pays}
        assert released <= {name for name, decision in decisions.items() if decision.pays}
        counting = {each.id for each in self.store.assignments.confirmed("pilot")}
        assert set(names) == (counting - held.keys()) | released
        for name in released:
            assert held[name].reason not in (ANOTHER_WORKERS, ANOTHER_HITS)
        empty = {
            each.id
            for each in self.store.assignments.confirmed("pilot", Stage.WRITING)
            if not self.writing.state(each.id).attempts
        }
        assert empty <= held.keys()

    def export(self, out: Path) -> dict[str, bytes]:
        campaign = BoundCampaign.open(self.store, self.campaign.id)
        with CampaignOutcomes.recorded(campaign) as findings:
            export_campaign(findings.placement, out)
            subject = subject_of(findings)
        assert verify(out).faults == []
        page = report_page(subject.title, subject.introduction, subject.sections)
        (out / "report.html").write_text(page, encoding="utf-8")
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


ACTS: dict[str, Callable[[Play, int, int], None]] = {
    name: getattr(Play, name)
    for name in (
        "take", "ask", "retract", "hand_in", "check", "vote", "hand_in_checks", "confirm",
        "set_aside", "decide", "review", "undo", "revoke", "reinstate",
    )
}  # fmt: skip
NUMBERS = st.integers(0, 59)
USUAL = ["take", "hand_in", "confirm", "check", "vote", "hand_in_checks", "confirm"]
PLOTS = st.lists(st.tuples(st.sampled_from([*ACTS, *USUAL]), NUMBERS, NUMBERS), max_size=50)
LIVELY = [
    *(("take", number, 11 * number) for number in range(24)),
    ("retract", 2, 0),
    *(("hand_in", 0, 0) for _ in range(23)),
    *(("confirm", 0, 0) for _ in range(21)),
    ("set_aside", 0, 1),
    *(("check", number % 6, 4 + 5 * number) for number in range(30)),
    *(("vote", number, number) for number in range(90)),
    *(("hand_in_checks", 0, 1) for _ in range(22)),
    *(("confirm", 0, 0) for _ in range(20)),
    ("set_aside", 0, 0),
    ("set_aside", 1, 1),
    *(("decide", number, number) for number in range(4)),
    *(("review", number, number) for number in range(9)),
    ("undo", 0, 0),
    ("revoke", 2, 0),
    ("revoke", 3, 1),
    ("reinstate", 0, 0),
]


def check_what_is_known_and_paid(play: Play) -> None:
    play.validators_know_nothing_and_check_others_work_once()
    play.only_what_counts_or_was_released_is_paid_and_once()


@contextmanager
def played(
    plot: list[tuple[str, int, int]], folder: Path, after_each: Callable[[Play], None] = lambda _: None
) -> Iterator[Play]:
    """The campaign after all acts of the plot. `after_each` act it is looked at."""
    folder.mkdir()
    play = Play(folder)
    try:
        for act, one, other in plot:
            ACTS[act](play, one, other)
            after_each(play)
        yield play
    finally:
        play.store.close()


def records(files: dict[str, bytes], name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[name].decode().split("\n") if line]


def readable(files: dict[str, bytes]) -> str:
    """All that a reader of the exported files sees, compressed or not."""
    texts = []
    for name, content in files.items():
        if name.endswith(".parquet"):
            texts.append(str(pyarrow.parquet.read_table(pa.BufferReader(content)).to_pylist()))
        else:
            texts.append(content.decode(errors="replace"))
    return "\n".join(texts)


@settings(max_examples=examples(4, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(PLOTS)
@example(LIVELY)
def test_invariants_4_to_7_hold(plot: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with played(plot, folder / "first", check_what_is_known_and_paid) as play:
            files, again = play.export(folder / "one"), play.export(folder / "two")
            parts_are_separate_and_hold_what_they_may(play, files)
            the_course_ends_with_the_rates_of_the_report(play)
        with played(plot, folder / "second") as replay:
            replayed = replay.export(folder / "three")
    assert files == again
    assert "RAW" not in readable(files)
    # They say when something happened, have salts that nobody can guess, or checksums of such files.
    timed = ("attempts", "votes", "README", "SHA256SUMS", "ROWS", "transcript", "croissant", "report.html")
    for path in files.keys() - {path for path in files if any(word in path for word in timed)}:
        assert files[path] == replayed[path], path


def the_course_ends_with_the_rates_of_the_report(play: Play) -> None:
    campaign = BoundCampaign.open(play.store, play.campaign.id)
    part_of = parts_of(campaign)
    hits = tried_hits(campaign, part_of)
    course, errors = course_of(hits), reported(campaign)
    assert course.errors.rates == errors.rates
    assert (sorted(course.errors.tries), sorted(course.errors.seconds)) == (
        sorted(errors.tries),
        sorted(errors.seconds),
    )
    for step in course.steps[-1:]:
        assert {name: (rate.beaten, rate.attempts) for name, rate in step.until_then.items()} == errors.rates
        assert {name: rate.share for name, rate in step.until_then.items()} == {
            name: share.bounded for name, share in errors.shares.items()
        }
    splits = {each.record.number: each.splits.values() for each in splits_by_round(campaign, part_of, hits, ())}
    for known in figures_by_round(campaign):
        of = splits[known.number]
        assert [sum(each.hits for each in of), sum(each.hits_submitted for each in of)] == [
            known.hits,
            known.hits_submitted,
        ]
        assert [sum(each.errors.errors for each in of), sum(each.errors.attempts for each in of)] == [
            known.fooled,
            known.attempts,
        ]
    checked = sum((each.checked for of in splits.values() for each in of), Totals())
    assert replace(checked, votes_saved=0) == replace(AdjudicatedWorks(campaign).totals, votes_saved=0)
    models = [each.errors for each in models_of(campaign, hits)]
    for name, known_rate in errors.rates.items():
        assert tuple(map(sum, zip((0, 0), *(each.rates[name] for each in models), strict=True))) == known_rate


def parts_are_separate_and_hold_what_they_may(play: Play, files: dict[str, bytes]) -> None:
    """Invariant 5, and that the exported parts are those of people's votes and standings."""
    attempts = records(files, "attempts.jsonl")
    by_context: dict[str, set[tuple[str, int]]] = {}
    in_a_part = [row for row in attempts if row["part"] is not None]
    assert all(row["dropped"] in EXCLUDED for row in attempts if row["part"] is None)
    for row in in_a_part:
        by_context.setdefault(row["context"], set()).add((row["part"], row["round"]))
    assert all(len(places) == 1 for places in by_context.values())
    exclusive = pseudonym(EXCLUSIVE, play.campaign)
    assert {row["part"] for row in in_a_part if row["worker"] == exclusive} <= {"test"}
    revoked = {pseudonym(worker, play.campaign) for worker in play.store.standings.discarded("pilot")}
    assert revoked.isdisjoint(row["worker"] for row in in_a_part)
    assert {row["attempt_id"] for row in attempts} == {
        each.attempt.id for each in play.store.attempts.of_campaign("pilot")
    }
    kept = {row["attempt_id"]: row for row in attempts if row["dropped"] is None}
    assert {row["assignment"] for row in kept.values()} <= {
        each.id for each in play.store.assignments.confirmed("pilot", Stage.WRITING)
    }
    confirmed = {
        pseudonym(each.worker, play.campaign) for each in play.store.assignments.confirmed("pilot", Stage.VALIDATION)
    }
    assert {vote["worker"] for row in attempts for vote in row["votes"]} <= confirmed
    votes = records(files, "votes.jsonl")
    for row in attempts:
        assert sorted(told(vote, vote["counts"]) for vote in row["votes"]) == sorted(
            told(vote, vote["dropped"] is None)
            for vote in votes
            if row["validation"] and vote["attempt_id"] == row["attempt_id"] and vote["dropped"] in (None, "unsound")
        )
    assert all(row["fooled"] and not row["retracted"] for row in kept.values())
    voted_on = {row["round"] for row in attempts if row["votes"]}
    checked = [row for row in kept.values() if row["part"] in CHECKED_PARTS and row["round"] in voted_on]
    assert all(row["validation"] == "valid" for row in checked)
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(play.store, play.campaign.id), every_work=True) as findings:
        settled = [each for each in findings.outcomes.values() if each.adjudication.settled]
        figures = findings.figures
    works = AdjudicatedWorks(BoundCampaign.open(play.store, play.campaign.id))
    totals = works.totals
    assert (totals.settled, totals.kept) == (len(settled), sum(each.adjudication.kept for each in settled))
    assert (totals.votes, totals.votes_saved) == (figures.votes, figures.votes_saved)
    checking_by_round = {number: desk.checking for number, desk in enumerate(play.desks, start=1)}
    snapshot = play.store.validations.snapshot("pilot")
    assert {work.attempt_id: work.adjudication for work in snapshot.outcomes} == recounted(
        play.store, "pilot", checking_by_round
    )
    assert works.discarded_writers == discarded_writers(findings.outcomes.values(), checking_by_round)
    wanted = {need.attempt_id for desk in play.desks for need in desk.needs() if need.wanted}
    open_rows = (row for row in in_a_part if row["fooled"] and not row["retracted"] and row["part"] in CHECKED_PARTS)
    assert {row["attempt_id"] for row in open_rows if row["validation"] in (None, "undecided")} <= wanted
    assert not any(row["validation"] == "invalid" for row in attempts if row["attempt_id"] in wanted)
    exported = {part: {row["id"] for row in records(files, f"jsonl/{part}.jsonl")} for part in PARTS}
    assert {name: part for part, names in exported.items() for name in names} == {
        name: row["part"] for name, row in kept.items()
    }


def told(vote: dict[str, Any], counts: bool) -> tuple[str, str, bool, bool]:
    return vote["worker"], json.dumps(vote["vote"]), vote["agrees"], counts


def test_a_lively_campaign_tests_all_of_it(tmp_path: Path) -> None:
    """The example that always runs has questions in all parts, votes of all kinds, and discards."""
    with played(LIVELY, tmp_path / "store") as play:
        files = play.export(tmp_path / "out")
        assert play.store.standings.discarded("pilot")
        decisions, held = play.store.pay_decisions.last(), held_back(Paid(play.store, "pilot", TARIFFS))
    attempts = records(files, "attempts.jsonl")
    assert {row["part"] for row in attempts if row["dropped"] is None} == set(PARTS)
    assert {row["validation"] for row in attempts} >= {"valid", None}
    assert {row["dropped"] for row in attempts} >= {None, "model_right", "retracted", "discarded", "set_aside"}
    assert {row["dropped"] for row in records(files, "votes.jsonl")} >= {None, "discarded"}
    assert {decision.pays for decision in decisions.values()} == {True, False}
    assert {each.cause for each in held} >= {Cause.EMPTY, Cause.SET_ASIDE, Cause.NOT_HANDED_IN}
