"""Exports of a campaign: `squad.json` (what beat the model) and `attempts.jsonl` (every attempt).

The work of revoked workers is in neither.

The order is the store's (context, slot, assignment, ordinal) and nothing depends on the clock but `created_at`. Worker
ids are replaced by a keyed hash; the key stays in the store.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.errors import UnknownName
from beat_the_ai.store import AttemptInCampaign, Campaign, Store

SQUAD_FILE = "squad.json"
ATTEMPTS_FILE = "attempts.jsonl"


def export_campaign(store: Store, campaign: Campaign, out: Path, formats: Iterable[str]) -> dict[str, Path]:
    """Write the campaign in each of `formats` (squad, jsonl) into `out`. Returns the path of each."""
    out.mkdir(parents=True, exist_ok=True)
    written = {}
    for name in formats:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
        file_name, lines = FORMATS[name]
        written[name] = out / file_name
        _write(written[name], lines(store, campaign))
    return written


def _write(path: Path, lines: Iterator[str]) -> None:
    """Replace the file as a whole: a reader never sees half of it."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def attempt_lines(store: Store, campaign: Campaign) -> Iterator[str]:
    for row in store.attempts.kept(campaign.id):
        yield json.dumps(attempt_record(row, campaign), ensure_ascii=False)


def attempt_record(row: AttemptInCampaign, campaign: Campaign) -> dict[str, Any]:
    attempt, hit = row.attempt, row.hit
    return {
        "attempt_id": attempt.id,
        "context_id": hit.context.id,
        "context": hit.context.text,
        **attempt.work,
        "model_answer": attempt.prediction,
        **attempt.scores,
        "fooled": attempt.fooled,
        "retracted": attempt.retracted,
        "flag": attempt.flag_reason,
        "model": {"name": attempt.model_name, "hash": attempt.model_hash, "precision": attempt.model_precision},
        "worker": pseudonym(row.assignment.worker, campaign),
        "hit": hit.id,
        "assignment": row.assignment.id,
        "round": hit.round,
        "created_at": attempt.created_at.isoformat(),
    }


def pseudonym(worker: str, campaign: Campaign) -> str:
    """The worker's stand-in within one campaign: a keyed hash, of no use without the store."""
    digest = hmac.new(campaign.pseudonym_key.encode(), worker.encode(), hashlib.sha256)
    return f"w-{digest.hexdigest()[:16]}"


def squad_lines(store: Store, campaign: Campaign) -> Iterator[str]:
    """SQuAD v1.1 JSON in one line: passages by title, the questions that beat the model and were not taken back."""
    articles: dict[str, dict[str, dict[str, Any]]] = {}
    for row in store.attempts.kept(campaign.id):
        if row.attempt.fooled and not row.attempt.retracted:
            paragraphs = articles.setdefault(row.hit.context.title, {})
            passage = paragraphs.setdefault(row.hit.context.id, {"context": row.hit.context.text, "qas": []})
            passage["qas"].append(_squad_question(row.attempt.id, row.attempt.work))
    data = [{"title": title, "paragraphs": list(paragraphs.values())} for title, paragraphs in articles.items()]
    yield json.dumps({"version": "1.1", "data": data}, ensure_ascii=False)


def _squad_question(attempt_id: str, work: Mapping[str, Any]) -> dict[str, Any]:
    answer = work["answer"]
    return {
        "id": attempt_id,
        "question": work["question"],
        "answers": [{"text": answer["text"], "answer_start": answer["start"]}],
    }


FORMATS: dict[str, tuple[str, Callable[[Store, Campaign], Iterator[str]]]] = {
    "squad": (SQUAD_FILE, squad_lines),
    "jsonl": (ATTEMPTS_FILE, attempt_lines),
}
