"""`rehearse` with arms: drawn, served, paid and reported by arm, from the page to the report."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.payments import Ledger
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store
from tests.cli.test_rehearse import rehearse
from tests.forked.starts import new_interpreters

ARMS = (
    "round.arms={model: {}, human: {shows_model: false, round: {wins_wanted: 2, max_wins: 2}}, "
    "paid: {pay: {bonus_cents_per_win: 30}, round: {max_tries: 6}}}"
)
WORKERS = 4


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rehearsal") / "arms"
    with new_interpreters():
        result = rehearse(out, ARMS, "--workers", str(WORKERS), "--seed", "5")
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"arm human .* workers", result.stdout)
    assert "Do the arms differ? Round 1" in result.stdout
    return out


@pytest.fixture(scope="module")
def rows(rehearsed: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (rehearsed / "attempts.jsonl").read_text("utf-8").splitlines()]


def test_each_worker_has_one_arm_and_they_are_balanced(rehearsed: Path, rows: list[dict[str, Any]]) -> None:
    pairs = {(row["worker"], row["arm"]) for row in rows}
    assert len(pairs) == len({worker for worker, _ in pairs}) == WORKERS
    assert sorted(Counter(arm for _, arm in pairs).values()) == [1, 1, 2]
    with campaign_store(str(rehearsed)) as store:
        drawn = store.arms.drawn(REHEARSAL)
        written = store.assignments.confirmed(REHEARSAL, Stage.WRITING)
        assert {(one.round, one.worker): one.arm for one in written} == drawn
        assert {one.arm for one in store.assignments.confirmed(REHEARSAL, Stage.VALIDATION)} == {None}


def test_hits_end_as_their_arm_has_it(rows: list[dict[str, Any]]) -> None:
    for assignment in {row["assignment"] for row in rows}:
        of_hit = [row for row in rows if row["assignment"] == assignment]
        kept = [row for row in of_hit if not row["retracted"]]
        if of_hit[0]["arm"] == "human":
            assert len(kept) <= 2
        if of_hit[0]["arm"] == "paid":
            assert len(of_hit) <= 6
    human = [row for row in rows if row["arm"] == "human"]
    assert {row["fooled"] for row in human} == {True, False}  # what the model said is known, and was not shown
    assert all(row["prediction"] for row in human)


def test_bonuses_are_paid_to_the_arm_that_was_promised_them(rehearsed: Path, rows: list[dict[str, Any]]) -> None:
    with campaign_store(str(rehearsed)) as store:
        campaign = BoundCampaign.open(store, REHEARSAL)
        made_in = {(one.worker, one.crowd_assignment): one for one in store.assignments.confirmed(REHEARSAL)}
        paid = [one for one in Ledger(store.database, campaign.id).payments() if one.key.purpose != "reward"]
        by_assignment = {made_in[one.key.worker, one.key.assignment].id: one.cents for one in paid}
    won = Counter(row["assignment"] for row in rows if row["arm"] == "paid" and row["fooled"] and not row["retracted"])
    assert won
    assert by_assignment == {assignment: 30 * wins for assignment, wins in won.items()}


def test_the_report_compares_the_arms_by_what_is_exported(rehearsed: Path, rows: list[dict[str, Any]]) -> None:
    page = (rehearsed / "report.html").read_text("utf-8")
    section = page[page.index("Do the arms differ?") :]
    cells = [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr>(.*?)</tr>", section[: section.index("</table>")], re.DOTALL)
    ]
    shown = {(row[0], row[1]): row[2] for row in cells if len(row) > 2}
    gone = {row["worker"] for row in rows if row["dropped"] == "discarded"}
    for arm in ("model", "human", "paid"):
        mine = [row for row in rows if row["arm"] == arm and row["worker"] not in gone and not row["retracted"]]
        wins = sum(row["fooled"] for row in mine)
        rate, tries = (shown[name, arm].split(" ")[0] for name in ("model error rate, unverified", "tries per win"))
        assert rate == (f"{wins / len(mine):.1%}" if mine else "–")
        assert tries == (f"{len(mine) / wins:.2f}" if wins else "–")
