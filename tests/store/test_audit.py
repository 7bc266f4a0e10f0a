"""The log on both databases: only added to, one chain whoever writes, and a check that names what does not fit."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest
import sqlalchemy as sa

from beat_the_ai.store import Chain, Store, open_store
from beat_the_ai.store.audit import GENESIS
from tests.store.builders import NEW_YEAR, at_once


def write(store: Store, entries: int) -> None:
    for number in range(entries):
        store.audit.add(NEW_YEAR + timedelta(seconds=number), "ann", "accept", str(number), "naïve 𝄞", "root")


def tampered(store: Store, statement: str) -> Chain:
    """What the check says after somebody went around what keeps the log from changes."""
    with store.database.writing() as link:
        if link.dialect.name == "sqlite":
            link.execute(sa.text("DROP TRIGGER audit_log_no_update"))
            link.execute(sa.text("DROP TRIGGER audit_log_no_delete"))
        else:
            link.execute(sa.text("ALTER TABLE audit_log DISABLE TRIGGER ALL"))
        link.execute(sa.text(statement))
    return store.audit.check()


@pytest.mark.parametrize("table", ["audit_log", "revocation_proposals", "revocation_outcomes"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET {} = 'eve'", "DELETE FROM {}"])
def test_the_database_keeps_the_log_and_proposals_from_changes(store: Store, table: str, statement: str) -> None:
    store.audit.add(NEW_YEAR, "ann", "accept", "h1", "naïve 𝄞")
    with store.database.writing() as link:
        link.execute(
            sa.text(
                "INSERT INTO campaigns (id, task, seed, pseudonym_key, config, created_at) "
                "VALUES ('pilot', 'x', 1, 'k', '{}', '2026-01-01')"
            )
        )
    proposal = store.proposals.add("pilot", "A1", "ann", "", "copies", NEW_YEAR)
    store.proposals.withdraw(proposal, "ann", NEW_YEAR)
    before = store.audit.entries()
    column = {"audit_log": "who", "revocation_proposals": "worker", "revocation_outcomes": "closed_by"}[table]
    with pytest.raises(sa.exc.DatabaseError, match=f"{table} can only be added to"), store.database.writing() as link:
        link.execute(sa.text(statement.format(table, column)))
    assert store.audit.entries() == before
    assert [(one.at, one.who, one.action, one.subject, one.note) for one in before] == [
        (NEW_YEAR, "ann", "accept", "h1", "naïve 𝄞")
    ]


def test_the_log_is_read_backwards_in_parts(store: Store) -> None:
    write(store, 5)
    last = store.audit.entries(limit=2)
    assert [one.subject for one in last] == ["4", "3"]
    assert [one.subject for one in store.audit.entries(last[-1].id, limit=5)] == ["2", "1", "0"]
    assert len(store.audit.entries(limit=None)) == 5


def test_an_empty_log_and_a_whole_one_fit(store: Store) -> None:
    assert store.audit.check() == Chain(0, GENESIS)
    write(store, 3)
    newest = store.audit.entries()[0]
    assert store.audit.check() == Chain(3, newest.hash)
    assert (newest.id, newest.machine_user) == (3, "root")
    assert store.audit.holds(newest.hash)
    assert not store.audit.holds("0" * 64)


def test_the_time_zone_in_which_a_time_is_given_does_not_matter(store: Store) -> None:
    store.audit.add(NEW_YEAR.astimezone(timezone(timedelta(hours=5))), "ann", "accept")
    assert store.audit.check().broken is None


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE audit_log SET note = 'nice' WHERE id = 3", 3),
        ("UPDATE audit_log SET who = 'bob' WHERE id = 1", 1),
        ("UPDATE audit_log SET machine_user = 'eve' WHERE id = 2", 2),
        ("UPDATE audit_log SET at = '2027-01-01 00:00:00.000000' WHERE id = 4", 4),
        ("UPDATE audit_log SET hash = '' WHERE id = 5", 5),
        ("UPDATE audit_log SET id = 9 WHERE id = 5", 9),
        ("DELETE FROM audit_log WHERE id = 1", 2),
        ("DELETE FROM audit_log WHERE id = 3", 4),
        ("UPDATE audit_log SET action = action || subject, subject = '' WHERE id = 2", 2),
    ],
)
def test_the_first_entry_that_does_not_fit_is_named(store: Store, statement: str, broken: int) -> None:
    write(store, 5)
    assert tampered(store, statement).broken == broken


def test_an_entry_that_was_slipped_in_does_not_fit(store: Store) -> None:
    write(store, 2)
    forged = (
        "INSERT INTO audit_log (id, at, who, action, subject, note, machine_user, hash) "
        "SELECT 3, at, who, action, subject, note, machine_user, hash FROM audit_log WHERE id = 2"
    )
    assert tampered(store, forged).broken == 3


def test_what_is_no_time_is_broken_and_not_a_failure(store: Store) -> None:
    write(store, 3)
    if store.database.engine.dialect.name == "sqlite":  # others refuse to keep it
        assert tampered(store, "UPDATE audit_log SET at = 'yesterday' WHERE id = 2").broken == 2


def test_an_end_that_was_cut_off_is_noticed_by_whoever_noted_the_head(store: Store) -> None:
    write(store, 5)
    head = store.audit.check().head
    assert tampered(store, "DELETE FROM audit_log WHERE id > 3").broken is None
    assert not store.audit.holds(head)


def test_concurrent_writers_make_one_chain(store_url: str) -> None:
    """Of four connection pools, with four threads each."""
    stores = [open_store(store_url) for _ in range(4)]
    at_once(16, lambda number: write(stores[number % 4], 5))
    assert (stores[0].audit.check().entries, stores[0].audit.check().broken) == (80, None)
    assert sorted(one.id for one in stores[0].audit.entries(limit=None)) == list(range(1, 81))
    for store in stores:
        store.close()
