"""The steps of a rehearsal between its rounds: those of the commands `round freeze` to `round open`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from beat_the_ai.campaign.rounds.next_adversary import next_adversary, trained_models
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.cli.model_choice import members_override, told
from beat_the_ai.cli.round_models import check_start, first_trainable, training_command
from beat_the_ai.cli.rounds import rounds
from beat_the_ai.contexts.draw import same_text
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.rules.kind import Kind
from beat_the_ai.terms.locate import ROUNDS, campaign_store

OF_A_ROUND = ("round", "pay", "dataset", "validation")  # what later rounds may have otherwise


def check_can_learn(kind: Kind, members: Sequence[str]) -> None:
    """Raise an error for a kind of task whose rounds train nothing, and where what training needs is missing.

    `members` are the first round's adversary, from which the first training goes on where it can.
    """
    command = training_command(kind)
    if kind.evaluation is None:
        raise InvalidInput("task.kind", f"{kind.name} does not say how models are measured, which rounds need.")
    try:
        check_start(command, first_trainable(members))
    except AdversaryError as error:
        raise Refused(
            f"Several rounds train models. {str(error).rstrip('.')}. With --rounds 1, a single round is rehearsed, "
            "which trains nothing."
        ) from error


def learn(out: Path, number: int, settings: Settings, *, trains: bool) -> None:
    """Freeze a round that is over, train the next model on all rounds so far if wanted, and measure every model."""
    _round("freeze", out, "--round", str(number))
    if trains and not trained_models(out, number):
        _round("train", out)
    ordinary = _ordinary(out, number, settings) if trains else None
    _round("evaluate", out, *([] if ordinary is None else ["--gold", str(ordinary)]))


def _ordinary(out: Path, number: int, settings: Settings) -> Path | None:
    """Write a gold file of the ordinary works on contexts that no round has had yet; None where there are none."""
    samples, corpora = settings.kind.samples, settings.kind.corpora
    if samples is None or corpora is None:
        return None
    plain = {each.id for each in corpora.works(settings.contexts) if each.is_plain}
    with campaign_store(str(out)) as store:
        used = store.campaigns.contexts(settings.name).values()
    texts = {same_text(context.text) for contexts in used for context in contexts}
    known = samples.read(settings.contexts)
    found = [each for each in known if each.id in plain and same_text(each.context) not in texts]
    path = out / ROUNDS / str(number) / f"ordinary{samples.suffix}"
    if found:
        write_text(path, samples.text(found))
    return path if found else None


def open_next(out: Path, terms: Sequence[str]) -> None:
    """Open the next round against the best of the models trained since, and its ties; `terms` are `key=value`."""
    choice = next_adversary(out)
    click.echo("\n".join(told(choice)))
    _round("open", out, members_override(choice), *terms)


def differences(first: Settings, later: Settings) -> list[str]:
    """The terms of later rounds that are not those of the first, as `key=value`; which round it is apart."""
    before, after = (settings.model_dump(mode="json", include=set(OF_A_ROUND)) for settings in (first, later))
    del before["round"]["number"], after["round"]["number"]
    return list(_differences(before, after, ""))


def _differences(before: dict[str, Any], after: dict[str, Any], above: str) -> Sequence[str]:
    found: list[str] = []
    for name, value in after.items():
        if isinstance(value, dict) and isinstance(before[name], dict):
            found += _differences(before[name], value, f"{above}{name}.")
        elif value != before[name]:
            found.append(f"{above}{name}={'null' if value is None else value}")
    return found


def _round(command: str, out: Path, *arguments: str) -> None:
    rounds.main([command, "--out", str(out), *arguments], prog_name="beat-the-ai round", standalone_mode=False)
