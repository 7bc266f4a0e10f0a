"""Decisions on the command line: who takes them, how they stand in the log, newcomers, two people, requests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
import sqlalchemy as sa

from beat_the_ai.cli.review import people
from beat_the_ai.process.user import machine_user
from beat_the_ai.requester import Requester
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import AuditEntry, Store, open_store, tables
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import MTurkGate, Workforce
from tests.cli.test_review import read, run, sampled
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.review.builders import FAILED, GOOD, HOSTILE, NEWCOMER, PASSWORD, SCRIPT, SLOPPY, fail, fill, screen
from tests.store.builders import campaign

ME = machine_user()
As = Callable[[str], None]
T = TypeVar("T")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A campaign that waits for its review, with two newcomers and accounts for ann and cal."""
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    screen(store)
    fail(store)
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    new_account(store, "cal", PASSWORD)
    store.close()
    return str(tmp_path)


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch) -> As:
    """Somebody else at this machine."""
    return lambda name: monkeypatch.setattr(people, "machine_user", lambda: name)


def log(folder: str) -> list[AuditEntry]:
    return with_store(folder, lambda store: store.audit.entries()[::-1])


def with_store(folder: str, read_from: Callable[[Store], T]) -> T:
    store = open_store(str(Path(folder) / "campaign.db"))
    try:
        return read_from(store)
    finally:
        store.close()


def standing(folder: str, worker: str) -> str | None:
    last = with_store(folder, lambda store: store.standings.last("pilot", worker))
    return None if last is None else last.standing


def test_decisions_are_in_the_log_with_the_machines_user_and_the_claimed_name(folder: str) -> None:
    [first, second, *_] = sampled(folder, SLOPPY)
    read(run("accept", folder, first["assignment"], "--reviewer", "rita", "--json"))
    read(run("reject", folder, second["assignment"], "--reviewer", "rita", "--reason", "no question", "--json"))
    read(run("undo", folder, second["assignment"], "--reviewer", "rita", "--json"))
    assert run("undo", folder, second["assignment"], "--reviewer", "rita").exit_code == 1
    read(run("grant", folder, NEWCOMER, "--json"))
    told = [(one.who, one.machine_user, one.action, one.subject) for one in log(folder)]
    assert told == [
        ("rita", ME, "accept", first["assignment"]),
        ("rita", ME, "reject", second["assignment"]),
        ("rita", ME, "undo", second["assignment"]),
        ("rita", ME, "undo", second["assignment"]),
        ("rita", ME, "undo_failed", second["assignment"]),
        (ME, ME, "grant", NEWCOMER),
    ]
    assert log(folder)[1].note == f"HIT of {SLOPPY}: no question"


def test_the_environment_does_not_say_who_the_machines_user_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody else")
    assert machine_user() == ME != "somebody else"


@pytest.mark.parametrize(
    ("name", "answer", "status", "told"),
    [
        ("ann", "", 1, "This is not the password of ann."),
        ("ann", "wrong and wrong\n", 1, "This is not the password of ann."),
        ("Ann", f"{PASSWORD}\n", 1, "There is a reviewer 'ann'."),
        (" ann ", "", 1, "This is not the password of ann."),
        ("a\u200bnn", "", 1, "This is not the password of ann."),
        ("a\0nn", "", 2, "invisible"),
        ("gone", f"{PASSWORD}\n", 1, "Reviewer 'gone' was removed."),
        ("ann", f"{PASSWORD}\n", 0, ""),
    ],
)
def test_nobody_decides_in_the_name_of_an_account_without_its_password(
    folder: str, name: str, answer: str, status: int, told: str
) -> None:
    with_store(folder, lambda store: new_account(store, "gone", PASSWORD, role=Role.LEAD))
    assert run("reviewer", "remove", folder, "gone").exit_code == 0
    [hit, *_] = sampled(folder, HOSTILE)
    for arguments in (["accept", folder, hit["assignment"]], ["grant", folder, FAILED]):
        result = run(*arguments, "--reviewer", name, answer=answer)
        assert result.exit_code == status
        assert told in result.stderr
    assert standing(folder, FAILED) == (None if status else "qualified")
    reviews = with_store(folder, lambda store: store.reviews.of_campaign("pilot"))
    assert [one.reviewer for one in reviews] == ([] if status else ["ann"])
    if told.startswith("This is not"):
        assert [(one.who, one.machine_user, one.action) for one in log(folder)[-2:]] == [
            ("ann", ME, "sign_in_failed")
        ] * 2


def test_an_account_keeps_its_role_on_the_command_line(folder: str) -> None:
    result = run("grant", folder, FAILED, "--reviewer", "cal", answer=f"{PASSWORD}\n")
    assert result.exit_code == 1
    assert "takes the role requester or lead" in result.stderr
    assert standing(folder, FAILED) is None
    assert [one.action for one in log(folder)] == ["grant", "grant_failed"]


def test_newcomers_are_shown_and_let_in_or_kept_out_whatever_the_grader_says(folder: str) -> None:
    told = {one["worker"]: one for one in read(run("newcomers", folder, "--json"))}
    assert [(one, told[one]["screening"]["outcome"]) for one in told] == [(NEWCOMER, "passed"), (FAILED, "failed")]
    shown = run("newcomers", folder).stdout
    assert "not_a_question" in "".join(shown.split())
    assert run("grant", folder, FAILED).stdout == f"{FAILED} is qualified.\n"
    assert "Missing option '--reason'" in run("refuse", folder, NEWCOMER).stderr
    assert run("refuse", folder, NEWCOMER, "--reason", "copied").stdout == f"{NEWCOMER} is not let in.\n"
    assert re.search(rf"{NEWCOMER} *│ not let in", run("list", folder).stdout)
    assert run("refuse", folder, NEWCOMER, "--reason", "again").exit_code == 1
    assert "Did you mean" in run("grant", folder, "A5FAILD").stderr
    assert (standing(folder, FAILED), standing(folder, NEWCOMER)) == ("qualified", "revoked")


def test_several_newcomers_are_let_in_by_decisions_of_their_own(folder: str) -> None:
    result = run("grant", folder, FAILED, "A5FAILD", NEWCOMER, FAILED, "--reviewer", "ann", answer=f"{PASSWORD}\n")
    assert result.exit_code == 1
    assert result.stdout == f"{FAILED} is qualified.\n{NEWCOMER} is qualified.\n"
    assert "1 of 3 workers are left. A5FAILD: " in result.stderr
    assert (standing(folder, FAILED), standing(folder, NEWCOMER)) == ("qualified", "qualified")
    assert [(one.who, one.action, one.subject) for one in log(folder)] == [
        ("ann", "grant", FAILED),
        ("ann", "grant", NEWCOMER),
    ]
    told = run("grant", folder, FAILED, NEWCOMER, "--json")
    assert [json.loads(line)["worker"] for line in told.stdout.splitlines()] == [FAILED, NEWCOMER]


def test_a_worker_whom_nobody_rejected_is_revoked_by_two(folder: str, as_user: As) -> None:
    shown = run("revoke", folder, GOOD, "--reason", "two accounts")
    assert "it will wait until a second lead confirms it" in shown.stderr
    result = run("revoke", folder, GOOD, "--reviewer", "rita", "--reason", "two accounts", "--confirm")
    assert f"beat-the-ai review confirm {folder} {GOOD}" in result.stdout
    assert standing(folder, GOOD) is None
    listed = " ".join(run("list", folder).stdout.split())
    assert f"rita has proposed to revoke {GOOD}" in listed
    [waiting] = [one["proposal"] for one in read(run("list", folder, "--json"))["workers"] if one["worker"] == GOOD]
    assert (waiting["by"], waiting["reason"]) == ("rita", "two accounts")
    for name in ("rita", "somebody-else"):
        refused = run("confirm", folder, GOOD, "--reviewer", name)
        assert refused.exit_code == 1
        assert "a second person has to confirm it" in refused.stderr
    as_user("colleague")
    assert run("confirm", folder, GOOD, "--reviewer", "rita").exit_code == 1
    assert run("confirm", folder, GOOD, "--reviewer", "colleague").stdout == f"{GOOD} is revoked.\n"
    assert [(one.who, one.machine_user, one.action) for one in log(folder)][-1] == ("colleague", "colleague", "confirm")


@pytest.mark.parametrize(("min_reviews", "now"), [(1, "revoked"), (2, None)])
def test_one_rejection_recommends_as_the_campaign_says(folder: str, min_reviews: int, now: str | None) -> None:
    """The same on the command line and on the page: nobody chooses the rule by choosing where to decide."""
    rules = {"qualification": {"min_reviews": min_reviews}}

    def configure(store: Store) -> None:
        with store.database.writing() as connection:
            connection.execute(sa.update(tables.campaigns).filter_by(id="pilot").values(config=rules))

    with_store(folder, configure)
    hit = sampled(folder, SLOPPY)[0]["assignment"]
    run("reject", folder, hit, "--reason", "no question")
    [told] = [one for one in read(run("list", folder, "--json"))["workers"] if one["worker"] == SLOPPY]
    assert told["recommended"] == (min_reviews == 1)
    run("revoke", folder, SLOPPY, "--reason", "no questions", "--confirm")
    assert standing(folder, SLOPPY) == now


def test_a_proposal_is_withdrawn(folder: str) -> None:
    run("revoke", folder, GOOD, "--reason", "two accounts", "--confirm")
    assert run("withdraw", folder, GOOD).stdout == f"The proposal to revoke {GOOD} was withdrawn.\n"
    assert "No revocation" in run("withdraw", folder, GOOD).stderr
    assert standing(folder, GOOD) is None


def test_the_log_is_printed_and_checked(folder: str) -> None:
    read(run("accept", folder, sampled(folder, HOSTILE)[0]["assignment"], "--reviewer", "rita", "--json"))
    run("refuse", folder, FAILED, "--reason", "no [b]question[/b] at all")
    printed = read(run("audit", folder, "--json"))
    assert [(one["id"], one["who"], one["action"]) for one in printed] == [(1, "rita", "accept"), (2, ME, "refuse")]
    first, second = run("audit", folder).stdout.splitlines()
    assert f"rita (command line, {ME}) accept" in first
    assert second.endswith(f"refuse {FAILED} no [b]question[/b] at all")
    checked = read(run("audit", folder, "--check", "--json"))
    assert checked == {"entries": 2, "head": printed[-1]["hash"], "broken": None}
    assert run("audit", folder, "--check").stdout.startswith("2 entries, each as it was written.")
    run("grant", folder, NEWCOMER)
    assert run("audit", folder, "--check", "--head", checked["head"]).exit_code == 0
    assert run("audit", folder, "--check", "--head", "f" * 64).exit_code == 1
    assert run("audit", folder, "--head", "f" * 64).exit_code == 2


def test_a_log_that_was_changed_names_the_first_entry_that_does_not_fit(folder: str) -> None:
    import sqlite3

    for worker in (NEWCOMER, FAILED):
        run("grant", folder, worker)
    run("revoke", folder, FAILED, "--reason", "gibberish", "--confirm")
    link = sqlite3.connect(Path(folder) / "campaign.db")
    link.execute("DROP TRIGGER audit_log_no_update")
    link.execute("UPDATE audit_log SET who = 'bob' WHERE id = 2")
    link.commit()
    link.close()
    result = run("audit", folder, "--check", "--json")
    assert result.exit_code == 1
    assert "Entry 2 of the log does not fit" in result.stderr
    assert json.loads(result.stdout)["broken"] == 2


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


def test_requests_of_the_portal_are_listed_accepted_and_turned_down(
    folder: str, market: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = market.new_requester()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    where = ["--endpoint", market.address]
    crowd = Requester.connect(market.address)
    gate = MTurkGate(crowd, campaign("pilot"))
    welcome, unwelcome = market.new_worker(), market.new_worker()
    with market.workplace() as workplace:
        for worker in (welcome, unwelcome):
            workplace.request_qualification(worker, gate.type_id)
    told = read(run("requests", folder, "--json", *where))
    assert [(one["worker"], one["screened"]) for one in told] == [(welcome, False), (unwelcome, False)]
    assert welcome in run("requests", folder, *where).stdout
    assert "Say why they are let in" in run("grant", folder, welcome, *where).stderr
    assert run("grant", folder, welcome, "--reason", "pilot study", *where).stdout == f"{welcome} is qualified.\n"
    refused = run("refuse", folder, unwelcome, "--reason", "unknown to us", *where)
    assert refused.stdout == f"The request of {unwelcome} was turned down.\n"
    assert run("requests", folder, *where).stdout == "Nobody asks for the qualification.\n"
    assert (gate.holds(welcome), gate.holds(unwelcome)) == (True, False)
    assert (standing(folder, welcome), standing(folder, unwelcome)) == ("qualified", None)
    last = [(one.who, one.action, one.subject, one.note) for one in log(folder)][-2:]
    assert last == [(ME, "grant", welcome, "pilot study"), (ME, "refuse", unwelcome, "unknown to us")]
    crowd.close()


def test_nothing_of_a_worker_steers_the_terminal(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    evil = "A\x1b[31m[red]EVIL"
    with_store(folder, lambda store: Workforce(BoundCampaign.open(store, "pilot")).enter_screening(evil, "3XEVIL"))
    newcomers = run("newcomers", folder).stdout
    decided = run("grant", folder, evil).stdout + run("revoke", folder, evil, "--reason", "x", "--confirm").stdout
    shown = [newcomers, decided, *(run(name, folder).stdout for name in ("audit", "list"))]
    assert all("[red]EVIL" in one for one in shown)
    assert SCRIPT in shown[0]
    assert not any("\x1b" in one for one in shown)


def test_a_campaign_takes_over_the_people_of_an_earlier_one(folder: str, tmp_path: Path) -> None:
    later = tmp_path / "later.db"
    store = open_store(str(later))
    store.campaigns.create(campaign("later"))
    new_account(store, "cal", PASSWORD)
    Workforce(BoundCampaign.open(store, "later")).block(SLOPPY, "ann", "another story")
    store.close()
    read(run("grant", folder, NEWCOMER, "--json"))
    read(run("refuse", folder, FAILED, "--reason", "gibberish", "--json"))
    read(run("grant", folder, SLOPPY, "--reason", "known", "--json"))
    given = [str(later), "--from", folder, "--reviewer", "rita"]
    assert read(run("take-over", *given, "--json")) == {
        "qualified": [NEWCOMER], "kept_out": [FAILED], "unconfirmed": [], "known": [SLOPPY],
    }  # fmt: skip
    store = open_store(str(later))
    standings = {worker: event.standing for worker, event in store.standings.current("later").items()}
    assert standings == {NEWCOMER: "qualified", FAILED: "blocked", SLOPPY: "blocked"}
    [entry] = [one for one in store.audit.entries() if one.action == "take_over"]
    assert (entry.who, entry.machine_user, entry.note) == ("rita", ME, "the people of pilot")
    store.close()
    again = run("take-over", *given)
    assert "0 people of 'pilot' are qualified, 0 are kept out, 3 had a standing here already." in again.stdout
    by_cal = run("take-over", str(later), "--from", folder, "--reviewer", "cal", answer=PASSWORD)
    assert (by_cal.exit_code, "takes the role requester or lead" in by_cal.stderr) == (1, True)
