"""The dataset as SQuAD v1.1 JSON: all of it in one file, and each part in one of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.files import write_text
from beat_the_ai.rules.dataset import Example, Parts

SQUAD_FILE = "squad.json"


def write_examples(folder: Path, parts: Parts) -> list[Path]:
    """`squad.json` and `squad/<part>.json`."""
    whole = [example for examples in parts.values() for example in examples]
    files = {folder / SQUAD_FILE: whole, **{folder / "squad" / f"{name}.json": parts[name] for name in parts}}
    for path, examples in files.items():
        write_text(path, json.dumps(squad_content(examples), ensure_ascii=False) + "\n")
    return list(files)


def squad_content(examples: Iterable[Example]) -> dict[str, Any]:
    """Articles by title, in them passages, in them questions, each in the order in which it comes first."""
    articles: dict[str, dict[str, dict[str, Any]]] = {}
    for example in examples:
        context, answer = example.context, example.work["answer"]
        passages = articles.setdefault(context.title, {})
        passage = passages.setdefault(context.id, {"context": context.text, "qas": []})
        answers = [{"text": answer["text"], "answer_start": answer["start"]}]
        passage["qas"].append({"id": example.id, "question": example.work["question"], "answers": answers})
    data = [{"title": title, "paragraphs": list(passages.values())} for title, passages in articles.items()]
    return {"version": "1.1", "data": data}
