"""`adjudicate`: from votes to final statuses, for votes that were collected anywhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.rules.adjudication import Case
from beat_the_ai.rules.registry import bind


class _Example(BaseModel):
    """One line of a file of votes: what the author says, and what each validator says."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: str | int
    author: str
    model: str | None = None
    votes: list[str | None]


@click.command()
@click.option("--task", required=True, help="The kind of task: reading_comprehension.")
@click.argument("votes", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="VOTES.jsonl")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output: one JSON object per line.")
def adjudicate(task: str, votes: Path, as_json: bool) -> None:
    """Status and final label of each line {"id", "author", "votes": […]} of VOTES.

    A line may have the model's label, too: "model". For reading_comprehension the author and the votes are answers;
    null is a vote for "cannot be answered".
    """
    checking = bind(task).checking
    if checking is None:
        raise InvalidInput("--task", f"Nobody votes on what is written in {task}.")
    statuses: Counter[str] = Counter()
    for example in list(_examples(votes)):
        outcome = checking.adjudicate(Case(example.author, example.model, example.votes))
        statuses[outcome.status] += 1
        if as_json:
            click.echo(json.dumps({"id": example.id, "status": outcome.status, "label": outcome.label}))
        else:
            label = "" if outcome.label is None else f"\t{_printable(outcome.label)}"
            click.echo(f"{_printable(str(example.id))}\t{outcome.status}{label}")
    if not as_json:
        click.echo(", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items())), err=True)


def _examples(path: Path) -> Iterator[_Example]:
    """Every line of the file, checked before anything is printed."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput("VOTES", f"{path} is not UTF-8: {error}") from error
    seen = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            example = _Example.model_validate_json(line)
        except ValidationError as error:
            fault = first_fault(error, "line")
            raise InvalidInput(
                "VOTES",
                f'{path}, line {number}: {{"id": text, "author": text, "votes": [text or null, …]}} is needed '
                f"({fault.place}: {fault.reason}).",
            ) from None
        if example.id in seen:
            raise InvalidInput("VOTES", f"{path}, line {number}: the id {example.id!r} is there a second time.")
        seen.add(example.id)
        yield example


def _printable(text: str) -> str:
    """Text from workers on a terminal: nothing that moves the cursor or hides."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
