"""The folder of a run, which another run does not go on in: `settings.json` holds all that decides the weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.atomic_write import replacing

SHOWN_CHARACTERS = 40


def take_up(folder: Path, settings: Mapping[str, Any]) -> None:
    """Keep the settings of a new run, or compare them with those of the run that goes on. Raises `InvalidInput`.

    A run that left nothing but its settings has learnt nothing, and makes way.
    """
    path, wanted = folder / "settings.json", json.loads(json.dumps(settings))
    if not path.is_file() or list(folder.iterdir()) == [path]:
        with replacing(path) as file:
            file.write(json.dumps(wanted, indent=2).encode())
        return
    kept = json.loads(path.read_text(encoding="utf-8"))
    if other := [name for name in wanted if kept.get(name) != wanted[name]]:
        raise InvalidInput(
            "out",
            f"{folder} holds another run, which differs in {', '.join(_difference(n, kept, wanted) for n in other)}. "
            f"To go on with it, ask for what it was begun with. To begin anew, choose another --name or --out, or "
            f"remove {folder}.",
        )


def _difference(name: str, kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The setting and its two values; of files, of which there are checksums, only its name."""
    before, now = (json.dumps(values.get(name)) for values in (kept, wanted))
    return f"{name} ({before}, now {now})" if max(len(before), len(now)) <= SHOWN_CHARACTERS else name
