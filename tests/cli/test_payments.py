"""`pay` and `statement` on the command line, against a cash desk that speaks MTurk's protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.store import open_store
from tests.payments.builders import submitted
from tests.payments.cash_desk import CashDesk
from tests.store.builders import campaign, context

ROUND = {
    "number": 1, "hits_per_context": 1, "max_hits": None, "wins_wanted": 3, "max_wins": 5, "max_tries": 25,
    "time_limit_seconds": 3600,
}  # fmt: skip
PAY = {"reward_cents": 200, "bonus_cents_per_win": 25, "streak_bonus_cents": {"2": 5}, "cap_cents": 100_000}


def make_campaign(folder: Path, provider: str = "mock", language: str = "en", **pay: Any) -> str:
    """Two finished HITs, one with two wins in a row, one without; a third is open."""
    folder.mkdir()
    store = open_store(str(folder / "campaign.db"))
    config = {"crowd": {"provider": provider, "requester": "me"}}
    terms = {"round": ROUND, "pay": {**PAY, **pay}, "language": {"pages": language}}
    store.campaigns.create(replace(campaign(), config=config | {"task_dir": str(folder)}), terms)
    first, second, _ = store.campaigns.offer("pilot", [context()], round_number=1, slots=3)
    submitted(store, first, "WW", worker="A1", crowd_id="3X", minutes=30)
    submitted(store, second, "L", worker="A2", crowd_id="3Y", minutes=60)
    store.close()
    return str(folder)


@pytest.fixture
def finished(tmp_path: Path) -> str:
    return make_campaign(tmp_path / "campaign")


@pytest.fixture
def desk() -> CashDesk:
    return CashDesk(statuses={"3X": "Submitted", "3Y": "Submitted"})


@pytest.fixture
def address(desk: CashDesk, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with desk.open() as opened:
        yield opened


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def read(result: Result) -> Any:
    [only] = json.loads(result.stdout)
    return only


def test_pay_shows_what_is_owed_and_changes_nothing_without_confirm(finished: str) -> None:
    for _ in range(2):
        result = run("pay", finished)
        assert result.exit_code == 0
        assert "Nothing was sent. Pay with --confirm." in result.stdout
        assert "rewards to pay" in result.stdout
    shown = read(run("pay", finished, "--json"))
    assert shown["planned"]["cost_cents"] == 2 * 240 + 60 + 6
    assert [one["purpose"] for one in shown["planned"]["new"]] == ["reward", "reward", "wins", "streak:2"]
    assert shown["ledger"]["intent"] == {"payments": 0, "cents": 0}


def test_pay_with_confirm_pays_once(finished: str, desk: CashDesk, address: str) -> None:
    for _ in range(2):
        result = run("pay", finished, "--confirm", "--endpoint", address, "--json")
        assert result.exit_code == 0, result.stderr
    assert read(result)["ledger"]["confirmed"] == {"payments": 4, "cents": 546}
    assert [(bonus.worker, bonus.cents) for bonus in desk.booked] == [("A1", 50), ("A1", 5)]
    assert set(desk.statuses.values()) == {"Approved"}


def test_what_could_not_be_paid_is_said_and_the_exit_status_is_1(finished: str, desk: CashDesk, address: str) -> None:
    desk.balance_cents = 0
    result = run("pay", finished, "--confirm", "--endpoint", address)
    assert result.exit_code == 1
    assert "2 payments are not confirmed yet" in result.stderr
    assert "Paid now: 2 payments, $4.80 with fees." in result.stdout
    assert "insufficient funds" in result.stderr
    desk.balance_cents = 1000
    result = run("pay", finished, "--confirm", "--endpoint", address)
    assert (result.exit_code, result.stderr) == (0, "Everything is paid.\n")
    assert "Paid now: 2 payments, $0.66 with fees." in result.stdout


@pytest.mark.parametrize("language", ["de", "ar"])
def test_workers_read_what_a_bonus_is_for_in_the_campaigns_language_and_are_paid_once_in_whichever(
    tmp_path: Path, desk: CashDesk, address: str, language: str
) -> None:
    folder = make_campaign(tmp_path / "campaign", language=language)
    run("pay", folder, "--confirm", "--endpoint", address)
    reasons = [bonus.reason for bonus in desk.booked]
    assert len(reasons) == 2
    assert all(reason.endswith("/A1/3X]") and "Bonus for" not in reason for reason in reasons)
    if language == "de":
        assert reasons[0] == "Bonus für 2 Siege gegen die KI. Danke! [pilot/wins/A1/3X]"
    with closing(open_store(str(tmp_path / "campaign" / "campaign.db"))) as store:
        store.rounds.amend("pilot", 1, {"round": ROUND, "pay": PAY, "language": {"pages": "es"}})
    run("pay", folder, "--confirm", "--endpoint", address)
    assert [bonus.reason for bonus in desk.booked] == reasons


def test_a_task_folder_has_its_own_words_for_what_a_bonus_is_for(tmp_path: Path, desk: CashDesk, address: str) -> None:
    folder = make_campaign(tmp_path / "campaign")
    override(tmp_path / "campaign", "en", wins="Well done: {number, plural, other {#}}!")
    run("pay", folder, "--confirm", "--endpoint", address)
    assert desk.booked[0].reason == "Well done: 2! [pilot/wins/A1/3X]"


@pytest.mark.parametrize("broken", ["{number, plural, other {#}", "{number, plural, one {#}}"])
def test_nobody_waits_for_money_because_of_a_task_folders_words(
    tmp_path: Path, desk: CashDesk, address: str, broken: str
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    override(tmp_path / "campaign", "en", wins=broken)
    run("pay", folder, "--confirm", "--endpoint", address)
    assert desk.booked[0].reason == "Bonus for 2 wins against the AI. Thank you! [pilot/wins/A1/3X]"


def override(task_dir: Path, language: str, *, wins: str) -> None:
    folder = task_dir / "words" / language
    folder.mkdir(parents=True)
    (folder / "notices.json").write_text(json.dumps({"bonus.wins": wins}))


def test_the_campaigns_cap_holds_unless_another_is_named(tmp_path: Path, desk: CashDesk, address: str) -> None:
    tight = make_campaign(tmp_path / "tight", cap_cents=2 * 240 + 240)  # the open HIT's reward is kept aside
    result = run("pay", tight, "--confirm", "--endpoint", address)
    assert (result.exit_code, desk.booked) == (1, [])
    assert "2 are beyond the cap" in result.stderr
    assert run("pay", tight, "--confirm", "--endpoint", address, "--cap-cents", "1000").exit_code == 0
    assert len(desk.booked) == 2


def test_a_crowd_that_pays_nobody_is_refused(finished: str) -> None:
    result = run("pay", finished, "--confirm")
    assert result.exit_code == 1
    assert "'mock'" in result.stderr
    assert "--endpoint URL" in result.stderr


def test_a_campaign_from_before_there_was_a_cap_needs_one(tmp_path: Path) -> None:
    old = make_campaign(tmp_path / "old", cap_cents=0)
    assert len(read(run("pay", old, "--json"))["planned"]["beyond_cap"]) == 4
    assert read(run("pay", old, "--json", "--cap-cents", "1000"))["planned"]["beyond_cap"] == []


def test_statements_tell_every_amount_and_the_pay_by_the_hour(finished: str, desk: CashDesk, address: str) -> None:
    run("pay", finished, "--confirm", "--endpoint", address)
    told = read(run("statement", finished, "--json"))
    assert told["hourly"] == {"assignments": 2, "lower_cents": 277.5, "median_cents": 355, "upper_cents": 432.5}
    one, two = told["workers"]
    assert (one["worker"], one["paid_cents"], one["earned_cents"]) == ("A1", 255, 255)
    assert (two["worker"], two["hourly"]["median_cents"]) == ("A2", 200)
    assert one["lines"][1] == {
        "assignment": "3X",
        "purpose": "wins",
        "cents": 50,
        "reason": "Bonus for 2 wins against the AI. Thank you! [pilot/wins/A1/3X]",
        "state": "confirmed",
    }


def test_a_statement_may_be_of_one_worker(finished: str) -> None:
    shown = run("statement", finished, "--worker", "A1").stdout
    assert "Worker A1" in shown
    assert "[pilot/streak:2/A1/3X]" in shown
    assert "$5.10 an hour" in shown
    assert "A2" not in shown
    result = run("statement", finished, "--worker", "A3")
    assert result.exit_code == 2
    assert "Unknown worker 'A3'. Available: A1, A2." in result.stderr


def test_all_workers_fit_into_a_table(finished: str) -> None:
    shown = run("statement", finished).stdout
    assert "all workers: $3.55 an hour (quartiles $2.78 to $4.33, 2 HITs, pauses included)" in shown


@pytest.mark.parametrize("command", ["pay", "statement"])
def test_nothing_but_json_is_printed_for_programs_and_mephisto_is_not_loaded(command: str, finished: str) -> None:
    code = (
        f"import sys; from beat_the_ai.cli import main; main([{command!r}, {finished!r}, '--json'], "
        "standalone_mode=False); assert 'mephisto' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (len(json.loads(done.stdout)), done.stderr) == (1, "")


@pytest.mark.parametrize("command", ["pay", "statement"])
def test_a_folder_without_a_campaign_is_wrong_usage(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path))
    assert result.exit_code == 2
    assert "holds no campaign.db" in result.stderr


def test_no_hit_is_offered_when_the_campaign_could_cost_more_than_its_cap(tmp_path: Path) -> None:
    task = str(Path(__file__).parents[2] / "tasks" / "reading_comprehension")
    out = tmp_path / "out"
    given = ["--workers", "1", "round.max_hits=2", "pay.cap_cents=1199", "--out", str(out)]
    result = run("rehearse", task, *given)
    assert result.exit_code == 1
    # 2 HITs that may be offered once more, 2 screenings, the validation of the passage that is not in train; with fees
    assert "could cost up to $16.80" in result.stderr
    assert not (out / "private" / "marketplace.db").exists()
    store = open_store(str(out / "private" / "campaign.db"))
    assert store.campaigns.ids() == []
    store.close()
