"""Write the TypeScript types of what servers and pages send each other, from the pydantic models of the engine.

    python scripts/page_records.py

Every model of a module is in the `records.ts` beside the pages that use it. These files are committed, so that pages
can be read without a build. `make webapp` writes them too, and fails where one has changed; so does a test.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_webapp import WEBAPP, node_environment  # it lies beside the package

TOURNAMENT = "beat_the_ai.kinds.quizbowl.tournament"
MODULES = {
    "review/records.ts": ("beat_the_ai.review.views", "beat_the_ai.review.app"),
    "event/records.ts": (f"{TOURNAMENT}.views", f"{TOURNAMENT}.messages"),
    "src/writing/records.ts": ("beat_the_ai.writing.page",),
    "src/checking/records.ts": ("beat_the_ai.validation.page",),
    "src/forms/records.ts": ("beat_the_ai.forms.page", "beat_the_ai.forms.markdown"),
    "src/screening/records.ts": ("beat_the_ai.workforce.screening.page",),
    "src/kinds/reading_comprehension/records.ts": (
        "beat_the_ai.kinds.reading_comprehension.writing",
        "beat_the_ai.kinds.reading_comprehension.answerability",
    ),
    "src/kinds/nli/records.ts": (
        "beat_the_ai.kinds.nli.labels",
        "beat_the_ai.kinds.nli.writing",
        "beat_the_ai.kinds.nli.verification",
    ),
    "src/kinds/quizbowl/records.ts": (
        "beat_the_ai.kinds.quizbowl.guesses",
        "beat_the_ai.kinds.quizbowl.writing",
        "beat_the_ai.kinds.quizbowl.playing",
    ),
}


class _AsSent(GenerateJsonSchema):
    """All fields are there, those with a default too. None has a title, which would become a type of its own."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def main() -> int:
    changed = [name for name in MODULES if _write(WEBAPP / name, records(name))]
    for name in changed:
        print(f"webapp/{name} was written anew")
    return 1 if changed else 0


def _write(path: Path, text: str) -> bool:
    """Return whether the file changed."""
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    if changed:
        path.write_text(text, encoding="utf-8")
    return changed


def records(name: str) -> str:
    """Return the content of one file."""
    banner = f"/** Written by `make webapp` from {' and '.join(MODULES[name])}: change these, not this file. */"
    options = ["--bannerComment", banner, "--style.printWidth", "120", "--maxItems", "-1"]
    schema = json.dumps(_schema(_models(MODULES[name])))
    run = subprocess.run(
        ["node_modules/.bin/json2ts", *options],
        cwd=WEBAPP,
        env=node_environment(),
        input=schema,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def _models(modules: Iterable[str]) -> list[type[BaseModel]]:
    return [
        model
        for module in modules
        for model in vars(import_module(module)).values()
        if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module
    ]


def _schema(models: list[type[BaseModel]]) -> dict[str, Any]:
    """Return the schema of one object that has each model under its name."""
    places, schema = models_json_schema([(model, "serialization") for model in models], schema_generator=_AsSent)
    return {
        "title": "Records",
        "description": "The records of these modules, by their names.",
        "type": "object",
        "properties": {model.__name__: places[model, "serialization"] for model in models},
        "required": [model.__name__ for model in models],
        "additionalProperties": False,
        **schema,
    }


if __name__ == "__main__":
    sys.exit(main())
