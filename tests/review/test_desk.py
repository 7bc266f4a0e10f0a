"""What reviewers see and do: everything that was written, blindly; verdicts, standings, and a log of it all."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from beat_the_ai.errors import Unanswered
from beat_the_ai.review import Door, ReviewDesk, build_app
from beat_the_ai.review.newcomers import newcomers
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import GateRequest, Reviewing, Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.review.builders import GOOD, HOSTILE, NEWCOMER, PASSAGE, PASSWORD, SCRIPT, SLOPPY, hand_in, vote
from tests.review.conftest import Clock, Reviewer
from tests.store.builders import NEW_YEAR, campaign


def worker(reviewer: Reviewer, name: str) -> dict[str, Any]:
    [found] = [one for one in reviewer.get("/api/workers")["workers"] if one["worker"] == name]
    assert isinstance(found, dict)
    return found


def actions(store: Store) -> list[tuple[str, str, str]]:
    """Oldest first, without the signing in."""
    entries = [one for one in store.audit.entries() if not one.action.startswith("sign")]
    return [(one.who, one.action, one.subject) for one in reversed(entries)]


def test_the_overview_has_every_worker_with_what_waits(ann: Reviewer) -> None:
    told = ann.get("/api/overview")
    assert (told["words"]["work"], told["words"]["context"]) == ("question", "passage")
    assert "The marked answer is wrong." in told["words"]["faults"]
    assert (told["campaign"], told["threshold"], told["candidates"]) == ("pilot", 0.8, 1)
    seen = {
        one["worker"]: (one["completed"], one["sampled"], one["to_judge"]) for one in ann.get("/api/workers")["workers"]
    }
    assert seen == {GOOD: (10, 6, 6), SLOPPY: (10, 6, 6), HOSTILE: (1, 1, 1), NEWCOMER: (0, 0, 0)}


def test_a_hit_has_everything_written_and_tried(ann: Reviewer) -> None:
    hit = ann.sampled(SLOPPY)[0]
    assert hit["context"]["text"] == PASSAGE
    assert hit["feedback"] == "too long"
    taken_back, kept = hit["attempts"]
    assert (taken_back["fooled"], taken_back["retracted_at"] is not None) == (False, True)
    assert kept["work"] == {
        "question": "asdf qwrtzx pflmk?",
        "answer": {"text": "1871", "start": PASSAGE.index("1871")},
    }
    assert (kept["prediction"]["text"], kept["scores"], kept["model"]) == ("1902", {"f1": 0.0}, "bidaf-small")
    assert kept["telemetry"]["pasted_chars"] == 40
    assert {"pasted", "repeats_own"} <= {
        item["kind"] for one in ann.sampled(SLOPPY) for item in one["attempts"][1]["evidence"]
    }
    [first, second] = ann.sampled(HOSTILE)[0]["attempts"]
    assert second["flag"] == {"reason": "other", "note": SCRIPT}
    assert (first["suggestion"], second["suggestion"]) == (None, {"model": SCRIPT, "edited": True, "distance": 4})


def test_a_hit_that_was_handed_in_without_a_question_says_so(ann: Reviewer, store: Store) -> None:
    context = Context("empty/0", PASSAGE)
    [hit] = store.campaigns.offer("pilot", [context], round_number=1, slots=1)
    empty = store.attempts.accept(hit, "A9EMPTY", "r9", NEW_YEAR)[0]
    store.assignments.submit(empty.id, None, NEW_YEAR + timedelta(seconds=2))
    Reviewing(BoundCampaign.open(store, "pilot")).draw()
    [shown] = ann.sampled("A9EMPTY")
    assert [(item["kind"], item["strength"]) for item in shown["evidence"]] == [("empty", 1.0)]
    assert ann.sampled(GOOD)[0]["evidence"] == []


def test_validators_votes_stand_with_the_question(ann: Reviewer, store: Store) -> None:
    hit = ann.sampled(GOOD)[0]
    vote(store, hit["attempts"][1]["id"])
    taken_back, kept = ann.sampled(GOOD)[0]["attempts"]
    assert kept["votes"] == [{"worker": "A9VALID", "answerable": False, "reason": SCRIPT}]
    assert taken_back["votes"] == []


def test_a_verdict_is_told_with_the_new_accuracy_and_can_be_taken_back(ann: Reviewer) -> None:
    [hit] = ann.sampled(HOSTILE)
    told = ann.judge(hit["assignment"], "reject", "markup instead of a question")
    assert (told["mine"]["verdict"], told["mine"]["reason"]) == ("reject", "markup instead of a question")
    seen = told["worker"]
    assert (seen["accuracy"], seen["recommended"], seen["to_judge"]) == (0.0, True, 0)
    assert seen == worker(ann, HOSTILE)
    told = ann.judge(hit["assignment"], "undo")
    assert told["mine"] is None
    assert worker(ann, HOSTILE)["accuracy"] is None
    ann.judge(hit["assignment"], "undo", status=409)


@pytest.mark.parametrize("reason", ["", "  ", "\u202eevil", "<b>", "x" * 1001])
def test_a_rejection_needs_a_reason_in_plain_text(ann: Reviewer, store: Store, reason: str) -> None:
    [hit] = ann.sampled(HOSTILE)
    ann.judge(hit["assignment"], "reject", reason, status=400)
    assert store.reviews.of_campaign("pilot") == []


def test_reviewers_are_blind_until_both_have_judged(ann: Reviewer, bob: Reviewer) -> None:
    [hit] = ann.sampled(HOSTILE)
    ann.judge(hit["assignment"], "reject", "a telling reason")
    [seen] = bob.sampled(HOSTILE)
    assert (seen["mine"], seen["others"], seen["judged_by_others"]) == (None, [], True)
    of_worker = worker(bob, HOSTILE)
    assert (of_worker["accuracy"], of_worker["recommended"], of_worker["judged_by_others"]) == (None, False, 1)
    for path in ("/api/overview", "/api/workers", f"/api/worker?id={HOSTILE}", "/api/log", "/api/candidates"):
        assert "a telling reason" not in bob.http.get(path).text
        assert "reject" not in bob.http.get(path).text
    told = bob.judge(hit["assignment"], "accept")
    assert [(one["reviewer"], one["verdict"]) for one in told["others"]] == [("ann", "reject")]
    [seen] = ann.sampled(HOSTILE)
    assert [(one["reviewer"], one["verdict"]) for one in seen["others"]] == [("bob", "accept")]
    assert {entry["action"] for entry in bob.get("/api/log")["entries"]} >= {"reject", "accept"}
    agreement = bob.get("/api/overview")["agreement"]
    assert (agreement["units"], agreement["percent"]) == (1, 0.0)


def test_whoever_looks_at_all_results_is_in_the_log(ann: Reviewer, bob: Reviewer, store: Store) -> None:
    [hit] = ann.sampled(HOSTILE)
    ann.judge(hit["assignment"], "reject", "no question")
    bob.post("/api/results", {"all": True})
    assert bob.get("/api/session")["sees_all"] is True
    assert worker(bob, HOSTILE)["recommended"] is True
    assert bob.sampled(HOSTILE)[0]["others"] == []
    bob.post("/api/results", {"all": False})
    assert worker(bob, HOSTILE)["recommended"] is False
    assert actions(store)[-2:] == [("bob", "see_all_results", ""), ("bob", "see_own_results", "")]


def test_consequences_are_spelled_out_and_a_revocation_is_typed(ann: Reviewer, store: Store) -> None:
    ann.reject_all(SLOPPY)
    effect = ann.get(f"/api/worker?id={SLOPPY}")["consequences"]
    assert (effect["hits"], effect["attempts"], effect["wins"]) == (10, 20, 10)
    change = {"worker": SLOPPY, "change": "revoke", "reason": "gibberish"}
    ann.post("/api/standings", change, 400)
    ann.post("/api/standings", {**change, "confirmation": SLOPPY.lower()}, 400)
    assert store.standings.discarded("pilot") == set()
    told = ann.post("/api/standings", {**change, "confirmation": SLOPPY})
    assert (told["standing"], told["by"], told["reason"]) == ("revoked", "ann", "gibberish")
    assert {row.assignment.worker for row in store.attempts.kept("pilot")} == {GOOD, HOSTILE}
    ann.post("/api/standings", {"worker": SLOPPY, "change": "reinstate", "reason": "a mistake"})
    assert store.standings.discarded("pilot") == set()
    history = [event["standing"] for event in ann.get(f"/api/worker?id={SLOPPY}")["history"]]
    assert history == ["revoked", "qualified"]


def test_a_candidates_screening_is_shown_and_decided(ann: Reviewer, store: Store) -> None:
    [candidate] = ann.get("/api/candidates")["candidates"]
    screening = candidate["screening"]
    assert (candidate["worker"], candidate["standing"]["standing"]) == (NEWCOMER, "candidate")
    assert screening["outcome"] == "passed"
    assert [(step["step"], step["mistake"]) for step in screening["steps"]] == [
        ("question-1", "not_a_question"),
        ("question-1", None),
    ]
    assert screening["context"]["text"] == PASSAGE
    assert [one["fooled"] for one in screening["attempts"]] == [False, True]
    told = ann.post("/api/standings", {"worker": NEWCOMER, "change": "grant", "reason": ""})
    assert told["standing"] == "qualified"
    ann.post("/api/standings", {"worker": NEWCOMER, "change": "refuse", "reason": "too late"}, 409)
    [candidate] = ann.get("/api/candidates")["candidates"]
    assert candidate["standing"]["standing"] == "qualified"
    assert ("ann", "grant", NEWCOMER) in actions(store)


def test_a_candidate_is_refused_with_a_reason(ann: Reviewer) -> None:
    ann.post("/api/standings", {"worker": NEWCOMER, "change": "refuse", "reason": ""}, 400)
    told = ann.post("/api/standings", {"worker": NEWCOMER, "change": "refuse", "reason": "copied"})
    assert told["standing"] == "revoked"
    ann.post("/api/standings", {"worker": NEWCOMER, "change": "grant", "reason": ""}, 409)


def test_what_is_done_is_in_the_log_before_and_what_failed_after(ann: Reviewer, store: Store) -> None:
    [hit] = ann.sampled(HOSTILE)
    name = hit["assignment"]
    ann.judge(name, "accept")
    ann.judge(name, "undo")
    ann.judge(name, "undo", status=409)
    ann.post("/api/standings", {"worker": GOOD, "change": "reinstate", "reason": "why not"}, 409)
    told = [("ann", "accept", name), ("ann", "undo", name), ("ann", "undo", name), ("ann", "undo_failed", name)]
    assert actions(store) == [*told, ("ann", "reinstate", GOOD), ("ann", "reinstate_failed", GOOD)]
    assert ann.get("/api/log")["entries"][1]["note"] == "why not"
    ann.judge(name, "reject", "no question")
    assert ann.get("/api/log")["entries"][0]["note"] == f"HIT of {HOSTILE}: no question"


def test_a_long_log_is_read_in_parts(ann: Reviewer, store: Store, clock: Clock) -> None:
    for number in range(150):
        store.audit.add(clock(), "cli", "account_added", str(number))
    first = ann.get("/api/log")
    second = ann.get(f"/api/log?before={first['before']}")
    assert [entry["subject"] for entry in first["entries"]] == [str(number) for number in range(149, 49, -1)]
    assert [entry["subject"] for entry in second["entries"][:50]] == [str(number) for number in range(49, -1, -1)]
    assert second["before"] is None
    ann.get("/api/log?before=1;--", 400)


@dataclass
class SilentGate:
    """A marketplace that answers nothing."""

    asked: list[str] = field(default_factory=list)

    def _silent(self, worker: str) -> Any:
        self.asked.append(worker)
        raise Unanswered("the marketplace does not answer")

    grant = withdraw = holds = _silent

    def holders(self) -> set[str]:
        return set()

    def blocked(self) -> set[str]:
        return set()

    def requests(self) -> list[GateRequest]:
        raise Unanswered("the marketplace does not answer")

    def reject(self, request: GateRequest) -> None:
        raise AssertionError(f"nobody could have seen {request}")

    def tell(self, worker: str, subject: str, text: str) -> bool:
        raise Unanswered("the marketplace does not answer")


def test_a_marketplace_that_does_not_follow_is_told(store: Store, clock: Clock, tmp_path: Path) -> None:
    desk = ReviewDesk(
        BoundCampaign.open(store, "pilot"), Workforce(BoundCampaign.open(store, "pilot"), SilentGate()), clock=clock
    )
    ann = Reviewer(TestClient(build_app(desk, Door(store, clock), tmp_path)))
    assert ann.sign_in("ann", PASSWORD) == 200
    ann.get("/api/overview")
    ann.reject_all(SLOPPY)
    told = ann.decide(SLOPPY, "revoke")
    assert (told["standing"], told["answer"]) == ("revoked", "unanswered")
    assert "does not answer" in told["answer_note"]
    assert "does not answer" in ann.get("/api/requests", 502)["error"]["message"]
    ann.get("/api/overview")
    ann.get("/api/candidates")
    ann.http.close()


TASK = {"kind": "own.py:kind", "page": "main", "title": "Ask", "description": "", "keywords": ""}


def test_a_kind_of_ones_own_is_reviewed_with_the_options_of_its_round(store: Store, tmp_path: Path) -> None:
    """Without its options there is no such kind."""
    (tmp_path / "own.py").write_text(
        "from dataclasses import replace\n"
        "from beat_the_ai.rules.registry import bind\n"
        "def kind(options, rules, language):\n"
        "    usual = bind('reading_comprehension')\n"
        "    return replace(usual, words=replace(usual.words, works=options['works']))\n"
    )
    config = {"crowd": {"provider": "mock", "requester": "me"}, "task_dir": str(tmp_path)}
    own = campaign("own", task="own.py:kind", config=config)
    store.campaigns.create(own, {"round": ROUND, "pay": PAY, "task": {**TASK, "options": {"works": "riddles"}}})
    hand_in(store, SLOPPY, 0, "asdf qwrtzx pflmk?", "1871", campaign_id="own")
    desk = ReviewDesk(BoundCampaign.open(store, "own"), Workforce(BoundCampaign.open(store, "own")))
    assert desk.overview("ann").words.works == "riddles"
    [hit] = desk.worker("ann", SLOPPY, sees_all=False).hits
    assert hit.attempts
    assert newcomers(BoundCampaign.open(store, "own")) == ()
