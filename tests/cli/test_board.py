"""`review board` and `review unlist`: whose name is on the leader board, taking it off, and that no export has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.people import person
from beat_the_ai.marketplace.people import store as people
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.review import new_account
from beat_the_ai.store import Store, open_store
from tests.cli.test_payments import PAY, ROUND
from tests.cli.test_review import read, run
from tests.review.builders import PASSWORD
from tests.store.builders import NEW_YEAR, campaign
from tests.workforce.builders import submit

NAME = "Wombat Seventeen"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A campaign of one's own people; A and B have worked, and A has chosen a name."""
    opened = open_store(str(tmp_path / "campaign.db"))
    config = {"crowd": {"provider": "own", "requester": "me", "people": str(tmp_path / "people")}}
    opened.campaigns.create(replace(campaign(), config=config), {"round": ROUND, "pay": PAY})
    submit(opened, "AAB")
    opened.board.choose("pilot", "A", NAME, NEW_YEAR)
    yield opened
    opened.close()


def test_a_name_is_listed_taken_off_and_allowed_again(store: Store, tmp_path: Path) -> None:
    [row] = read(run("board", str(tmp_path), "--json"))
    assert row == {"worker": "A", "name": NAME, "wins": 0, "streak": 0, "best": 0, "at": row["at"]}
    assert NAME.split()[0] in run("board", str(tmp_path)).stdout
    done = run("unlist", str(tmp_path), "A", "--reason", "rude", "--reviewer", "ann")
    assert done.stdout == "A is off the leader board.\n"
    assert [one.name for one in store.board.of_campaign("pilot")] == [None]
    assert "(taken off)" in run("board", str(tmp_path)).stdout
    again = run("unlist", str(tmp_path), "A", "--reason", "rude")
    assert again.exit_code != 0
    read(run("unlist", str(tmp_path), "A", "--undo", "--reason", "sorry", "--reviewer", "ann", "--json"))
    assert run("board", str(tmp_path)).stdout == "Nobody has chosen a name for the leader board.\n"
    entries = [(one.action, one.subject) for one in store.audit.entries(limit=None)[::-1]]
    assert entries == [("unlist", "A"), ("unlist", "A"), ("unlist_failed", "A"), ("relist", "A")]


def test_only_a_lead_takes_a_name_off(store: Store, tmp_path: Path) -> None:
    new_account(store, "bob", PASSWORD)
    done = run("unlist", str(tmp_path), "A", "--reason", "rude", "--reviewer", "bob", answer=f"{PASSWORD}\n")
    assert done.exit_code != 0
    assert "takes the role requester or lead" in done.stderr
    assert store.board.listed("pilot") == {"A": NAME}


def test_who_has_withdrawn_is_not_on_the_list_any_more(store: Store, tmp_path: Path) -> None:
    assert len(read(run("board", str(tmp_path), "--json"))) == 1
    with people.people_at(str(tmp_path / "people"), create=True) as market, market.writing() as moment:
        [somebody] = person.add_people(moment, [NewPerson("Some Body")], "active")
        withdrawals.withdraw(moment, somebody.worker_id)
    store.board.choose("pilot", somebody.worker_id, "Owl", NEW_YEAR)
    assert [row["worker"] for row in read(run("board", str(tmp_path), "--json"))] == ["A"]
    assert store.board.listed("pilot") == {"A": NAME}


@pytest.mark.parametrize("kind", ["jsonl", "squad", "parquet", "hf"])
@pytest.mark.usefixtures("store")
def test_no_export_has_the_name(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["export", str(tmp_path), "--format", kind, "--out", str(out)])
    assert done.exit_code == 0, done.stderr
    report = CliRunner().invoke(main, ["report", str(tmp_path), "--out", str(out / "report.html")])
    assert report.exit_code == 0, report.stderr
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 1
    assert [path for path in files if NAME.encode() in path.read_bytes()] == []
    status = CliRunner().invoke(main, ["status", str(tmp_path), "--json"])
    assert NAME not in json.dumps(status.stdout)
