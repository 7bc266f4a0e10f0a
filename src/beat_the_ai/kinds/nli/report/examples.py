"""Examples of each round, with what was asked for, what the model said, and what verifiers said.

After the table of examples in "Comparing with other datasets" (Nie et al. 2020).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from beat_the_ai.kinds.nli.labels import Label
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.kinds.nli.report.attempts import Attempt
from beat_the_ai.kinds.nli.report.groups import Group, Marks, grouped
from beat_the_ai.kinds.nli.report.pairs import Part, labelled_pair
from beat_the_ai.rules import dataset
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import DEV, TEST

SHOWN_PARTS = (DEV, TEST)  # which hold verified model errors alone; the first are shown first
MOST = 3
UNKNOWN = "–"


@dataclass(frozen=True)
class Shown:
    """A pair of a part, as far as it is known. `said` are the verifiers' labels, None for a bad example."""

    part: str
    pair: LabelledPair
    target: Label | None = None
    said: Sequence[Label | None] | None = None


def of_campaign(parts: dataset.Parts) -> list[Shown]:
    return [
        Shown(name, labelled_pair(each), each.work["target"], [vote["label"] for vote in each.votes])
        for name in SHOWN_PARTS
        for each in parts[name]
    ]


def of_files(parts: Iterable[Part], attempts: Iterable[Attempt]) -> list[Shown]:
    """Return the pairs of dev and test, with what the attempts of an export tell of them."""
    told = {attempt.attempt_id: attempt for attempt in attempts}
    shown = []
    for part in parts:
        for pair in part.pairs if part.name in SHOWN_PARTS else ():
            attempt = told.get(pair.id)
            if attempt is None:
                shown.append(Shown(part.name, pair))
            else:
                said = [vote.vote.label for vote in attempt.votes if vote.counts]
                shown.append(Shown(part.name, pair, attempt.work.target, said))
    return shown


def example_sections(shown: Iterable[Shown]) -> list[Section]:
    """Return a table of a few examples of each round; nothing where no round is known."""
    of_round: dict[str, list[Shown]] = defaultdict(list)
    for group, some in grouped((Marks(each.pair.round, "", False), each) for each in shown if each.pair.round).items():
        if group.name == "":
            of_round[group.round] = sorted(some, key=_place)[:MOST]
    rows = [_cells(number, each) for number, some in of_round.items() for each in some]
    if not rows:
        return []
    text = (
        f"Model errors of dev, and then of test, {MOST} of each round at most, drawn by a hash of their ids. “Asked "
        "for” is the writer's target, “verifiers” the labels of those whose votes count, “label” the one in the "
        "dataset. Inference types are beside annotated examples."
    )
    header = ("round", "premise", "hypothesis", "reason", "asked for", "model", "verifiers", "label")
    return [Section("Examples of each round", text, Table(header, rows), source="Comparing with other datasets")]


def _place(shown: Shown) -> tuple[int, str]:
    return SHOWN_PARTS.index(shown.part), sha256(shown.pair.id.encode()).hexdigest()


def _cells(number: str, shown: Shown) -> tuple[str, ...]:
    pair = shown.pair
    verifiers = UNKNOWN if shown.said is None else ", ".join(label or "bad example" for label in shown.said)
    return (
        Group(number, "").cells[0],
        pair.pair.premise,
        pair.pair.hypothesis,
        pair.reason or UNKNOWN,
        shown.target or UNKNOWN,
        pair.model_label or UNKNOWN,
        verifiers,
        pair.label,
    )
