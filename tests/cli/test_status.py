"""What `status`, report and data card say of a campaign: no rate of nothing, nobody's name for what they are not."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.transcript.contents import record
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Letter, PayDecision, Store, now
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign
from beat_the_ai.workforce import Reviewing, Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.payments.builders import submitted
from tests.store.builders import NEW_YEAR, attempt, context

RATE_OF_NOTHING = re.compile(r"(?<![\d.])0(\.0+)?%|– of 0\b")


def begin(store: Store, hits: int, **config: Any) -> list[str]:
    campaign = Campaign("pilot", "reading_comprehension", 7, "k" * 32, config, NEW_YEAR)
    store.campaigns.create(campaign, {"round": ROUND, "pay": PAY})
    return list(store.campaigns.offer("pilot", [context()], round_number=1, slots=hits))


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def written(folder: Path) -> tuple[str, str, str]:
    """Status, report and data card."""
    run("report", folder, "--out", folder / "report.html")
    run("export", folder, "--format", "jsonl", "--out", folder / "export")
    card = (folder / "export" / "README.md").read_text(encoding="utf-8")
    return run("status", folder), (folder / "report.html").read_text(encoding="utf-8"), card


def test_a_campaign_without_work_has_no_rate_of_nothing(store: Store, tmp_path: Path) -> None:
    begin(store, 1)
    status, report, card = written(tmp_path)
    assert "model error rate │ none yet │" in status
    for text in (status, re.sub(r"<style>.*</style>", "", report, flags=re.DOTALL), card, run("statement", tmp_path)):
        assert not RATE_OF_NOTHING.search(text), RATE_OF_NOTHING.search(text)
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert (told["error_rate"], told["checked"]["kept_share"]) == (None, None)
    empty = tmp_path / "empty.json"
    empty.write_text('{"data": []}')
    assert not RATE_OF_NOTHING.search(run("stats", empty))


def test_status_tells_of_messages_that_wait_and_are_late(store: Store, tmp_path: Path) -> None:
    begin(store, 1)
    assert "messages and appeals" not in run("status", tmp_path)
    for number, due_at in enumerate((NEW_YEAR, now() + timedelta(days=1))):
        store.letters.write(Letter(f"n{number}", "pilot", "w1", "message", "", "Hello", NEW_YEAR, due_at))
    assert "messages and appeals │ 2 wait for an answer, 1 past the deadline" in run("status", tmp_path)
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert told["letters"] == {"waiting": 2, "overdue": 1}


def test_status_tells_the_head_of_the_transcript_for_a_requester_to_publish(store: Store, tmp_path: Path) -> None:
    begin(store, 1)
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert told["transcript"] is None
    head = record(BoundCampaign.open(store, "pilot"))
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert (told["transcript"]["entries"], told["transcript"]["head"]) == (head.entries, head.head)
    assert f"Transcript of pilot: {head.entries} entries, {told['transcript']['at']}, head {head.head}." in run(
        "status", tmp_path
    )


def test_the_screening_has_its_name_and_all_stages_have_one_total(store: Store, tmp_path: Path) -> None:
    [first, _] = begin(store, 2)
    submitted(store, first, "WL", worker="A1")
    assert "All stages" not in run("status", tmp_path)
    samples = store.campaigns.create(sample_campaign(store.campaigns.get("pilot")), {"round": ROUND, "pay": PAY})
    [hit] = store.campaigns.offer(samples.id, [context()], round_number=1, slots=1)
    for worker in ("A1", "A2"):
        made = store.attempts.accept(hit, worker, f"3S-{worker}", NEW_YEAR, stage=Stage.SCREENING)[0]
        store.attempts.add(attempt(made.id, 1))
        store.assignments.submit(made.id, None, NEW_YEAR)
    status = run("status", tmp_path)
    assert "Screening of pilot" in status
    assert samples.id not in status
    _, _, total = status.partition("All stages of pilot")
    told = {one.get("screening_of"): one for one in json.loads(run("status", tmp_path, "--json"))}
    owed = told[None]["money"]["owed_cents"] + told["pilot"]["money"]["owed_cents"]
    assert owed > told[None]["money"]["owed_cents"] > 0
    assert "HITs that count │ 3: screening 2, writing 1" in total
    assert "attempts │ 4 " in total
    assert f"owed │ {show(owed, 'USD')} (cap" in total
    assert told["pilot"]["totals"] is None
    assert told[None]["totals"] == {
        "campaign": "pilot",
        "submissions": {"screening": 2, "writing": 1},
        "attempts": 4,
        "unit": "USD",
        "paid_cents": 0,
        "owed_cents": owed,
        "models_cents": 0,
        "cap_cents": told[None]["money"]["cap_cents"],
    }


def test_newcomers_who_were_refused_are_not_called_revoked(store: Store, tmp_path: Path) -> None:
    hits = begin(store, 2)
    workforce = Workforce(BoundCampaign.open(store, "pilot"))
    workforce.enter_screening("NEWCOMER", "3N-NEWCOMER")
    workforce.revoke("NEWCOMER", "ann", "did not get through the screening")
    workforce.qualify("LAZY", "ann")
    workforce.revoke("LAZY", "ann", "never came")
    submitted(store, hits[0], "WL", worker="BAD", crowd_id="3B")
    workforce.revoke("BAD", "ann", "copied")
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert (told["workers_revoked"], told["newcomers_refused"]) == (2, 1)
    status, report, card = written(tmp_path)
    assert "newcomers refused │ 1" in status
    assert "2 revoked, whose work is discarded" in status
    assert "Newcomers who were refused, without any work in the campaign: 1." in report
    assert "Writers all of whose work is discarded: 1." in card
    discarded = {worker: pseudonym(worker, store.campaigns.get("pilot")) for worker in ("NEWCOMER", "LAZY", "BAD")}
    assert [worker for worker, name in discarded.items() if name in report] == ["BAD"]


def test_the_report_tells_whose_work_is_discarded_how_much_and_why(store: Store, tmp_path: Path) -> None:
    first, second, third = begin(store, 3)
    submitted(store, first, "WLW", worker="BAD", crowd_id="3B")
    submitted(store, second, "W", worker="BAD", crowd_id="3C", minutes=40)
    submitted(store, third, "W", worker="GOOD", crowd_id="3G")
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    for draw in reviewing.draw():
        if store.assignments.get(draw.assignment_id).worker == "BAD":
            reviewing.reject(draw.assignment_id, "nora", "BAD has copied from GOOD")
    sampled = sum(store.assignments.get(name).worker == "BAD" for name in store.reviews.draws("pilot"))
    Workforce(BoundCampaign.open(store, "pilot")).revoke("BAD", "nora", "BAD has copied from GOOD")
    _, report, _ = written(tmp_path)
    name = pseudonym("BAD", store.campaigns.get("pilot"))
    why = f"revoked by a reviewer; 0 of {sampled} reviewed HITs were accepted"
    assert f'<th scope="row">{name}</th><td>2</td><td>4</td><td>0</td><td>{why}</td>' in report
    assert "copied from" not in report


def test_the_report_tells_what_waits_and_what_was_decided(store: Store, tmp_path: Path) -> None:
    first, second, third, fourth = begin(store, 4)
    empty = submitted(store, first, "", worker="A1", crowd_id="3X")
    submitted(store, second, "", worker="A2", crowd_id="3Y")
    submitted(store, third, "WW", worker="A3", crowd_id="3Z")
    left = store.attempts.accept(fourth, "A4", "3V-A4", NEW_YEAR)[0]
    store.pay_decisions.add(PayDecision(empty.id, False, "ann", "empty", NEW_YEAR))
    _, report, _ = written(tmp_path)
    assert '<th scope="row">empty, waiting for a person</th><td>2</td><td>0</td><td>1</td>' in report
    assert '<th scope="row">never handed in</th><td>1</td><td>0</td><td>0</td>' in report
    assert left.id not in report


def test_the_crowd_of_a_rehearsal_is_gone_and_nobody_asks_for_its_keys(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    crowd = {"provider": "mturk", "requester": "lab", "endpoint_url": "http://127.0.0.1:9"}
    begin(store, 1, simulated=True, crowd=crowd)
    Workforce(BoundCampaign.open(store, "pilot")).enter_screening("A1", "3N-A1")
    [told] = json.loads(run("status", tmp_path, "--json"))
    assert (told["crowd"], told["away"]) == (None, None)
    assert "review" not in run("review", "grant", tmp_path, "A1", "--reason", "known")
    assert "Nothing" not in run("pay", tmp_path, "--confirm")
    assert "AWS" not in run("review", "revoke", tmp_path, "A1", "--reason", "no", "--confirm")


def test_a_rehearsal_says_on_top_that_simulated_people_made_it(store: Store, tmp_path: Path) -> None:
    begin(store, 1, simulated=True)
    status, report, card = written(tmp_path)
    assert "Campaign pilot: a rehearsal with simulated people" in status
    for text in (report, card):
        words = text.index("simulated people made all of this")
        assert words < text.index("attempts")
        assert text.index("pilot") < words


def test_a_campaign_of_people_does_not_say_so_whatever_its_name(store: Store, tmp_path: Path) -> None:
    begin(store, 1, name="rehearsal")
    assert not [text for text in written(tmp_path) if "simulated" in text]
