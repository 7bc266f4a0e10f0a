"""The files of a campaign's folder that have a line for each work: frozen rounds, and the answers of rescorings."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from beat_the_ai.campaign.models.rescoring import FOLDER as RESCORED
from beat_the_ai.campaign.rounds.snapshot import DATA, MANIFEST
from beat_the_ai.dataset.files import replacing, sha256, write_text
from beat_the_ai.terms.locate import ROUNDS


def erase_works(out: Path, attempts: Collection[str]) -> list[Path]:
    """Take the lines of these attempts out, and return the files that had any; all other lines stay as they are.

    The record of a frozen round says what its files hold then. Called again, it finishes what was begun.
    """
    ids = frozenset(attempts)
    changed = [path for path in sorted((out / RESCORED).glob("*.jsonl")) if _drop_lines(path, ids)]
    for manifest in sorted((out / ROUNDS).glob(f"*/{MANIFEST}")):
        files = sorted((manifest.parent / DATA).glob("*.jsonl"))
        changed += [path for path in files if _drop_lines(path, ids)]
        _write_down(manifest, files)
    return changed


def _drop_lines(path: Path, ids: frozenset[str]) -> bool:
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not _has_one(line, ids)]
    if len(kept) == len(lines):
        return False
    with replacing(path) as file:
        file.writelines(kept)
    return True


def _has_one(line: bytes, ids: frozenset[str]) -> bool:
    try:
        content = json.loads(line)
    except ValueError:  # the half line that a crash left
        return False
    return isinstance(content, dict) and not ids.isdisjoint(each for each in content.values() if isinstance(each, str))


def _write_down(manifest: Path, files: Collection[Path]) -> None:
    kept = json.loads(manifest.read_text(encoding="utf-8"))
    parts = {
        path.stem: {"examples": len(path.read_bytes().splitlines()), "sha256": sha256(path)}
        for path in files
        if path.stem in kept["parts"]
    }
    if any(kept["parts"][name] != part for name, part in parts.items()):
        content = {**kept, "parts": {**kept["parts"], **parts}}
        write_text(manifest, json.dumps(content, indent=2) + "\n")
