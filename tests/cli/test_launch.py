"""`launch`, `status` and `pay`: real processes, a real marketplace, workers in its portal."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.forecasts.plans import plan_of
from beat_the_ai.campaign.models.check import ModelCheck, keep_check
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.forecast.forecasting import Wishes, forecast
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.mephisto.mturk.survey import as_offered
from beat_the_ai.requester import Label, Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import portal_workplaces
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.locate import private_folder
from tests.cli.launching import (
    HITS,
    NAME,
    OPTIONS,
    PATIENCE_SECONDS,
    TASK,
    Outcome,
    call,
    campaign_store,
    check_marketplace,
    launch_arguments,
    launching,
    needs_pages,
    people,
    run,
    submitted,
    write,
    write_all,
)
from tests.forecast.crowds import Crowd
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import in_thread, kill_router

pytestmark = [needs_pages, pytest.mark.usefixtures("impatient_workers")]


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


def status(out: Path) -> dict[str, Any]:
    done = run("status", str(out), "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    [told] = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def states(requester: Requester) -> dict[str, int]:
    """How many of the account's HITs are in each state."""
    found = Counter(as_offered(label, hit).state for hit in requester.hits() if (label := Label.of(hit)))
    return dict(found)


def no_campaign(out: Path) -> bool:
    store = open_store(str(out / "private" / "campaign.db"))
    try:
        return store.campaigns.ids() == []
    finally:
        store.close()


def test_a_launch_shows_what_it_may_cost_and_asks_first(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out), answer="n\n")
    assert done.exit_code == 1
    shown = " ".join(done.stdout.replace("│", " ").split())
    assert f"HITs {HITS}" in shown
    assert "rewards $8.00 ($2.00 a HIT)" in shown
    assert "fees on rewards $1.60" in shown
    assert "largest bonuses, with fees $2.40" in shown  # 5 wins for each HIT, a fifth in fees
    assert "bonus, as workers are told $0.10 for every win, once it counts" in shown
    assert "the campaign at most $24.00" in shown  # each passage may be offered once more
    assert "balance at the crowd $1,000.00" in shown
    assert "The cap leaves $27,000.00 to spend, more than the account has." in shown
    assert "; nobody checks questions of train (validation.parts)" in shown
    assert "launched later" not in shown
    assert "Nobody has the qualification" not in shown
    assert "Nothing was launched." in done.stderr
    assert no_campaign(out)
    assert states(requester_alone) == {}


def test_with_arms_a_launch_shows_each_arms_bonuses_and_costs_the_dearest(
    requester_alone: Requester, out: Path
) -> None:
    human, paid = "shows_model: false, pay: {bonus_cents_per_win: 0}", "pay: {bonus_cents_per_win: 30}"
    arms = f"round.arms={{human: {{{human}}}, paid: {{{paid}}}}}"
    done = run("launch", *launch_arguments(out, arms), answer="n\n")
    shown = " ".join(done.stdout.replace("│", " ").split())
    assert "bonus in arm paid $0.30 for every win, once it counts" in shown
    assert "arm human" not in shown
    assert "largest bonuses, with fees $7.20" in shown
    assert states(requester_alone) == {}


def test_a_cap_that_the_account_covers_is_not_remarked_upon(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out, "pay.cap_cents=100000"), answer="n\n")
    assert "balance at the crowd" in done.stdout
    assert "more than the account has" not in done.stdout


def test_a_launch_tells_what_is_not_as_in_the_paper(requester_alone: Requester, out: Path) -> None:
    shown = run("launch", *launch_arguments(out, "preset=bartolo-2020-bidaf", "round.max_wins=4"), answer="n\n").stdout
    assert "preset=bartolo-2020-bidaf: Bartolo et al. 2020" in shown
    assert "no limit is named" in shown
    assert "chosen by the" in shown


def test_a_launch_tells_the_forecast_that_was_kept_and_whether_it_is_of_another_plan(
    requester_alone: Requester, out: Path
) -> None:
    pilot = Crowd().pilot(np.random.default_rng(1), 6)
    settings = read_settings(TASK, OPTIONS, out=out)
    with closing(open_store(f"sqlite:///{private_folder(out)}/other.db")) as store:
        planned = plan_of(PlannedRound(store, settings))
    for plan, is_another in ((planned, False), (replace(planned, reoffers=3), True)):
        found = forecast(pilot, plan, now(), (), Wishes(draws=50))
        KEPT_FORECAST.write(out, found)
        shown = run("launch", *launch_arguments(out), answer="n\n").stdout
        assert found.estimates["total_cents"].cell("USD") in shown
        assert ("made for other settings" in shown) == is_another


def test_a_launch_says_when_nobody_may_come(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out, "qualification=open", "validation.parts=[train]"), answer="n\n")
    assert "validation, launched later" in done.stdout
    assert "Nobody has the qualification that these HITs ask for" in done.stdout


def test_a_launch_says_which_rules_do_not_apply_to_the_language_of_the_data(
    requester_alone: Requester, out: Path
) -> None:
    shown = [run("launch", *launch_arguments(out, *more), answer="n\n").stdout for more in ((), ("language.data=ar",))]
    assert ["For English only, and not applied here: the floor of questions" in each for each in shown] == [False, True]


def test_a_launch_tells_how_many_ordinary_questions_beat_the_model_or_how_to_find_out(
    requester_alone: Requester, out: Path
) -> None:
    model = "onnx:bidaf-small"
    unknown = run("launch", *launch_arguments(out), answer="n\n").stdout
    command = f"beat-the-ai adversary check {model} --task reading_comprehension --out {out}"
    assert f"{model} was never checked: {command}\n" in unknown
    identity = ModelIdentity("bidaf-small", "reading_comprehension", "0" * 64, "fp32")
    check = ModelCheck(identity, "gold.json", "1" * 64, {}, 200, 50, 0.01, 0.02, interval=(0.175, 0.343))
    keep_check(out, model, check)
    known = run("launch", *launch_arguments(out), answer="n\n").stdout
    assert "was never checked" not in known
    assert "25 of a hundred (95% interval" in known


def test_a_balance_that_does_not_cover_the_rewards_is_refused(
    shared_market: Rehearsal, monkeypatch: pytest.MonkeyPatch, out: Path
) -> None:
    key = shared_market.new_requester(dollars=9)
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", shared_market.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    done = run("launch", *launch_arguments(out, "--yes"))
    assert done.exit_code == 1
    assert "The balance does not cover rewards and fees." in done.stderr
    assert no_campaign(out)


def test_a_crowd_that_pays_nobody_is_wrong_usage(out: Path) -> None:
    done = run("launch", str(TASK), "--out", str(out), "crowd=mock")
    assert done.exit_code == 2
    assert "crowd=mock pays nobody. Launch with one of crowd=link, crowd=mturk, crowd=own" in done.stderr
    assert not out.exists()


def test_a_form_that_cannot_be_asked_is_refused_before_anything_is_made(out: Path) -> None:
    done = run("launch", str(TASK), "--out", str(out), "crowd=own", "forms.before=[nowhere.md]")
    assert done.exit_code == 2
    assert "there is no file" in done.stderr
    assert not out.exists()


def test_an_address_that_is_none_is_named(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out, "--yes", "crowd.endpoint_url=127.0.0.1:8700"))
    assert done.exit_code == 2
    assert "'127.0.0.1:8700' is no address. One begins with http:// or https://" in done.stderr
    assert "Traceback" not in done.stderr
    assert no_campaign(out)


def test_more_than_the_cap_is_refused_before_anything_is_asked(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out, "pay.cap_cents=1199"), answer="y\n")
    assert done.exit_code == 1
    assert "could cost up to $24.00" in done.stderr
    assert "Traceback" not in done.stderr
    assert no_campaign(out)
    assert states(requester_alone) == {}


@pytest.mark.parametrize("option", ["--resume", "--stop"])
def test_there_must_be_a_campaign_to_go_on_with_or_to_end(requester_alone: Requester, out: Path, option: str) -> None:
    done = run("launch", *launch_arguments(out, option))
    assert done.exit_code == 2
    assert f"Unknown campaign '{NAME}'" in done.stderr
    assert states(requester_alone) == {}


def test_resume_and_stop_exclude_each_other(requester_alone: Requester, out: Path) -> None:
    done = run("launch", *launch_arguments(out, "--resume", "--stop"))
    assert done.exit_code == 2
    assert "Choose one of them." in done.stderr


@pytest.fixture
def known(out: Path) -> Settings:
    """A campaign whose writing was launched, without anything at the crowd."""
    private_folder(out)
    given = read_settings(TASK, OPTIONS, out=out)
    with campaign_store(out) as store:
        begin_or_resume(PlannedRound(store, given))
        create_hits(PlannedRound(store, given))
        store.rounds.freeze(NAME, 1, Stage.WRITING.value, now())
    return given


def test_a_stopped_round_is_offered_no_more_passages(requester_alone: Requester, out: Path, known: Settings) -> None:
    more = out.with_name("more.jsonl")
    [line, *_] = known.contexts.read_text(encoding="utf-8").splitlines()
    more.write_text(json.dumps({**json.loads(line), "id": "new", "context": "A new passage.", "questions": []}))
    with campaign_store(out) as store:
        store.rounds.close(NAME, now())
        before = store.campaigns.contexts(NAME)
    for arguments in ([f"contexts={more}"], ["round.max_hits=8"], ["--replace-discarded"]):
        done = run("launch", "--out", str(out), "--resume", "--yes", *arguments)
        assert done.exit_code == 1
        assert f"beat-the-ai round open --out {out}" in done.stderr
    again = run("launch", "--out", str(out), "--yes")
    assert (again.exit_code, "Round 1 is closed" in again.stderr) == (1, True)
    with campaign_store(out) as store:
        assert store.campaigns.contexts(NAME) == before
    opened = run("round", "open", "--out", str(out), f"contexts={more}")
    assert (opened.exit_code, "with 1 passages" in opened.stdout) == (0, True)


def test_what_was_never_launched_is_not_closed(requester_alone: Requester, out: Path, known: Settings) -> None:
    done = run("launch", "--out", str(out), "--stop", "--stage", "screening")
    assert (done.exit_code, "was never launched" in done.stderr) == (1, True)
    more = run("launch", "--out", str(out), "--stop", "round.max_hits=8")
    assert (more.exit_code, "offers no more HITs" in more.stderr) == (1, True)
    with campaign_store(out) as store:
        assert not store.rounds.is_closed(NAME, 1)


def test_a_launch_that_fails_leaves_nothing_to_go_on_with(requester_alone: Requester, out: Path) -> None:
    """The port is taken; then it is free, and other terms are chosen."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        failed = call("launch", *launch_arguments(out, "--yes", f"profile.port={port}"))
        assert failed.returncode == 1
        assert f"Cannot listen on 127.0.0.1 port {port}" in failed.stderr
        assert "Traceback" not in failed.stderr
    assert states(requester_alone) == {}
    assert no_campaign(out)
    assert not list(out.glob("private/mephisto/*"))
    with launching(out, "--yes", f"profile.port={port}", "round.max_wins=4") as launch:
        assert states(requester_alone) == {"open": HITS}
        assert launch.stop(signal.SIGTERM) == 0


def test_a_launch_with_an_unknown_model_leaves_nothing_to_go_on_with(requester_alone: Requester, out: Path) -> None:
    failed = call("launch", *launch_arguments(out, "--yes", "adversary.members=['onnx:no-such-model']"))
    assert (failed.returncode, "Traceback" in failed.stderr) == (1, False)
    assert no_campaign(out)
    assert not list(out.glob("private/mephisto/*"))


def test_the_whole_way_of_a_launch(market: Rehearsal, requester: Requester, out: Path) -> None:
    """Launched, written, ended by itself, paid; each step once, and told by `status`."""
    with launching(out, "--yes") as launch:
        assert states(requester) == {"open": HITS}
        told = status(out)
        assert (told["hits"], told["hits_submitted"], told["served"], told["closed_at"]) == (HITS, 0, ["writing"], None)
        assert told["crowd"]["writing"]["open"] == HITS
        again = run("launch", *launch_arguments(out, "--yes"))
        assert again.exit_code == 1
        assert "Go on with --resume" in again.stderr
        second = call("launch", *launch_arguments(out, "--resume"))
        assert second.returncode == 1
        assert "Another process serves this campaign already" in second.stderr
        assert write_all(market, out) == HITS
        assert launch.end() == 0
    assert f"The writing has ended. Pay what it owes: beat-the-ai pay {out}" in launch.printed
    assert states(requester) == {"decided": HITS}  # rewards are released on the way
    told = status(out)
    assert (told["hits_submitted"], told["served"], told["crowd"]["writing"]["decided"]) == (HITS, [], HITS)
    assert told["money"]["confirmed_cents"] == HITS * 240
    owed_cents = told["money"]["owed_cents"]
    assert owed_cents == told["fooled"] * 12 > 0
    shown = run("status", str(out))
    assert shown.exit_code == 0
    assert f"{HITS} of {HITS}" in shown.stdout

    assert call("launch", *launch_arguments(out, "--resume")).returncode == 0  # there is nothing left to do
    assert states(requester) == {"decided": HITS}

    assert run("pay", str(out)).exit_code == 0
    assert status(out)["money"]["owed_cents"] == owed_cents
    for _ in range(2):
        paid = run("pay", str(out), "--confirm")
        assert (paid.exit_code, paid.stderr) == (0, "Everything is paid.\n")
        outcome = Outcome.of(out)
        assert outcome.cents() == HITS * 240 + owed_cents
        check_marketplace(outcome)


def test_an_operator_that_is_killed_is_resumed_with_the_same_attempts(
    market: Rehearsal, requester: Requester, out: Path
) -> None:
    made: dict[str, Any] = {}
    killed = asyncio.Event()

    with launching(out, "--yes") as first:

        def on_attempt(attempt: Any) -> None:
            made[attempt["attempt_id"]] = attempt["fooled"]
            if len(made) == 7:
                first.kill()
                killed.set()

        async def survive() -> None:
            accounts = people(market, 2)
            workplaces = portal_workplaces(market.address, accounts)
            working = asyncio.create_task(write(workplaces, 2, lambda: submitted(out) >= HITS, on_attempt))
            await asyncio.wait_for(killed.wait(), PATIENCE_SECONDS)
            assert (await asyncio.to_thread(status, out))["served"] == []
            async with in_thread(launching(out, "--resume")) as launch:
                assert await working == HITS
                assert await asyncio.to_thread(launch.end) == 0

        asyncio.run(survive())
    with campaign_store(out) as store:
        stored = [(row.attempt.id, row.attempt.fooled) for row in store.attempts.of_campaign(NAME)]
    assert sorted(stored) == sorted(made.items())
    assert run("pay", str(out), "--confirm").exit_code == 0
    check_marketplace(Outcome.of(out))


def test_a_launch_that_is_stopped_goes_on_with_resume(market: Rehearsal, requester: Requester, out: Path) -> None:
    with launching(out, "--yes") as launch:
        assert launch.stop(signal.SIGINT) == 0
        assert f"Send people to {market.address}/worker" in launch.printed
        assert f"Stopped; this goes on: beat-the-ai launch --resume --out {out}" in launch.printed
    assert states(requester) == {"open": HITS}
    other = run("launch", *launch_arguments(out, "--yes", "name=typo"))
    assert (other.exit_code, "is the folder of another campaign" in other.stderr) == (1, True)
    assert "typo" not in run("status", str(out)).stdout
    early = run("launch", "--out", str(out), "--resume", "--stage", "validation")
    assert (early.exit_code, "was never launched" in early.stderr) == (1, True)
    changed = run("launch", *launch_arguments(out, "--resume", "pay.reward_cents=300"))
    assert changed.exit_code == 2
    assert "pay.reward_cents: 200 in the campaign, 300 was given" in changed.stderr
    with launching(out, "--resume") as launch:
        assert states(requester) == {"open": HITS}
        assert launch.stop(signal.SIGTERM) == 0
        assert f"Stopped; this goes on: beat-the-ai launch --resume --out {out}" in launch.printed
    with launching(out, "--resume") as launch:
        assert write_all(market, out) == HITS
        assert launch.end() == 0
    assert states(requester) == {"decided": HITS}


@pytest.mark.parametrize("served", [True, False])
def test_stop_takes_open_hits_off_the_market_and_lets_whoever_is_at_work_finish(
    market: Rehearsal, requester: Requester, out: Path, served: bool
) -> None:
    """By the process that serves the campaign, or by the one that stops it when nobody does."""
    with launching(out, "--yes") as launch:
        stopped: list[Any] = []

        def on_attempt(_: Any) -> None:
            if stopped:
                return
            if not served:
                launch.kill()
                stopped.append(None)
            else:
                stopped.append(call("launch", *launch_arguments(out, "--stop")))

        async def work() -> None:
            accounts = people(market, 1)
            workplaces = portal_workplaces(market.address, accounts)
            working = asyncio.create_task(write(workplaces, 1, lambda: submitted(out) >= 1, on_attempt))
            while not stopped:
                await asyncio.sleep(0.02)
            if served:
                assert await working == 1
                assert await asyncio.to_thread(launch.end) == 0
                return
            async with in_thread(launching(out, "--stop")) as with_stop:
                assert await working == 1
                assert await asyncio.to_thread(with_stop.end) == 0

        asyncio.run(work())
    if served:
        assert stopped[0].returncode == 0
        assert "The process that serves it takes its HITs off the market and ends." in " ".join(
            stopped[0].stdout.split()
        )
    assert states(requester) == {"expired": HITS - 1, "decided": 1}
    told = status(out)
    assert told["closed_at"] is not None
    assert (told["hits_submitted"], told["served"], told["money"]["confirmed_cents"]) == (1, [], 240)
    assert call("launch", *launch_arguments(out, "--stop")).returncode == 0  # a second time there is nothing to do
    assert run("pay", str(out), "--confirm").exit_code == 0
    check_marketplace(Outcome.of(out), hits=1)


def test_status_works_while_the_marketplace_is_away(market: Rehearsal, requester: Requester, out: Path) -> None:
    with launching(out, "--yes") as launch:
        market.kill()
        told = status(out)
        assert told["crowd"] is None
        assert "No answer from the crowd" in told["away"]
        assert (told["hits"], told["served"]) == (HITS, ["writing"])
        shown = run("status", str(out))
        assert shown.exit_code == 0
        assert "unknown: No answer from the crowd" in " ".join(shown.stdout.replace("│", " ").split())
        assert launch.stop(signal.SIGTERM) == 0


def test_status_of_a_folder_without_a_campaign_is_wrong_usage(tmp_path: Path) -> None:
    assert run("status", str(tmp_path)).exit_code == 2
