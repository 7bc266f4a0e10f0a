"""The files of a transcript in an export: its lines, and a statement about all files, signed."""

from __future__ import annotations

import json
from pathlib import Path

from beat_the_ai.dataset.files import replacing, sha256, write_text
from beat_the_ai.dataset.transcript.contents import FORMAT
from beat_the_ai.dataset.transcript.signature import public_key, signed
from beat_the_ai.terms.campaign import BoundCampaign

LINES, STATEMENT = "transcript.jsonl", "transcript.json"


def write_lines(campaign: BoundCampaign, folder: Path) -> Path:
    """Write a transcript that has entries, as it stands in the store."""
    with replacing(folder / LINES) as file:
        for lines in campaign.store.transcripts.lines(campaign.id):
            file.write(lines.encode())
    return folder / LINES


def write_statement(campaign: BoundCampaign, folder: Path, manifest: Path) -> Path:
    """Write and sign what a transcript comes to, and the checksum of the manifest, which has those of the files."""
    transcripts = campaign.store.transcripts
    head, key = transcripts.head(campaign.id), transcripts.signing_key(campaign.id)
    assert head is not None, "it has entries"
    statement = json.dumps(
        {
            "format": FORMAT,
            "campaign": campaign.id,
            "task": campaign.record.task,
            "entries": head.entries,
            "head": head.head,
            "sha256sums": sha256(manifest),
            "public_key": public_key(key),
        }
    )
    write_text(folder / STATEMENT, statement_text(statement, signed(statement, key)))
    return folder / STATEMENT


def statement_text(statement: str, signature: str) -> str:
    """Return the text of the file with a statement."""
    return json.dumps({"statement": statement, "signature": signature}, indent=2) + "\n"
