"""`review` on the command line, with a store alone and with a marketplace."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.store import open_store
from tests.cli.test_payments import PAY, ROUND
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.store.builders import campaign
from tests.workforce.builders import submit


@pytest.fixture
def finished(tmp_path: Path) -> str:
    """Ten HITs of one worker, two of another."""
    store = open_store(str(tmp_path / "campaign.db"))
    config = {"crowd": {"provider": "mock", "requester": "me"}}
    store.campaigns.create(replace(campaign(), config=config), {"round": ROUND, "pay": PAY})
    submit(store, "A" * 10 + "BB")
    store.close()
    return str(tmp_path)


def run(*arguments: str, answer: str = "") -> Result:
    return CliRunner().invoke(main, ["review", *arguments], input=answer)


def read(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def sampled(given: str, worker: str = "A", reviewer: str = "ann") -> list[dict[str, Any]]:
    hits = read(run("list", given, "--json", "--worker", worker, "--reviewer", reviewer))["hits"]
    assert isinstance(hits, list)
    return hits


def exported(given: str, out: Path) -> int:
    result = CliRunner().invoke(main, ["export", given, "--format", "jsonl", "--out", str(out)])
    assert result.exit_code == 0, result.stderr
    attempts = [json.loads(line) for line in (out / "attempts.jsonl").read_text().splitlines()]
    return sum(attempt["part"] is not None for attempt in attempts)


def test_the_list_has_the_sample_with_everything_that_was_written(finished: str) -> None:
    told = read(run("list", finished, "--json"))
    assert [(one["worker"], one["completed"], one["sampled"]) for one in told["workers"]] == [("A", 10, 6), ("B", 2, 2)]
    assert len(told["hits"]) == 8
    assert told == read(run("list", finished, "--json"))
    [first, *_] = told["hits"]
    assert first["attempts"][0]["work"]["question"] == "Question 1? 𝄞 e\u0301"
    assert {item["kind"] for item in first["evidence"]} <= {
        "repeats_own",
        "repeats_other",
        "copies_account",
        "rushed",
    }
    assert told["agreement"] == {"units": 0, "percent": None, "alpha": None, "kappa": []}


def test_three_of_six_rejected_are_revoked_and_leave_the_export(finished: str, tmp_path: Path) -> None:
    for number, one in enumerate(sampled(finished)):
        if number % 2:
            read(run("reject", finished, one["assignment"], "--reviewer", "ann", "--reason", "no question", "--json"))
        else:
            read(run("accept", finished, one["assignment"], "--reviewer", "ann", "--json"))
    [person] = read(run("list", finished, "--json", "--worker", "A"))["workers"]
    assert (person["reviewed"], person["accepted"], person["recommended"]) == (6, 3, True)
    effect = {"worker": "A", "hits": 10, "attempts": 20, "wins": 10, "paid_cents": 0, "owed_cents": 10 * 225}
    assert person["consequences"] == effect
    assert exported(finished, tmp_path / "out") == 24
    asked = run("revoke", finished, "A", "--reason", "no questions", "--json")
    assert json.loads(asked.stdout) == effect
    assert "Nothing was changed" in asked.stderr
    assert exported(finished, tmp_path / "out") == 24
    event = read(run("revoke", finished, "A", "--reviewer", "ann", "--reason", "no questions", "--confirm", "--json"))
    assert (event["standing"], event["by"], event["reason"]) == ("revoked", "ann", "no questions")
    assert exported(finished, tmp_path / "out") == 4
    owed = CliRunner().invoke(main, ["statement", finished, "--json"])
    assert [one["earned_cents"] for one in json.loads(owed.stdout)[0]["workers"]] == [2250, 450]
    read(run("reinstate", finished, "A", "--reason", "wrong worker", "--json"))
    assert exported(finished, tmp_path / "out") == 24


def test_an_undone_verdict_counts_no_more(finished: str) -> None:
    [first, *_] = sampled(finished)
    read(run("reject", finished, first["assignment"], "--reviewer", "ann", "--reason", "no question", "--json"))
    assert sampled(finished)[0]["mine"] == {"verdict": "reject", "reason": "no question"}
    read(run("undo", finished, first["assignment"], "--reviewer", "ann", "--json"))
    assert sampled(finished)[0]["mine"] is None


def test_reviewers_do_not_see_each_other_before_they_have_judged(finished: str) -> None:
    [first, *_] = sampled(finished)
    run("reject", finished, first["assignment"], "--reviewer", "ann", "--reason", "no question")
    assert sampled(finished, reviewer="bob")[0]["others"] == []
    assert "no question" not in run("list", finished, "--reviewer", "bob").stdout
    run("accept", finished, first["assignment"], "--reviewer", "bob")
    assert [other["reviewer"] for other in sampled(finished, reviewer="bob")[0]["others"]] == ["ann"]


def test_people_get_tables(finished: str) -> None:
    [first, *_] = sampled(finished)
    run("reject", finished, first["assignment"], "--reviewer", "ann", "--reason", "no question")
    shown = " ".join(run("list", finished, "--reviewer", "ann").stdout.split())
    assert "revoke?" in shown
    assert "Revoking A would discard 10 HITs with 20 attempts, 10 of which beat the AI." in shown
    assert "No HIT has been judged by two reviewers yet." in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["accept", "FOLDER", "nothing"], "Unknown sampled assignment 'nothing'"),
        (["list", "FOLDER", "--worker", "C"], "Unknown worker 'C'. Available: A, B."),
        (["revoke", "FOLDER", "C", "--reason", "x", "--confirm"], "Unknown worker 'C'"),
        (["reject", "FOLDER", "nothing"], "Missing option '--reason'"),
        (["list", "/nonexistent"], "holds no campaign.db"),
    ],
)
def test_wrong_usage_is_told(finished: str, arguments: list[str], told: str) -> None:
    result = run(*[finished if one == "FOLDER" else one for one in arguments])
    assert result.exit_code == 2
    assert told in result.stderr


def test_without_a_marketplace_there_is_nothing_to_reconcile(finished: str) -> None:
    assert "agrees" in run("reconcile", finished).stdout
    assert read(run("reconcile", finished, "--json")) == []


def test_mephisto_is_not_loaded(finished: str) -> None:
    code = (
        f"import sys; from beat_the_ai.cli import main; main(['review', 'list', {finished!r}, '--json'], "
        "standalone_mode=False); assert 'mephisto' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (json.loads(done.stdout)["campaign"], done.stderr) == ("pilot", "")


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


def test_a_marketplaces_qualification_goes_and_comes_with_the_standing(
    tmp_path: Path, market: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, worker = market.new_requester(), market.new_worker()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    store = open_store(str(tmp_path / "campaign.db"))
    submit(store, "A")
    store.standings.add("pilot", worker, "qualified", by="ann", reason="", at=store.campaigns.get("pilot").created_at)
    store.close()
    given, where = str(tmp_path), ["--endpoint", market.address, "--json"]
    assert [one["kind"] for one in read(run("reconcile", given, "--dry-run", *where))] == ["missing"]
    assert [one["mended"] for one in read(run("reconcile", given, *where))] == [True]
    assert read(run("reconcile", given, *where)) == []
    assert [one["action"] for one in read(run("audit", given, "--json"))] == ["reconcile"] * 2
    told = read(run("revoke", given, worker, "--reviewer", "ann", "--reason", "gibberish", "--confirm", *where))
    assert (told["standing"], told["proposal"]["by"]) == (None, "ann")
    with monkeypatch.context() as colleague:
        colleague.setattr("beat_the_ai.cli.review.people.machine_user", lambda: "colleague")
        event = read(run("confirm", given, worker, "--reviewer", "bob", *where))
    assert (event["standing"], event["answer"]) == ("revoked", "confirmed")
    client = market.client(key)
    [kind] = client.list_qualification_types(MustBeRequestable=False, MustBeOwnedByCaller=True)["QualificationTypes"]
    type_id = kind["QualificationTypeId"]
    listed = client.list_workers_with_qualification_type(QualificationTypeId=type_id, Status="Granted")
    assert listed["Qualifications"] == []
    client.close()
    monkeypatch.setattr("beat_the_ai.requester.client.PAUSES_SECONDS", (0.1,))
    gone = run("reinstate", given, worker, "--reason", "an error", "--endpoint", "http://127.0.0.1:9")
    assert gone.exit_code == 1
    assert "is qualified" in gone.stdout
    assert "the marketplace did not follow" in gone.stderr
