"""The inbox: who answers what, what an upheld appeal changes, and what is left after a crash or a race."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from beat_the_ai.errors import Refused, Unanswered
from beat_the_ai.review import ReviewDesk
from beat_the_ai.review import Reviewer as Acting
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Letter, LetterAnswer, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.round import LanguageSettings
from beat_the_ai.workforce import Reviewing, Standing, Workforce
from beat_the_ai.workforce.verdicts import accepted, standing_reviews
from tests.review.builders import GOOD, NEWCOMER, SCRIPT, SLOPPY
from tests.review.conftest import Clock, Reviewer

ANN = Acting("ann", Role.LEAD)


@dataclass
class Post:
    """A worker who writes, without the page."""

    store: Store
    clock: Clock
    letters: list[Letter] = field(default_factory=list)

    def write(self, worker: str, kind: str = "message", subject: str = "", text: str = "When am I paid?") -> str:
        name, at = f"letter{len(self.letters)}", self.clock()
        due_at = at + timedelta(days=7 + len(self.letters))
        self.letters.append(self.store.letters.write(Letter(name, "pilot", worker, kind, subject, text, at, due_at)))
        return name

    def appeal(self, worker: str = SLOPPY) -> tuple[str, str]:
        """Appeal a HIT that ann has rejected: `(letter, assignment)`."""
        reviewing = Reviewing(BoundCampaign.open(self.store, "pilot"), self.clock)
        assignment = reviewing.queue("ann", worker)[0].assignment.id
        reviewing.reject(assignment, "ann", "no question")
        return self.write(worker, "rejection", assignment), assignment

    def verdicts(self, assignment: str) -> dict[str, Any]:
        return standing_reviews(self.store.reviews.of_campaign("pilot", assignment)).get(assignment, {})


@pytest.fixture
def post(store: Store, clock: Clock) -> Post:
    return Post(store, clock)


def answer(who: Reviewer, letter: str, text: str = "Soon.", *, upheld: bool | None = None, status: int = 200) -> Any:
    return who.post("/api/answers", {"letter": letter, "text": text, "upheld": upheld}, status)


def test_whoever_reviews_answers_messages_and_leads_decide_appeals(post: Post, ann: Reviewer, cal: Reviewer) -> None:
    message, (appeal, _) = post.write(GOOD, text=SCRIPT), post.appeal()
    assert [one["id"] for one in ann.get("/api/letters")["waiting"]] == [message, appeal]
    assert [one["id"] for one in cal.get("/api/letters")["waiting"]] == [message]
    assert (ann.get("/api/overview")["letters"], cal.get("/api/overview")["letters"]) == (2, 1)
    left = answer(cal, message)
    assert left["waiting"] == []
    [answered] = left["answered"]
    assert answered["text"] == SCRIPT
    assert answered["answer"] | {"at": ""} == {"by": "cal", "text": "Soon.", "upheld": None, "at": "", "told": False}
    answer(cal, appeal, upheld=True, status=403)
    answer(cal, message, "Again", status=409)
    answer(cal, "another", status=404)


@pytest.mark.parametrize("text", ["", " ", "x" * 2_001, "a\u202eb", SCRIPT])
def test_an_answer_is_plain_text(post: Post, ann: Reviewer, text: str) -> None:
    answer(ann, post.write(GOOD), text, status=400)
    assert len(ann.get("/api/letters")["waiting"]) == 1


def test_an_appeal_needs_a_decision_and_a_message_has_none(post: Post, bob: Reviewer) -> None:
    message, (appeal, _) = post.write(GOOD), post.appeal()
    answer(bob, message, upheld=True, status=400)
    answer(bob, appeal, upheld=None, status=400)


def test_another_lead_takes_a_rejection_back_for_good(post: Post, store: Store, ann: Reviewer, bob: Reviewer) -> None:
    appeal, assignment = post.appeal()
    [seen] = ann.get("/api/letters")["waiting"]
    assert seen["assignment"] == assignment
    assert seen["decided_by"] == [{"by": "ann", "reason": "no question"}]
    assert "Another lead decides the appeal: bob" in seen["not_yours"]
    assert bob.get("/api/letters")["waiting"][0]["not_yours"] is None
    answer(ann, appeal, upheld=True, status=409)
    assert "Another lead" in store.audit.entries(None, 1)[0].note
    answer(bob, appeal, "It is a question,\nindeed.", upheld=True)
    assert list(post.verdicts(assignment)) == ["bob"]
    assert accepted(post.verdicts(assignment).values())
    assert post.verdicts(assignment)["bob"].reason == "Appeal upheld: It is a question, indeed."
    ann.judge(assignment, "reject", "no!", 409)
    ann.judge(assignment, "accept")
    entry = next(one for one in store.audit.entries(None, 10) if one.action == "uphold")
    assert (entry.who, entry.subject, entry.note) == ("bob", appeal, f"appeal about HIT {assignment} of {SLOPPY}")


def test_what_is_not_upheld_stands(post: Post, ann: Reviewer, bob: Reviewer) -> None:
    appeal, assignment = post.appeal()
    answer(bob, appeal, "It is none.", upheld=False)
    assert list(post.verdicts(assignment)) == ["ann"]
    assert not accepted(post.verdicts(assignment).values())
    ann.judge(assignment, "reject", "none at all")


def test_a_single_lead_decides_alone(post: Post, store: Store, ann: Reviewer, clock: Clock) -> None:
    store.accounts.remove("bob", clock())
    appeal, assignment = post.appeal()
    answer(ann, appeal, upheld=True)
    assert accepted(post.verdicts(assignment).values())


def test_an_upheld_refusal_lets_the_newcomer_wait_again(post: Post, store: Store, ann: Reviewer, bob: Reviewer) -> None:
    ann.decide(NEWCOMER, "refuse")
    workforce = Workforce(BoundCampaign.open(store, "pilot"))
    event = workforce.history(NEWCOMER)[-1]
    appeal = post.write(NEWCOMER, "standing", str(event.id))
    answer(ann, appeal, upheld=True, status=409)
    answer(bob, appeal, upheld=True)
    assert workforce.standing(NEWCOMER) is Standing.CANDIDATE
    assert workforce.history(NEWCOMER)[-1].reason == "Appeal upheld: Soon."


def test_neither_who_proposed_nor_who_confirmed_a_revocation_decides_its_appeal(
    post: Post, store: Store, ann: Reviewer, bob: Reviewer
) -> None:
    ann.decide(GOOD, "propose")
    bob.decide(GOOD, "confirm")
    workforce = Workforce(BoundCampaign.open(store, "pilot"))
    post.write(GOOD, "standing", str(workforce.history(GOOD)[-1].id))
    for lead in (ann, bob):
        [seen] = lead.get("/api/letters")["waiting"]
        assert {one["by"] for one in seen["decided_by"]} == {"ann", "bob"}
        assert seen["not_yours"] is None  # there is nobody else


def test_a_letter_whose_answer_had_not_taken_effect_is_done_to_the_end(
    post: Post, store: Store, bob: Reviewer, clock: Clock
) -> None:
    appeal, assignment = post.appeal()
    store.letters.answer(store.letters.get("pilot", appeal), LetterAnswer("bob", "Yes.", True, clock()))
    [seen] = bob.get("/api/letters")["waiting"]
    assert seen["answer"]["text"] == "Yes."
    answer(bob, appeal, "Something else", upheld=False)
    assert list(post.verdicts(assignment)) == ["bob"]
    assert bob.get("/api/letters")["answered"][0]["answer"]["text"] == "Yes."


def test_a_deadline_that_is_over_is_shown(post: Post, ann: Reviewer, clock: Clock) -> None:
    post.write(GOOD)
    assert not ann.get("/api/letters")["waiting"][0]["overdue"]
    clock.advance(days=7, seconds=1)
    ann.sign_in("ann")
    assert ann.get("/api/letters")["waiting"][0]["overdue"]


@dataclass
class ToldGate:
    """A crowd that takes messages, or not."""

    answers: bool | None
    sent: list[tuple[str, str, str]] = field(default_factory=list)

    def holds(self, _worker: str) -> bool:
        return False

    def tell(self, worker: str, subject: str, text: str) -> bool:
        if self.answers is None:
            raise Unanswered("no answer")
        self.sent.append((worker, subject, text))
        return self.answers


def test_whoever_is_shut_out_is_told_where_to_appeal_and_not_why(store: Store, clock: Clock) -> None:
    gate, bound = ToldGate(answers=True), BoundCampaign.open(store, "pilot")
    desk = ReviewDesk(bound, Workforce(bound, gate, clock=clock), clock=clock)  # type: ignore[arg-type]
    store.letters.keep_address("pilot", "https://work.example.org")
    desk.change_standing(ANN, SLOPPY, "revoke", "gibberish", SLOPPY)
    desk.change_standing(Acting("bob", Role.LEAD), SLOPPY, "confirm", "", SLOPPY)
    [(worker, subject, text)] = gate.sent
    assert (worker, subject) == (SLOPPY, "You may appeal")
    assert "until 2026-01-31 00:00 UTC: https://work.example.org/letters/" in text
    assert "gibberish" not in text


def test_workers_are_answered_in_the_language_of_the_campaigns_pages(post: Post, store: Store, clock: Clock) -> None:
    bound = BoundCampaign.open(store, "pilot")
    terms = bound.current.terms.model_copy(update={"language": LanguageSettings(pages="de")})
    german = replace(bound, rounds={number: replace(one, terms=terms) for number, one in bound.rounds.items()})
    gate = ToldGate(answers=True)
    desk = ReviewDesk(german, Workforce(german, gate, clock=clock), clock=clock)  # type: ignore[arg-type]
    store.letters.keep_address("pilot", "https://work.example.org")
    desk.answer(ANN, post.write(GOOD), "Morgen.", upheld=None)
    desk.change_standing(ANN, SLOPPY, "revoke", "gibberish", SLOPPY)
    desk.change_standing(Acting("bob", Role.LEAD), SLOPPY, "confirm", "", SLOPPY)
    subjects = [subject for _, subject, _ in gate.sent]
    assert subjects == ["Eine Antwort auf deine Nachricht", "Du kannst Einspruch einlegen"]
    assert gate.sent[0][2].startswith("Zu dem, was du am 2026-01-")
    assert "Du kannst bis 2026-" in gate.sent[1][2]


@pytest.mark.parametrize("answers", [True, False, None])
def test_the_answer_goes_to_the_worker_through_the_crowd(
    post: Post, store: Store, clock: Clock, answers: bool | None
) -> None:
    gate, bound = ToldGate(answers), BoundCampaign.open(store, "pilot")
    desk = ReviewDesk(bound, Workforce(bound, gate), clock=clock)  # type: ignore[arg-type]  # no more is asked of it
    store.letters.keep_address("pilot", "https://work.example.org/")
    letter = post.write(GOOD)
    [answered] = desk.answer(ANN, letter, "Tomorrow.", upheld=None).answered
    assert answered.answer is not None
    assert answered.answer.told is (answers is True)
    if answers is not None:
        [(worker, subject, text)] = gate.sent
        assert (worker, subject) == (GOOD, "An answer to your message")
        assert "Tomorrow." in text
        assert "https://work.example.org/letters/" in text
    with pytest.raises(Refused):
        desk.answer(ANN, letter, "Tomorrow.", upheld=None)
