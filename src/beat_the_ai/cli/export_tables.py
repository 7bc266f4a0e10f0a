"""Options that name tables of the export which a gold file comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from beat_the_ai.dataset.exported_tables import attempt_groups, counted_votes
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.evaluation import Evaluation, Measured

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
ATTEMPTS, VOTES = "--attempts", "--votes"


@dataclass(frozen=True)
class ExportTables:
    """The tables of attempts and of votes, as far as they are named."""

    attempts: Path | None = None
    votes: Path | None = None

    @property
    def paths(self) -> Sequence[Path]:
        return [path for path in (self.attempts, self.votes) if path is not None]

    def measured(self, evaluation: Evaluation, gold: Path, answers: Mapping[str, Any]) -> Measured:
        """Measure answers, with the groups and references of these tables. Raises `InvalidInput`."""
        references = {} if self.votes is None else _references(evaluation, self.votes)
        measured = evaluation.measured(gold, answers, references)
        ids = {item.id for item in measured.items}
        if self.votes is not None:
            of_gold = {name: texts for name, texts in references.items() if name in ids}
            _check_some(self.votes, VOTES, gold, of_gold, "vote")
            number = sum(map(len, of_gold.values()))
            note = f"{number:,} answers of validators to {len(of_gold):,} {measured.items_called} are references, too."
            measured = replace(measured, notes=[*measured.notes, note])
        if self.attempts is not None:
            groups = attempt_groups(self.attempts, ATTEMPTS)
            _check_some(self.attempts, ATTEMPTS, gold, ids & groups.keys(), "attempt")
            measured = measured.with_groups(groups)
        return measured


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options, which a command gets as `export`."""

    @click.option(ATTEMPTS, type=FILE, help="attempts.jsonl of GOLD's export: groups by its columns, such as round.")
    @click.option(VOTES, type=FILE, help="votes.jsonl of GOLD's export: answers of validators as further references.")
    @wraps(command)
    def with_tables(*arguments: Any, attempts: Path | None, votes: Path | None, **options: Any) -> None:
        command(*arguments, export=ExportTables(attempts, votes), **options)

    return with_tables


def _references(evaluation: Evaluation, votes: Path) -> Mapping[str, Sequence[str]]:
    reference = evaluation.reference
    if reference is None:
        raise InvalidInput(VOTES, "Votes of this kind of task are no answers that could be references.")
    references: dict[str, list[str]] = {}
    for name, given in counted_votes(votes, VOTES).items():
        try:
            texts = [text for vote in given if (text := reference(vote))]
        except ValueError:
            raise InvalidInput(VOTES, f"{votes}: a vote on {name[:80]!r} is none of this kind of task.") from None
        if texts:
            references[name] = texts
    return references


def _check_some(path: Path, key: str, gold: Path, known: object, called: str) -> None:
    if not known:
        raise InvalidInput(key, f"{path} has no {called} on anything in {gold}. Name the table of the same export.")
