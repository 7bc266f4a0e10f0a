"""A campaign as a reviewer meets it: a good writer, a sloppy one, one whose texts are hostile, and a newcomer."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import ANOTHER_HITS, Assignment, Attempt, ScreeningResponse, Store, Telemetry
from beat_the_ai.terms.campaign import SCREENING_OF, BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.store.builders import NEW_YEAR, campaign
from tests.store.test_validations import ONE_VOTE

GOOD, SLOPPY, HOSTILE, NEWCOMER, FAILED, DOUBTED = "A1GOOD", "A2SLOPPY", "A3/<b>ILE", "A4NEW", "A5FAILED", "A6DOUBTED"
HELD = "A7HELD"
PROLIFIC: dict[str, Any] = {
    "provider": "prolific",
    "people": "sqlite:///none.db",
    "prolific": {"workspace": "1", "minutes": 5},
}
REASON = (
    "Nothing was written in this HIT: all five questions are empty, and the page was open for twenty seconds. If it "
    "was a fault of ours, please write to us."
)
HITS = 10
PASSWORD = "correct horse battery"
SCRIPT = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
WHY = "Much of this question has been written before."
PASSAGE = (
    "The lighthouse on the northern cape was built in 1871 by the engineer Olga Brandt. Its lamp burned whale oil "
    "until 1902, when the harbour council paid for gas. Keepers climbed 214 steps every evening; the last of them, a "
    "𝄞 player named Tam Orrin, retired in 1964 and left the keys to the museum of the village."
)


def fill(store: Store, **crowd: Any) -> None:
    """Ten HITs of two writers each, one of the third, all handed in."""
    config = {"crowd": {"provider": "mock", "requester": "me", **crowd}}
    store.campaigns.create(replace(campaign(), config=config), {"round": ROUND, "pay": PAY})
    for number in range(HITS):
        hand_in(
            store, GOOD, number, f"Who built what keeper number {number} of the lighthouse looked after?", "Olga Brandt"
        )
        hand_in(store, SLOPPY, number, "asdf qwrtzx pflmk?", "1871", feedback="too long")
    flag = {"flag_reason": "other", "flag_note": SCRIPT}
    made_of = {"id": "s1", "model": SCRIPT, "edited": True, "distance": 4}
    hand_in(store, HOSTILE, 0, SCRIPT, "Tam Orrin", feedback=SCRIPT, suggestion=made_of, **flag)


def hand_in(
    store: Store,
    worker: str,
    number: int,
    question: str,
    answer: str,
    feedback: str | None = None,
    campaign_id: str = "pilot",
    **marks: Any,
) -> str:
    """A submitted HIT: a question that the model got right and was taken back, then one that beat it."""
    context = Context(f"{worker}/{number}", PASSAGE, f"Lighthouses {number}", {"questions": [{"question": "secret"}]})
    [hit] = store.campaigns.offer(campaign_id, [context], round_number=1, slots=1)
    accepted_at = NEW_YEAR + timedelta(hours=number)
    made = store.attempts.accept(hit, worker, f"3X{worker}{number}", accepted_at)[0]
    span = {"text": answer, "start": PASSAGE.index(answer)}
    for ordinal, fooled in ((1, False), (2, True)):
        one = Attempt(
            id=short_hash(made.id, ordinal),
            assignment_id=made.id,
            key=f"key-{ordinal}",
            ordinal=ordinal,
            work={"question": question if fooled else "When was the lighthouse built?", "answer": span},
            prediction={"text": "1902", "start": PASSAGE.index("1902"), "score": 0.41}
            if fooled
            else {**span, "score": 0.9},
            fooled=fooled,
            scores={"f1": 0.0 if fooled else 1.0},
            member="first",
            model_name="bidaf-small",
            model_hash="a" * 64,
            model_precision="fp32",
            created_at=accepted_at + timedelta(seconds=75 * ordinal),
        )
        telemetry = Telemetry(1, 40, 3, 4.0, 2.5) if worker == SLOPPY else None
        store.attempts.add(one, telemetry)
        if not fooled:
            store.attempts.mark(made.id, one.id, retracted_at=one.created_at + timedelta(seconds=20))
        elif marks:
            store.attempts.mark(made.id, one.id, **marks)
    store.assignments.submit(made.id, feedback, accepted_at + timedelta(minutes=4))
    return made.id


def hold(store: Store) -> str:
    """A HIT that a lead decides about, and that the crowd does not have as this work."""
    [hit] = store.campaigns.offer("pilot", [Context("held", PASSAGE, "Held")], round_number=1, slots=1)
    made = store.attempts.accept(hit, HELD, "3Xheld", NEW_YEAR)[0]
    store.assignments.submit(made.id, None, NEW_YEAR + timedelta(minutes=4), awaits_crowd=True)
    store.assignments.set_aside(made.id, ANOTHER_HITS, NEW_YEAR + timedelta(minutes=5))
    return made.id


def doubt(store: Store) -> str:
    """An attempt that waits for a person, with an appeal, in a HIT that goes on."""
    [hit] = store.campaigns.offer("pilot", [Context("doubted", PASSAGE, "Doubted")], round_number=1, slots=1)
    taken = store.attempts.accept(hit, DOUBTED, "3Xdoubted", NEW_YEAR)[0]
    attempt = Attempt(
        id=short_hash("doubted"),
        assignment_id=taken.id,
        key="key",
        ordinal=1,
        work={"question": SCRIPT, "answer": {"text": "Tam Orrin", "start": PASSAGE.index("Tam Orrin")}},
        prediction={"text": "1902", "start": PASSAGE.index("1902"), "score": 0.4},
        fooled=True,
        scores={"f1": 0.0},
        member="first",
        model_name="bidaf-small",
        model_hash="a" * 64,
        model_precision="fp32",
        created_at=NEW_YEAR,
        doubts=[WHY],
        appeal=SCRIPT,
    )
    store.attempts.add(attempt)
    return attempt.id


def draft_often(store: Store, assignment: str, drafts: int) -> None:
    """Drafts of a question that grows, the first with the model's guesses, the others overtaken."""
    for number in range(1, drafts + 1):
        draft = {"answer": "Lighthouse", "text": SCRIPT + "x" * number}
        edit = store.edits.add(assignment, f"edit-{number}", 1, "pause", draft, NEW_YEAR + timedelta(seconds=number))
        if number == 1:
            guesses = [{"page": SCRIPT, "confidence": 0.7}, {"page": "Tam_Orrin", "confidence": 0.3}]
            store.edits.answer(edit, {"guesses": guesses, "rank": 2}, "first", "a" * 64)


def screen(store: Store) -> None:
    """A newcomer has passed the screening: one step at the second try, and a sample HIT in a campaign of its own."""
    store.campaigns.create(campaign("pilot-screening", config={SCREENING_OF: "pilot"}))
    made = hand_in(store, NEWCOMER, 0, "Who left the keys to a museum?", "Tam Orrin", campaign_id="pilot-screening")
    screening = store.screenings.open("pilot", NEWCOMER, made, "d" * 64, NEW_YEAR)
    for ordinal, mistake in ((1, "not_a_question"), (2, None)):
        work = {"question": SCRIPT if mistake else "Who paid for the gas?", "answer": {"text": "council", "start": 9}}
        record = ScreeningResponse(
            id=short_hash(made, "response", ordinal),
            screening_id=screening.id,
            key=f"key-{ordinal}",
            ordinal=ordinal,
            step="question-1",
            work=work,
            mistake=mistake,
            evidence={"f1": 0.5},
            created_at=NEW_YEAR + timedelta(minutes=ordinal),
        )
        store.screenings.add(record)
    store.screenings.submit(made, "passed", NEW_YEAR + timedelta(minutes=9))
    Workforce(BoundCampaign.open(store, "pilot")).enter_screening(NEWCOMER, "3XNEW")


def fail(store: Store, worker: str = FAILED) -> None:
    """A newcomer has used up all tries of the first step, and handed the screening in; `screen` comes before."""
    [hit] = store.campaigns.offer("pilot-screening", [Context(worker, PASSAGE)], round_number=1, slots=1)
    made = store.attempts.accept(hit, worker, f"3X{worker}", NEW_YEAR)[0]
    screening = store.screenings.open("pilot", worker, made.id, "d" * 64, NEW_YEAR)
    for ordinal in (1, 2, 3):
        record = ScreeningResponse(
            id=short_hash(made.id, "response", ordinal),
            screening_id=screening.id,
            key=f"key-{ordinal}",
            ordinal=ordinal,
            step="question-1",
            work={"question": SCRIPT, "answer": {"text": "council", "start": 9}},
            mistake="not_a_question",
            evidence={},
            created_at=NEW_YEAR + timedelta(minutes=ordinal),
        )
        store.screenings.add(record)
    store.assignments.submit(made.id, None, NEW_YEAR + timedelta(minutes=4))
    store.screenings.submit(made.id, "failed", NEW_YEAR + timedelta(minutes=4))


def vote(store: Store, attempt_id: str) -> None:
    """A validator could not answer a question."""
    [row] = [row for row in store.attempts.of_campaign("pilot") if row.attempt.id == attempt_id]
    store.works.ask("pilot", 1, None)
    store.works.adjudicate("pilot", 1, ONE_VOTE)
    name = store.validations.next_id("pilot", "A9VALID")
    made = Assignment(name, "pilot", Stage.VALIDATION, "validation-0", "A9VALID", "3XV", NEW_YEAR)
    assert store.validations.accept(made, [(row.hit.context.id, attempt_id, None)], NEW_YEAR) is not None
    _, [item], _ = store.validations.session(made.id)
    store.validations.vote(made.id, item.id, "key", {"answerable": False, "reason": SCRIPT}, NEW_YEAR)
    store.assignments.submit(made.id, None, NEW_YEAR)
