"""Erasing a person from a store, on both databases: their rows go, the books and everybody else's work stay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.payments import Ledger, State
from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.payments.owed import Owed
from beat_the_ai.rules.ids import new_pseudonym
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import FormAnswers, ModelQuestion, Spending, Store, Telemetry, hit_id, open_store, tables
from beat_the_ai.store.audit import GENESIS
from beat_the_ai.store.erasure import BY, ERASED
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from tests.store.builders import NEW_YEAR, attempt
from tests.validation.written import answer_all, new_campaign, new_desk, write

WHO, OTHER, CHECKER = "AZEBRA0001", "AOTHER0001", "ACHECKER01"
PSEUDONYM = new_pseudonym()
SECRET = "zebra-secret"
FORM = "f" * 64
CONFIRMED = {"cents": 200, "fee_cents": 40, "because": "Reward of a submitted task."}


def filled(store: Store) -> dict[str, list[str]]:
    """Fill a store with the work of two writers and a validator. Returns the writers' attempts."""
    campaign = new_campaign(store)
    made = {WHO: write(store, writer=WHO, answers=("1807", "Oxbow")), OTHER: write(store, writer=OTHER, slot=1)}
    desk = new_desk(store, campaign, works_per_hit=3)
    for worker in (CHECKER, WHO, OTHER):
        answer_all(desk, worker, dict.fromkeys((name for names in made.values() for name in names), "1807"))
    decide(store, made)
    pay(store)
    return made


def decide(store: Store, made: Mapping[str, list[str]]) -> None:
    """Everything that others said about the writers, and what they said of themselves."""
    store.forms.keep("pilot", FORM, {"title": "About you"}, NEW_YEAR)
    for worker, names in made.items():
        store.forms.answer("pilot", FormAnswers(worker, FORM, "given", {"age": SECRET}, NEW_YEAR))
        store.board.choose("pilot", worker, f"{SECRET} {worker[:6]}", NEW_YEAR)
        store.standings.add("pilot", worker, "qualified", by="ann", reason=f"knows {worker}", at=NEW_YEAR)
        store.standings.answer(store.standings.history("pilot", worker)[0].id, "confirmed", None, NEW_YEAR)
        proposal = store.proposals.add("pilot", worker, "ann", "", SECRET, NEW_YEAR)
        store.proposals.withdraw(proposal, "bob", NEW_YEAR)
        store.audit.add(NEW_YEAR, "ann", "qualify", worker, f"{SECRET} of {worker}")
        store.audit.add(NEW_YEAR, "ann", "flag", names[0], SECRET)
        question = ModelQuestion("pilot", "m" * 64, worker.ljust(64, "q"))
        [mine] = store.assignments.taken_by("pilot", Stage.WRITING, worker)
        asked = store.model_answers.ask(question, mine.id, Spending(5), NEW_YEAR)
        store.model_answers.answer(asked, question, {"text": SECRET}, 3)
    config = {"dataset": {"exclusive_writers": [OTHER, WHO]}}
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.rounds).values(config=config))


def pay(store: Store) -> None:
    ledger = Ledger(store.database, "pilot")
    owed = [
        Owed(PaymentKey("pilot", "reward", worker, f"3X{number}"), **CONFIRMED)  # type: ignore[arg-type]
        for number, worker in enumerate((WHO, OTHER))
    ]
    ledger.intend(owed, lambda found, _cents: found)
    for payment in ledger.payments():
        claimed = ledger.claim(payment, 10**6)
        assert claimed is not None
        ledger.confirm(claimed)


def dump(store: Store) -> dict[str, list[dict[str, Any]]]:
    with store.database.reading() as connection:
        return {
            table.name: [dict(row._mapping) for row in connection.execute(sa.select(table))]
            for table in tables.metadata.sorted_tables
        }


def test_nothing_of_a_person_stays_but_amounts_under_a_pseudonym(store: Store) -> None:
    made = filled(store)
    before = store.erasure.holdings(WHO)
    assert before.attempts == set(made[WHO])
    assert before.rows["attempts"] == 2
    assert before.rows["form_answers"] == 1
    assert (before.payments, before.paid_cents) == (1, 240)
    assert store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    rows = dump(store)
    text = json.dumps(rows, default=str)
    assert WHO not in text
    assert text.count(PSEUDONYM) == 5  # payment, erasure, and three entries of the log
    assert not set(made[WHO]) & {row["id"] for row in rows["attempts"]}
    assert text.count(SECRET) == len([1 for row in rows["form_answers"]]) + 5  # the other writer's alone
    [mine, others] = sorted(Ledger(store.database, "pilot").payments(), key=lambda one: one.key.worker != PSEUDONYM)
    assert (mine.key.worker, mine.cents, mine.fee_cents, mine.state) == (PSEUDONYM, 200, 40, State.CONFIRMED)
    assert mine.key.assignment == "1"
    assert (others.key.worker, others.key.assignment) == (OTHER, "3X1")
    assert store.rounds.get("pilot", 1).config["dataset"]["exclusive_writers"] == [OTHER]
    assert store.model_answers.spent_microcents("pilot") == 6
    assert store.erasure.holdings(WHO).is_empty


def test_nobody_elses_rows_change(store: Store) -> None:
    filled(store)
    gone = {name: ids(store, name, WHO) for name in ("assignments", "attempts")}
    before = dump(store)
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    after = dump(store)
    assert after["assignments"] == [row for row in before["assignments"] if row["worker"] != WHO]
    assert after["attempts"] == [row for row in before["attempts"] if row["assignment_id"] not in gone["assignments"]]
    assert after["form_answers"] == [row for row in before["form_answers"] if row["worker"] != WHO]
    assert after["standing_events"] == [row for row in before["standing_events"] if row["worker"] != WHO]
    assert after["validation_items"] == [
        row
        for row in before["validation_items"]
        if row["assignment_id"] not in gone["assignments"] and row["attempt_id"] not in gone["attempts"]
    ]
    for name in ("campaigns", "contexts", "hits", "forms", "leases"):
        assert after[name] == before[name], name


def ids(store: Store, table: str, worker: str) -> set[str]:
    holdings = store.erasure.holdings(worker)
    if table == "attempts":
        return set(holdings.attempts)
    return {each.id for stage in Stage for each in store.assignments.taken_by("pilot", stage, worker)}


def test_works_on_which_the_person_voted_are_adjudicated_without_the_vote(store: Store) -> None:
    made = filled(store)
    [others] = made[OTHER]
    campaign = BoundCampaign.open(store, "pilot")
    assert votes(campaign)[others] == 2
    version = store.works.version("pilot", 1)
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    assert store.works.version("pilot", 1) > version
    assert votes(campaign) == {others: 1}


def votes(campaign: BoundCampaign) -> dict[str, int]:
    AdjudicatedWorks(campaign).adjudicate()
    with campaign.store.database.reading() as connection:
        return {row.attempt_id: row.votes for row in connection.execute(sa.select(tables.works))}


def test_a_validator_all_of_whose_answers_go_is_paid_by_a_decision(store: Store) -> None:
    campaign = new_campaign(store)
    theirs, others = write(store, writer=WHO), write(store, writer=OTHER, context_id="mill/1")
    only, both = new_desk(store, campaign, works_per_hit=1), new_desk(store, campaign, works_per_hit=2)
    voted = {worker: answer_all(only, worker, {}) for worker in ("v1", "v2")}
    assert set(answer_all(both, CHECKER, {})) == {*theirs, *others}
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    losers = {worker for worker, names in voted.items() if names == theirs}
    decided = store.pay_decisions.last()
    of_validation = {each.id: each.worker for each in store.assignments.confirmed("pilot", Stage.VALIDATION)}
    assert {of_validation[name] for name in decided} == losers
    assert all((each.pays, each.by) == (True, BY) for each in decided.values())
    assert losers, "somebody has checked their work alone"
    assert decided.keys() == store.validations.unanswered("pilot")


def test_the_log_is_one_chain_again_and_says_how_it_ended_before(store: Store) -> None:
    filled(store)
    store.audit.add(NEW_YEAR + timedelta(hours=1), "ann", "sign_out")
    old = store.audit.check()
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    new = store.audit.check()
    assert (new.entries, new.broken) == (old.entries + 1, None)
    assert store.audit.holds(old.head)
    assert store.audit.holds(new.head)
    assert not store.audit.holds(GENESIS)
    subjects = [entry.subject for entry in store.audit.entries(limit=None)]
    assert subjects.count(PSEUDONYM) == 3
    with pytest.raises(sa.exc.DatabaseError, match="can only be added to"), store.database.writing() as connection:
        connection.execute(sa.text("DELETE FROM audit_log"))


def test_a_log_that_was_changed_before_says_so_still(store: Store) -> None:
    filled(store)
    with store.database.writing() as connection:
        connection.execute(sa.insert(tables.erasures).values(pseudonym="x"))
        connection.execute(sa.update(tables.audit_log).filter_by(id=3).values(note="another"))
        connection.execute(sa.delete(tables.erasures))
    assert store.audit.check().broken == 3
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    assert store.audit.entries()[0].note.endswith("before; entry 3 did not fit")


def test_a_name_within_another_word_stays(store: Store) -> None:
    campaign = new_campaign(store)
    write(store, writer="an")
    store.audit.add(NEW_YEAR, "ann", "accept", "h1", f"an answer of an annotator, not an_ of {campaign.id}")
    store.erasure.erase("an", PSEUDONYM, NEW_YEAR)
    [entry] = [one for one in store.audit.entries() if one.subject == "h1"]
    assert entry.note == f"{PSEUDONYM} answer of {PSEUDONYM} annotator, not an_ of pilot"


def test_it_is_done_once_and_not_at_all_for_somebody_who_never_was_there(store: Store) -> None:
    filled(store)
    assert not store.erasure.erase("ANOBODY", new_pseudonym(), NEW_YEAR)
    assert store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    after = dump(store)
    assert not store.erasure.erase(WHO, new_pseudonym(), NEW_YEAR)
    assert dump(store) == after
    assert store.erasure.scrub(NEW_YEAR)
    assert not store.erasure.scrub(NEW_YEAR)


def test_a_payment_of_which_nobody_knows_is_looked_for_first(store: Store) -> None:
    new_campaign(store)
    write(store, writer=WHO)
    ledger = Ledger(store.database, "pilot")
    owed = [Owed(PaymentKey("pilot", purpose, WHO, "3X"), **CONFIRMED) for purpose in ("reward", "wins")]  # type: ignore[arg-type]
    ledger.intend(owed, lambda found, _cents: found)
    claimed = ledger.claim(ledger.payments()[0], 10**6)
    assert claimed is not None
    before = dump(store)
    with pytest.raises(Refused, match="pay CAMPAIGN --confirm"):
        store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    assert dump(store) == before
    assert (store.erasure.holdings(WHO).unsent, store.erasure.holdings(WHO).unsettled) == (1, 1)
    ledger.confirm(claimed)
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    assert [(one.key.worker, one.key.purpose) for one in ledger.payments()] == [(PSEUDONYM, "reward")]


def test_no_text_is_left_in_the_files_of_the_database(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "store.db"))
    filled(store)
    made = store.attempts.accept(hit_id("pilot", "mill/2", 0), WHO, f"r-{WHO}", NEW_YEAR)[0]
    for number in range(1, 200):
        written = attempt(made.id, number, work={"question": f"{SECRET} {number}" * 40})
        store.attempts.add(written, Telemetry(1, 2, 3, 4.0))
    store.erasure.erase(WHO, PSEUDONYM, NEW_YEAR)
    assert WHO.encode() in everything(tmp_path), "the log of the database has it"
    store.erasure.scrub(NEW_YEAR)
    assert WHO.encode() not in everything(tmp_path)
    assert b"zebra-secret 7" not in everything(tmp_path)
    store.close()


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_every_table_that_names_a_worker_is_erased_or_in_the_books() -> None:
    named = {table.name for table in tables.metadata.sorted_tables if {"worker", "assignment_id"} & set(table.c.keys())}
    assert named - {table.name for table in ERASED} == {"payments", "model_answers"}
    order = [table.name for table in ERASED]
    for table in ERASED:
        for key in table.foreign_keys:
            if key.column.table in ERASED:
                assert order.index(table.name) < order.index(key.column.table.name), (table.name, key.column.table.name)
