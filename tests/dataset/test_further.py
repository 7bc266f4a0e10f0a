"""The tables beside that of attempts: every vote and every screening is exported, whether it counts or not."""

from __future__ import annotations

import json
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import sqlalchemy as sa

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.store import Campaign, Store
from beat_the_ai.store.tables import assignments, screenings
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, content_at, new_screening_desk, small_quiz
from tests.store.builders import NEW_YEAR
from tests.validation.written import items, new_campaign, new_desk, passages, span, write


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def exported(store: Store, campaign: Campaign, out: Path) -> Path:
    bound = BoundCampaign.open(store, campaign.id)
    with CampaignOutcomes.at_one_moment(bound) as outcomes:
        export_campaign(outcomes.placement, out)
    return out


def change(store: Store, table: sa.Table, values: dict[str, datetime | None], **which: str) -> None:
    with store.database.writing() as connection:
        assert connection.execute(sa.update(table).filter_by(**which).values(values)).rowcount == 1


def test_every_vote_is_exported_and_says_why_it_does_not_count(store: Store, tmp_path: Path) -> None:
    campaign = new_campaign(store, passages(3, gold=4))
    rules = Answerability(votes_wanted=9, min_gold_accuracy=0.5)
    store.rounds.amend("pilot", 1, {"validation": {"rules": {"votes_wanted": 9, "min_gold_accuracy": 0.5}}})
    [question] = write(store, answers=("1807",))
    desk = new_desk(store, campaign, rules, works_per_hit=1, gold_per_hit=4)
    hits = {}
    for worker in ("right", "wrong", "late", "waiting", "forged", "revoked"):
        hits[worker] = desk.accept(f"hit of {worker}", worker, "r").id
        for item in items(desk, hits[worker]):
            known = item.gold["answer"] if item.gold else span("1807")
            desk.vote(hits[worker], item.id, "k", {"answer": None if item.gold and worker == "wrong" else known})
        desk.finish(hits[worker])
    changed: dict[str, dict[str, datetime | None]] = {
        "late": {"submitted_at": None, "confirmed_at": None},
        "waiting": {"confirmed_at": None},
        "forged": {"confirmed_at": None, "set_aside_at": NEW_YEAR},
    }
    for worker, values in changed.items():
        change(store, assignments, values, id=hits[worker])
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("revoked", "ann", "copied")
    out = exported(store, campaign, tmp_path / "out")
    votes = rows(out / "votes.jsonl")
    dropped = {row["worker"]: row["dropped"] for row in votes}
    assert dropped == {
        pseudonym(worker, campaign): why
        for worker, why in {
            "right": None,
            "wrong": "unsound",
            "late": "not_handed_in",
            "waiting": "not_confirmed",
            "forged": "set_aside",
            "revoked": "discarded",
        }.items()
    }
    for worker in hits:
        mine = [row for row in votes if row["worker"] == pseudonym(worker, campaign)]
        assert len({row["assignment"] for row in mine}) == 1
        assert [row["position"] for row in mine] == list(range(5))
        [on_work] = [row for row in mine if row["attempt_id"] is not None]
        assert (on_work["attempt_id"], on_work["vote"], on_work["agrees"]) == (question, {"answer": span("1807")}, True)
        assert {row["agrees"] for row in mine if row["attempt_id"] is None} == {worker != "wrong"}
    [attempt] = rows(out / "attempts.jsonl")
    assert {vote["worker"]: vote["counts"] for vote in attempt["votes"]} == {
        name: why is None for name, why in dropped.items() if why in (None, "unsound")
    }
    assert pq.read_table(out / "votes.parquet").to_pylist() == votes
    [shard] = (out / "hf" / "votes").glob("data*.arrow")
    with pa.ipc.open_stream(shard) as stream:
        assert stream.read_all().to_pylist() == votes
    assert {row["vote"] is None for row in votes if row["attempt_id"] is None} == {True}
    on_gold = rows(out / PRIVATE / "gold_votes.jsonl")
    assert {(row["assignment"], row["position"]) for row in on_gold} == {
        (row["assignment"], row["position"]) for row in votes if row["attempt_id"] is None
    }
    for row in on_gold:
        known, said = json.loads(row["work"])["answer"], json.loads(row["vote"])["answer"]
        assert said == (None if row["worker"] == pseudonym("wrong", campaign) else known)
    for path in out.rglob("*.jsonl"):
        assert PRIVATE in path.parts or b"Gold " not in path.read_bytes()
        # an id that is made of the worker's name is one by which whoever has names finds the worker
        assert not any(hit.encode() in path.read_bytes() for hit in hits.values())
    for card in (out / "README.md", out / "hf" / "README.md"):
        assert "| `dropped` | the reason why the vote does not count:" in card.read_text()


def test_every_screening_is_exported_where_it_is_not_published(store: Store, tmp_path: Path) -> None:
    desk = new_screening_desk(store, small_quiz(tmp_path))
    of_worker = {}
    for worker in ("done", "late", "forged"):
        of_worker[worker] = hit = desk.open(worker, f"r-{worker}").assignment_id
        desk.respond(hit, "a try", "q1", {"question": "Who were the nuns?"})
        for step, payload in GOOD.items():
            desk.respond(hit, f"key of {step}", step, payload)
        for number in range(2):
            asked = content_at(desk).work(content_at(desk).sample.passage, content_at(desk).sample.questions[number])
            desk.submit_attempt(hit, f"k{number}", desk.sample_hit.context.id, asked.model_dump())
        desk.finish(hit)
    change(store, assignments, {"submitted_at": None, "confirmed_at": None}, id=of_worker["late"])
    change(store, screenings, {"set_aside_at": NEW_YEAR}, assignment_id=of_worker["forged"])
    campaign = store.campaigns.get("pilot")
    out = exported(store, campaign, tmp_path / "out")
    apart = out / "private"
    assert stat.S_IMODE(apart.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in apart.iterdir()} == {0o600}
    responses = rows(apart / "screening_responses.jsonl")
    assert [(row["step"], row["mistake"] is None) for row in responses if row["assignment"] == of_worker["done"]] == [
        ("q1", False), ("q1", True), ("a1", True), ("p1", True),
    ]  # fmt: skip
    assert {row["worker"]: row["dropped"] for row in responses} == {
        pseudonym("done", campaign): None,
        pseudonym("late", campaign): "not_handed_in",
        pseudonym("forged", campaign): "set_aside",
    }
    assert {row["outcome"] for row in responses} == {"passed"}
    assert json.loads(responses[0]["work"])["question"] == "Who were the nuns?"
    assert pq.read_table(apart / "screening_responses.parquet").to_pylist() == responses
    written = rows(apart / "screening_attempts.jsonl")
    assert [(row["assignment"], row["dropped"]) for row in written if row["dropped"] != "sample"] == [
        (of_worker["late"], "not_handed_in")
    ] * 2
    assert {row["worker"] for row in written} == {row["worker"] for row in responses}
    assert not [path for path in out.rglob("*screening*") if path.parent != apart]
    for name in ("README.md", "hf/README.md", "SHA256SUMS"):
        assert "screening" not in (out / name).read_text()


def test_a_card_names_only_the_tables_that_there_are(store: Store, tmp_path: Path) -> None:
    """A split without rows is one that `load_dataset` cannot read."""
    campaign = new_campaign(store)
    write(store, answers=("1807",))
    card = (exported(store, campaign, tmp_path / "out") / "hf" / "README.md").read_text()
    assert "config_name: attempts" in card
    assert "config_name: votes" not in card
    assert "The table of votes" in card
    bound = BoundCampaign.open(store, campaign.id)
    with CampaignOutcomes.at_one_moment(bound) as outcomes:
        export_campaign(outcomes.placement, tmp_path / "squad", ["squad"])
    assert "The table of votes" not in (tmp_path / "squad" / "README.md").read_text()
