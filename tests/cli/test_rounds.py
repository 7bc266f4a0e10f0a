"""A campaign of two rounds on a real marketplace: each pays, judges and offers by terms of its own."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest

from beat_the_ai.requester import Requester
from beat_the_ai.simulation.marketplace import portal_workplaces
from tests.cli.launching import (
    NAME,
    OPTIONS,
    TASK,
    Launch,
    Outcome,
    call,
    campaign_store,
    check_marketplace,
    needs_pages,
    people,
    run,
    submitted,
    write,
)
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import kill_router

pytestmark = [needs_pages, pytest.mark.usefixtures("impatient_workers")]
HITS = 2  # of each round


def write_until(market: Rehearsal, out: Path, hits: int) -> None:
    accounts = people(market, 2)
    asyncio.run(write(portal_workplaces(market.address, accounts), 2, lambda: submitted(out) >= hits))


def test_each_round_pays_and_judges_by_its_own_terms(market: Rehearsal, requester: Requester, tmp_path: Path) -> None:
    out = tmp_path / "campaign"
    place = ["--out", str(out)]
    try:
        first = Launch(out, "--yes", f"round.max_hits={HITS}")
        early = run("round", "open", *place, "pay.reward_cents=300")
        assert (early.exit_code, "is being served" in early.stderr) == (1, True)
        write_until(market, out, HITS)
        assert first.end() == 0

        changed = run(
            "launch", str(TASK), *OPTIONS, f"round.max_hits={HITS}", *place, "--resume", "pay.reward_cents=300"
        )
        assert changed.exit_code == 2
        assert "pay.reward_cents: 200 in the campaign, 300 was given" in changed.stderr
        dear = run("launch", *place, "--resume", "round.max_hits=5000", "pay.cap_cents=9000000", answer="n\n")
        assert dear.exit_code == 1
        assert "round.max_hits" in dear.stdout
        assert "Nothing was changed." in dear.stderr

        nonsense = run("launch", *place, "--stage", "validation", "round.number=x")
        assert (nonsense.exit_code, "a number is needed" in nonsense.stderr) == (2, True)
        opened = run("round", "open", *place, "pay.reward_cents=300", "task.options.f1_threshold=0.9")
        assert (opened.exit_code, opened.stderr) == (0, "")
        assert f"Round 2 of '{NAME}' is open, with {HITS} passages" in opened.stdout
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = f"profile.port={taken.getsockname()[1]}"
            failed = call("launch", *place, "--yes", port)
            assert (failed.returncode, "Cannot listen" in failed.stderr) == (1, True)
        second = Launch(out, "--yes", "profile.port=0", known=True)
        write_until(market, out, 2 * HITS)
        assert second.end() == 0

        assert run("pay", str(out), "--confirm").exit_code == 0
        outcome = Outcome.of(out)
        rewards = sorted(cents for purpose, cents, _ in outcome.payments if purpose == "reward")
        assert rewards == [200] * HITS + [300] * HITS
        check_marketplace(outcome, hits=2 * HITS)

        one, two = json.loads(run("round", "status", str(out), "--json").stdout)
        assert (one["number"], one["reward_cents"], one["hits_submitted"]) == (1, 200, HITS)
        assert (two["number"], two["reward_cents"], two["hits_submitted"]) == (2, 300, HITS)
        assert one["closed_at"] is not None
        assert one["models"] == two["models"] != []
        assert one["frozen"].keys() == two["frozen"].keys() == {"writing"}
        with campaign_store(out) as store:
            rows = list(store.attempts.of_campaign(NAME))
        assert {(row.hit.round, row.attempt.scores["f1_threshold"]) for row in rows} == {(1, 0.4), (2, 0.9)}
        assert all(
            row.attempt.fooled == (row.attempt.scores["f1"] <= row.attempt.scores["f1_threshold"]) for row in rows
        )
        passages = {number: {row.hit.context.id for row in rows if row.hit.round == number} for number in (1, 2)}
        assert not passages[1] & passages[2]
        assert run("export", str(out), "--format", "jsonl", "--out", str(tmp_path / "export")).exit_code == 0
        card = (tmp_path / "export" / "README.md").read_text(encoding="utf-8")
        assert "- reward: round 1: $2.00 a HIT; round 2: $3.00 a HIT" in card
    finally:
        kill_router(out)
