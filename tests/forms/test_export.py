"""Answers leave the store apart from the dataset, and nothing joins them by itself."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.forms import Form, FormDesk
from beat_the_ai.forms.export import export_answers
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import campaign

CONSENT = Form(name="consent", kind="consent", title="Consent", version="3", text="Do you agree?")
NOON = datetime(2026, 11, 27, 12, 34, 56, tzinfo=timezone.utc)


def test_answers_are_under_pseudonyms_of_their_own_unless_they_are_joined(store: Store, tmp_path: Path) -> None:
    store.campaigns.create(campaign("pilot"))
    bound = BoundCampaign.open(store, "pilot")
    desk = FormDesk(bound, [CONSENT], lambda: NOON)
    workers = [f"AWORKER{number}" for number in range(20)]
    for worker in workers:
        desk.answer(worker, CONSENT.digest, {}, declined=worker.endswith("7"))
    path = tmp_path / "answers.jsonl"
    assert export_answers(bound, path) == 20
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    named = {pseudonym(worker, bound.record) for worker in workers}
    assert len({row["person"] for row in rows}) == 20
    assert not named & {row["person"] for row in rows}
    assert {(row["at"], row["version"], row["title"]) for row in rows} == {("2026-11-27", "3", "Consent")}
    assert sorted(row["outcome"] for row in rows) == ["declined"] * 2 + ["given"] * 18
    assert [row["person"] for row in rows] == sorted(row["person"] for row in rows)
    assert "AWORKER" not in path.read_text()

    export_answers(bound, path, pseudonym)
    joined = [json.loads(line) for line in path.read_text().splitlines()]
    assert {row["person"] for row in joined} == named
    assert {row["at"] for row in joined} == {NOON.isoformat()}
    assert path.stat().st_mode & 0o777 == 0o600
