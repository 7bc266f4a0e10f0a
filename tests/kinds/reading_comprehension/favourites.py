"""A small dataset in SQuAD's format, whose answers are in plain sight."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

COLOURS = {"Ada": "red", "Ben": "blue", "Cleo": "green", "Dan": "black"}


def write_favourites(path: Path, place: str, passages: Iterable[int]) -> None:
    """An article of one passage with four questions for each number."""
    articles = []
    for number in passages:
        text = " ".join(f"{name} likes {colour}." for name, colour in COLOURS.items()) + f" {place} {number}."
        questions = [
            {
                "id": f"{place}-{number}-{name}",
                "question": f"What does {name} like?",
                "answers": [{"text": colour, "answer_start": text.index(colour)}],
            }
            for name, colour in COLOURS.items()
        ]
        articles.append({"title": f"{place} {number}", "paragraphs": [{"context": text, "qas": questions}]})
    path.write_text(json.dumps({"data": articles}))
