"""`review reviewer` and `review CAMPAIGN` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.cli.review import page
from beat_the_ai.process.user import machine_user
from beat_the_ai.review import Door
from beat_the_ai.review.accounts import NotSignedIn
from beat_the_ai.store import open_store
from tests.workforce.builders import submit

PASSWORD = "correct horse battery"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    store = open_store(str(tmp_path / "campaign.db"))
    submit(store, "A")
    store.close()
    return str(tmp_path)


def run(*arguments: str, password: str = PASSWORD) -> Result:
    return CliRunner().invoke(main, ["review", *arguments], input=f"{password}\n")


def can_sign_in(folder: str, name: str, password: str = PASSWORD) -> bool:
    store = open_store(str(Path(folder) / "campaign.db"))
    try:
        return bool(Door(store).enter(name, password, "127.0.0.1"))
    except NotSignedIn:
        return False
    finally:
        store.close()


def test_a_reviewer_is_added_gets_another_password_and_is_removed(folder: str) -> None:
    assert run("reviewer", "add", folder, "ann").stdout == "ann can sign in. Role: reviewer.\n"
    assert can_sign_in(folder, "ann")
    run("reviewer", "password", folder, "ann", password="another fine password")
    assert (can_sign_in(folder, "ann"), can_sign_in(folder, "ann", "another fine password")) == (False, True)
    run("reviewer", "remove", folder, "ann")
    assert not can_sign_in(folder, "ann", "another fine password")
    [listed] = json.loads(run("reviewer", "list", folder, "--json").stdout)
    assert listed == {"name": "ann", "role": "reviewer", "can_sign_in": False}
    assert run("reviewer", "list", folder).stdout == "ann (reviewer, removed)\n"
    store = open_store(str(Path(folder) / "campaign.db"))
    added = [one for one in store.audit.entries() if not one.action.startswith("sign")]
    store.close()
    assert [one.action for one in added] == ["account_removed", "password_changed", "account_added"]
    assert {one.subject for one in added} == {"ann"}
    assert {(one.who, one.machine_user) for one in added} == {(machine_user(), machine_user())}


def test_a_reviewer_becomes_a_lead_and_a_lead_a_reviewer(folder: str) -> None:
    assert run("reviewer", "add", folder, "ann", "--role", "lead").stdout == "ann can sign in. Role: lead.\n"
    run("reviewer", "add", folder, "bob")
    assert run("reviewer", "list", folder).stdout == "ann (lead)\nbob (reviewer)\n"
    assert run("reviewer", "role", folder, "bob", "lead").stdout == "bob has the role lead.\n"
    run("reviewer", "role", folder, "ann", "reviewer")
    assert run("reviewer", "list", folder).stdout == "ann (reviewer)\nbob (lead)\n"
    assert "'chief' is not one of" in run("reviewer", "role", folder, "ann", "chief").stderr
    assert "Did you mean 'ann'?" in run("reviewer", "role", folder, "anne", "lead").stderr
    store = open_store(str(Path(folder) / "campaign.db"))
    noted = [(one.action, one.subject, one.note) for one in store.audit.entries()]
    store.close()
    assert [each[:2] for each in noted[:2]] == [("role_changed_failed", "anne"), ("role_changed", "anne")]
    assert noted[2:] == [
        ("role_changed", "ann", "reviewer"),
        ("role_changed", "bob", "lead"),
        ("account_added", "bob", "reviewer"),
        ("account_added", "ann", "lead"),
    ]


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("ann", "short", "The password has 5 characters; 12 to 200 are allowed."),
        ("ann", "", "The password has 0 characters"),
        ("ann of the reviewers", "Ann of the Reviewers", "The password is the name."),
        ("<b>ann</b>", PASSWORD, "contains markup"),
        ("", PASSWORD, "The name is empty."),
    ],
)
def test_names_and_passwords_that_cannot_be_used_are_told(folder: str, name: str, password: str, told: str) -> None:
    result = run("reviewer", "add", folder, name, password=password)
    assert result.exit_code == 2
    assert told in result.stderr
    assert json.loads(run("reviewer", "list", folder, "--json").stdout) == []


def test_a_name_is_given_once_and_an_unknown_one_is_told(folder: str) -> None:
    run("reviewer", "add", folder, "ann")
    assert run("reviewer", "add", folder, "ann").exit_code == 1
    assert "Did you mean 'ann'?" in run("reviewer", "remove", folder, "anne").stderr


def test_a_page_that_is_not_built_is_not_served(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path / "nothing")
    for arguments in ([folder], ["serve", folder], [folder, "--port", "0"]):
        result = run(*arguments)
        assert result.exit_code == 1
        assert f"Run: beat-the-ai review reviewer add {folder} NAME --role lead" in result.stderr
        assert "The review page is not built yet. Run: make webapp" in result.stderr


def test_what_is_neither_a_campaign_nor_a_command_is_told() -> None:
    assert "lits holds no campaign.db" in run("lits").stderr
