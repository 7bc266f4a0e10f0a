"""`adjudicate`: from votes to final statuses, for votes that were collected anywhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.records import read_records
from beat_the_ai.files.values import whole
from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.registry import KINDS, bind

SHAPE = '{"id": text, "author": text, "votes": [text or null, …]}'


class _Example(BaseModel):
    """A record of a file of votes: what the author says, and what each validator says."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: Annotated[str | int, BeforeValidator(whole)]
    author: str | None = None
    model: str | None = None
    votes: list[str | None]


@click.command()
@click.option("--task", required=True, help=f"The kind of task: {', '.join(KINDS)}.")
@click.argument("votes", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="VOTES.jsonl")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output: one JSON object per line.")
def adjudicate(task: str, votes: Path, as_json: bool) -> None:
    """Status and final label of each line {"id", "author", "votes": […]} of VOTES.

    A line may have the model's label, too: "model". For reading_comprehension the author and the votes are answers;
    null is a vote for "cannot be answered". For nli they are labels (entailment, neutral, contradiction, or their first
    letters); a null vote is for a bad example, and the author may be null.
    """
    checking = bind(task).checking
    if checking is None:
        raise InvalidInput("--task", f"Nobody votes on what is written in {task}.")
    statuses: Counter[str] = Counter()
    lines = []
    for name, outcome in _adjudicated(votes, checking):
        statuses[outcome.status] += 1
        lines.append(_as_json(name, outcome) if as_json else _for_people(name, outcome))
    if lines:
        click.echo("\n".join(lines))
    if not as_json:
        click.echo(", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items())), err=True)


def _as_json(name: str | int, outcome: Adjudication) -> str:
    return json.dumps({"id": name, "status": outcome.status, "label": outcome.label})


def _for_people(name: str | int, outcome: Adjudication) -> str:
    label = "" if outcome.label is None else f"\t{_printable(outcome.label)}"
    return f"{_printable(str(name))}\t{outcome.status}{label}"


def _adjudicated(path: Path, checking: Checking) -> Iterator[tuple[str | int, Adjudication]]:
    """Yield the adjudication of every line of the file, by its id."""
    seen = set()
    for record in read_records(path, "VOTES", SHAPE):
        try:
            example = _Example.model_validate(record.fields)
            labels = checking.read_labels(example.author, example.model, example.votes)
        except (ValidationError, InvalidInput) as error:
            raise InvalidInput("VOTES", f"{record.place}: {SHAPE} is needed ({_reason(error)}).") from None
        if str(example.id) in seen:
            raise InvalidInput("VOTES", f"{record.place}: the id {example.id!r} is there a second time.")
        seen.add(str(example.id))
        yield example.id, checking.adjudicate(*labels)


def _reason(error: ValidationError | InvalidInput) -> str:
    if isinstance(error, InvalidInput):
        return str(error).removesuffix(".")
    fault = first_fault(error, "line")
    return f"{fault.place}: {fault.reason}"


def _printable(text: str) -> str:
    """Text from workers on a terminal: nothing that moves the cursor or hides."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
