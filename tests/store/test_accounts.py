"""Reviewers' accounts and sessions, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Account, AccountSession, Store
from tests.store.builders import NEW_YEAR

ANN = Account("ann", "00" * 16, "aa" * 32, role=Role.REVIEWER, added_at=NEW_YEAR)
LATER = NEW_YEAR + timedelta(hours=12)


def signed_in(store: Store, session_id: str = "s1", name: str = "ann") -> AccountSession:
    session = AccountSession(session_id, name, LATER)
    account = store.accounts.get(name)
    assert account is not None
    assert store.accounts.begin(session, account, NEW_YEAR)
    return session


def test_accounts_come_back_as_they_were_stored_and_names_are_given_once(store: Store) -> None:
    store.accounts.add(ANN)
    assert store.accounts.get("ann") == ANN
    assert store.accounts.get("Ann") is None
    with pytest.raises(Refused, match="'ann' already"):
        store.accounts.add(ANN)
    store.accounts.remove("ann", LATER)
    with pytest.raises(Refused):
        store.accounts.add(ANN)
    assert [account.removed_at for account in store.accounts.all()] == [LATER]


def test_sessions_end_by_time_by_signing_out_and_with_the_password(store: Store) -> None:
    store.accounts.add(ANN)
    session = signed_in(store)
    assert store.accounts.session("s1", NEW_YEAR) == session
    assert store.accounts.session("s1", LATER) is None
    store.accounts.end("s1")
    assert store.accounts.session("s1", NEW_YEAR) is None
    signed_in(store)
    store.accounts.set_password("ann", "11" * 16, "bb" * 32)
    assert store.accounts.session("s1", NEW_YEAR) is None
    signed_in(store)
    store.accounts.remove("ann", NEW_YEAR)
    assert store.accounts.session("s1", NEW_YEAR) is None


def test_no_session_begins_of_an_account_that_was_changed_meanwhile(store: Store) -> None:
    """While the password was checked, which takes its time."""
    store.accounts.add(ANN)
    store.accounts.set_password("ann", "11" * 16, "bb" * 32)
    assert not store.accounts.begin(AccountSession("s1", "ann", LATER), ANN, NEW_YEAR)
    changed = store.accounts.get("ann")
    assert changed is not None
    store.accounts.remove("ann", NEW_YEAR)
    assert not store.accounts.begin(AccountSession("s2", "ann", LATER), changed, NEW_YEAR)
    assert [store.accounts.session(name, NEW_YEAR) for name in ("s1", "s2")] == [None, None]


def test_a_new_password_lets_a_removed_reviewer_in_again(store: Store) -> None:
    store.accounts.add(ANN)
    store.accounts.remove("ann", LATER)
    store.accounts.set_password("ann", "11" * 16, "bb" * 32)
    assert store.accounts.get("ann") == Account("ann", "11" * 16, "bb" * 32, role=Role.REVIEWER, added_at=NEW_YEAR)


def test_sessions_that_are_over_are_forgotten_at_the_next_sign_in(store: Store) -> None:
    store.accounts.add(ANN)
    signed_in(store)
    assert store.accounts.begin(AccountSession("s2", "ann", LATER + timedelta(hours=12)), ANN, LATER)
    with store.database.reading() as connection:
        assert list(connection.scalars(sa.text("SELECT id FROM reviewer_sessions"))) == ["s2"]


def test_a_reviewer_may_see_all_in_one_session_alone(store: Store) -> None:
    store.accounts.add(ANN)
    signed_in(store, "s1")
    other = signed_in(store, "s2")
    store.accounts.see_all("s1", sees_all=True)
    assert store.accounts.session("s1", NEW_YEAR) == AccountSession("s1", "ann", LATER, sees_all=True)
    assert store.accounts.session("s2", NEW_YEAR) == other


def test_a_role_counts_at_once_and_sessions_from_before_end(store: Store) -> None:
    store.accounts.add(ANN)
    signed_in(store)
    store.accounts.set_role("ann", Role.LEAD)
    assert store.accounts.session("s1", NEW_YEAR) is None
    signed_in(store)
    session = store.accounts.session("s1", NEW_YEAR)
    assert session is not None
    assert session.role is Role.LEAD


def test_an_unknown_reviewer_is_told(store: Store) -> None:
    store.accounts.add(ANN)
    with pytest.raises(UnknownName, match="Did you mean 'ann'"):
        store.accounts.remove("anne", LATER)
