"""`round compare`: the models beside each other, and which of the new ones is to be beaten in the next round."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from beat_the_ai.campaign.models.scores import ModelScores, scores_sections
from beat_the_ai.campaign.rounds.next_adversary import Choice, next_adversary
from beat_the_ai.cli.campaign_arguments import campaign_out_option
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.sections import print_sections


@click.command()
@campaign_out_option
@click.option("--by", metavar="GOLD", help="ROUND/PART, or a file of no round; else as above.")
@json_option
def compare(out: Path, by: str | None, as_json: bool) -> None:
    """Models by rounds, and which of those trained after the last round is to be beaten in the next one.

    The new models are compared on the development parts of all rounds together, then on the files of no round that
    `evaluate --gold` measured. Those that no paired test tells apart are tied, and proposed together: a pool of which
    each attempt draws one. Earlier adversaries are never proposed; `round open` takes them by name.
    """
    out = out.resolve()
    scores, choice = ModelScores(out), next_adversary(out, by)
    if as_json:
        table = {name: {gold: each.figures for gold, each in row.items()} for name, row in scores.table().items()}
        click.echo(json.dumps({"scores": table, **asdict(choice)}))
        return
    print_sections(scores_sections(scores))
    for line in told(choice):
        click.echo(line)
    click.echo("Open the next round with it:")
    click.echo(f'  beat-the-ai round open --out {out} "{members_override(choice)}" contexts=MORE.jsonl')


def told(choice: Choice) -> list[str]:
    """Say in sentences which model is best, and what it ties with."""
    best, *ties = choice.models
    lines = [
        f"On {each.on} {each.one} is better on {each.one_better:,} examples, {each.other} on {each.other_better:,}: "
        f"{'a tie' if each.is_tie else 'a difference'} (paired sign test, p = {each.p:.3f})."
        for each in choice.comparisons
    ]
    return [*lines, f"A tie: {', '.join(choice.models)}." if ties else f"Best of the new models: {best}."]


def members_override(choice: Choice) -> str:
    """Return the `key=value` with which the next round is opened."""
    return f"adversary.members=[{','.join(repr(model) for model in choice.models)}]"
