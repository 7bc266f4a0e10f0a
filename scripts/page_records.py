"""Write the TypeScript types of what servers and pages send each other, from the pydantic models of the engine, and
those of the messages that pages show, from their English words.

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

from beat_the_ai.messages.icu import Signature, signature
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.words.catalogue import merged
from beat_the_ai.words.languages import PRODUCT
from scripts.build_webapp import WEBAPP, node_environment  # it lies beside the package

TOURNAMENT = "beat_the_ai.kinds.quizbowl.tournament"
MODULES = {
    "review/records.ts": (
        "beat_the_ai.review.views",
        "beat_the_ai.review.held_views",
        "beat_the_ai.review.people.views",
        "beat_the_ai.review.app",
        "beat_the_ai.review.visits",
    ),
    "console/records.ts": (
        "beat_the_ai.console.views",
        "beat_the_ai.console.act_views",
        "beat_the_ai.console.start_views",
    ),
    "event/records.ts": (f"{TOURNAMENT}.views", f"{TOURNAMENT}.messages"),
    "src/writing/records.ts": ("beat_the_ai.writing.page",),
    "src/checking/records.ts": ("beat_the_ai.validation.page",),
    "src/forms/records.ts": ("beat_the_ai.forms.page",),
    "src/words/records.ts": ("beat_the_ai.words.served", "beat_the_ai.words.markdown"),
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


MESSAGES = "src/words/messages.ts"
KINDS_WORDS = sorted((WEBAPP.parent / "src" / "beat_the_ai" / "kinds").glob("**/words"))
SCRIPT_TYPES = {"number": "number", "date": "Date", "time": "Date"}  # all others are text


class _AsSent(GenerateJsonSchema):
    """All fields are there, those with a default too. None has a title, which would become a type of its own."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def main() -> int:
    changed = [name for name in MODULES if _write(WEBAPP / name, records(name))]
    changed += [MESSAGES] if _write(WEBAPP / MESSAGES, message_types()) else []
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


def message_types() -> str:
    """Return the content of the file of all messages that pages show, with the arguments and tags of each."""
    words = merged(ENGLISH, [PRODUCT / "page", *KINDS_WORDS])
    signatures = {key: signature(text) for key, text in sorted(words.messages.items())}
    lines = [
        "/** Written by `make webapp` from the English words: change these, not this file. */",
        "",
        "/** The arguments of each message. */",
        "export interface Messages {",
        *(f'  "{key}": {_arguments(one)};' for key, one in signatures.items()),
        "}",
        "",
        "/** Messages with tags: they are shown by `<Say>`. */",
        f"export type Tagged = {_union(key for key, one in signatures.items() if one.tags)};",
        "",
        "/** Texts, each a Markdown file. */",
        f"export type TextName = {_union(sorted(words.texts))};",
        "",
    ]
    return "\n".join(lines)


def _arguments(of: Signature) -> str:
    fields = "; ".join(f"{name}: {SCRIPT_TYPES.get(kind, 'string')}" for name, kind in sorted(of.arguments.items()))
    return f"{{ {fields} }}" if fields else "Record<never, never>"


def _union(names: Iterable[str]) -> str:
    return " | ".join(f'"{name}"' for name in names) or "never"


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
