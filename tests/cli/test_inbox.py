"""`review inbox` and `review answer`, as the review page does both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from beat_the_ai.process.user import machine_user
from beat_the_ai.review import new_account
from beat_the_ai.store import Letter, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing
from tests.cli.test_review import read, run
from tests.review.builders import GOOD, PASSWORD, SCRIPT, SLOPPY, fill


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A campaign with a message whose deadline is over, and an appeal of a HIT that bob has rejected."""
    with closing(open_store(str(tmp_path / "campaign.db"))) as opened:
        fill(opened)
        new_account(opened, "cal", PASSWORD)
        at = now()
        reviewing = Reviewing(BoundCampaign.open(opened, "pilot"))
        reviewing.draw()
        assignment = reviewing.queue("bob", SLOPPY)[0].assignment.id
        reviewing.reject(assignment, "bob", "no question")
        for name, worker, kind, subject, days in (
            ("late", GOOD, "message", "", -1),
            ("appeal", SLOPPY, "rejection", assignment, 3),
        ):
            due_at = at + timedelta(days=days)
            opened.letters.write(Letter(name, "pilot", worker, kind, subject, SCRIPT, at - timedelta(days=4), due_at))
        yield opened


def test_what_waits_is_listed_by_deadline_and_answered_as_on_the_page(store: Store, tmp_path: Path) -> None:
    place = str(tmp_path)
    told = read(run("inbox", place, "--json"))
    assert [(one["id"], one["overdue"]) for one in told] == [("late", True), ("appeal", False)]
    printed = " ".join(run("inbox", place).stdout.split())
    assert "overdue" in printed
    assert "--uphold" in printed
    assert run("answer", place, "late", "--text", "Soon.", "--uphold").exit_code == 2
    assert run("answer", place, "appeal", "--text", "Yes.").exit_code == 2
    assert "as the first line" in run("answer", place, "late", "--text", "Soon.", "--reviewer", "cal").stderr
    by_cal = ("--reviewer", "cal", "--json")
    refused = run("answer", place, "appeal", "--text", "Yes.", "--uphold", *by_cal, answer=f"{PASSWORD}\n")
    assert refused.exit_code == 1
    assert "takes the role requester or lead" in refused.stderr
    answered = read(run("answer", place, "late", "--text", "Soon.", *by_cal, answer=f"{PASSWORD}\n"))
    assert answered == {"letter": "late", "answer": "answered", "by": "cal", "told": False}
    assert "upheld" in run("answer", place, "appeal", "--text", "It is one.", "--uphold").stdout
    assert run("inbox", place).stdout == "No message and no appeal waits.\n"
    assert run("answer", place, "appeal", "--text", "No.", "--not-uphold").exit_code == 1
    assert run("answer", place, "none", "--text", "No.").exit_code == 2
    letter = store.letters.get("pilot", "appeal")
    assert letter.answer is not None
    assert (letter.answer.by, letter.answer.text, letter.answer.upheld) == (machine_user(), "It is one.", True)
    [verdict] = store.reviews.of_campaign("pilot", letter.subject)[-1:]
    assert (verdict.verdict, verdict.reason) == ("accept", "Appeal upheld: It is one.")
    done = [
        (each.who, each.action, each.subject) for each in store.audit.entries() if each.action in ("answer", "uphold")
    ]
    assert (machine_user(), "uphold", "appeal") in done
    assert ("cal", "answer", "late") in done
