"""AdvScore (Sung et al. 2025): who answered what follows from the files, and so do all counts.

The fitted parameters are in no file. So scores are compared with those of a fit of one's own (`item_responses`), up to
a share of the width of their intervals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from tests.recompute.campaign import Kind, Section
from tests.recompute.cells import NONE
from tests.recompute.files import Export
from tests.recompute.item_responses import Answers, Drawn, Fit

OVERALL, BY_MODEL, BY_WRITER = "Is it adversarial? AdvScore", "AdvScore against each model", "AdvScore by writer"
HARD = "Hard, or ambiguous?"
TITLES = {OVERALL, BY_MODEL, BY_WRITER, HARD}
DECIDED, IN_THE_LOOP = "votes that decided on their example", "answers of the model in the loop"
LIKELY, MOST_LISTED, MOST_TEXT = 0.5, 50, 300
VALUE_WITHIN, ENDS_WITHIN = 0.6, 0.9  # of half the width of an interval
CLOSE, ROUNDING = 0.03, 0.0051
CELL = re.compile(r"^(−?[\d.]+)(?: \((−?[\d.]+) to (−?[\d.]+)\))?$")


@dataclass(frozen=True)
class Responses:
    """A row for each answer, with `subject`, `is_person`, `item` and `right`; what is left out, by the reason."""

    rows: pd.DataFrame
    left_out: Counter[str]
    writers: Mapping[str, str]
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Near:
    """A figure with its interval by a fit of one's own: draws of it."""

    draws: Any

    def differs(self, cell: str) -> bool:
        """Return whether a cell says another value, or another interval if it has one."""
        match = CELL.match(cell)
        if match is None:
            return True
        value, *ends = (float(text.replace("−", "-")) for text in match.groups() if text is not None)
        low, high = np.quantile(self.draws, [0.025, 0.975])
        half = (high - low) / 2
        far = abs(value - self.draws.mean()) > VALUE_WITHIN * half + CLOSE
        made = (low, high) if ends else ()
        return far or any(abs(one - other) > ENDS_WITHIN * half + CLOSE for one, other in zip(ends, made, strict=True))

    def __str__(self) -> str:
        low, high = np.quantile(self.draws, [0.025, 0.975])
        return f"about {self.draws.mean():.2f} ({low:.2f} to {high:.2f})"


def differences(export: Export, kind: Kind, said: Mapping[str, Section]) -> Iterator[str]:
    """Yield how the sections on AdvScore differ. There are some where both people and models have answered."""
    responses = responses_of(export, kind)
    if not export.rescored or responses.rows["is_person"].nunique() < 2:
        yield from (f"report, {title}: nobody has recomputed it" for title in said if title in TITLES)
        return
    if missing := TITLES - said.keys():
        yield f"report: {', '.join(sorted(missing))} is missing"
        return
    scored = _Scored(responses)
    for title, found in (
        (OVERALL, _overall(scored, sentences(export, kind), said[OVERALL], said[HARD])),
        (BY_MODEL, _by_model(scored, said[BY_MODEL])),
        (BY_WRITER, _by_writer(scored, said[BY_WRITER], said[OVERALL])),
        (HARD, _hard(scored, said[HARD])),
    ):
        yield from (f"report, {title}: {one}" for one in found)


def responses_of(export: Export, kind: Kind) -> Responses:
    """Return the answers of people, whose votes the others judge, and of models that answered later."""
    rows, left_out = list[tuple[str, bool, str, bool]](), Counter[str]()
    kept = export.kept
    for example in kept.itertuples():
        name, votes = example.attempt_id, example.counted_votes
        for vote, right in zip(votes, kind.votes_right(export, example), strict=True):
            if right is None:
                left_out[DECIDED] += 1
            else:
                rows.append((vote["worker"], True, name, right))
        for model in export.rescored:
            if name not in model.answers.index:
                continue
            if model.hash == example.model["hash"]:
                left_out[IN_THE_LOOP] += 1
                continue
            answer = model.answers.loc[name]
            rows.append((model.label, False, name, kind.model_right(example, answer)))
    table = pd.DataFrame(rows, columns=["subject", "is_person", "item", "right"])
    texts = {row.attempt_id: " / ".join(kind.told(row.work)) for row in kept.itertuples()}
    return Responses(table, left_out, dict(zip(kept["attempt_id"], kept["worker"], strict=True)), texts)


class _Scored:
    """Scores by a fit of one's own. Draws are rows; examples, models and subjects are columns."""

    def __init__(self, responses: Responses) -> None:
        self.responses = responses
        rows = responses.rows
        right = rows.pivot_table("right", "item", "subject", aggfunc="first", observed=True, sort=True)
        self.items, self.subjects = list(right.index), list(right.columns)
        kinds = rows.groupby("subject")["is_person"].first()[self.subjects].to_numpy(dtype=bool)
        self.models = [name for name, is_person in zip(self.subjects, kinds, strict=True) if not is_person]
        fit = Fit(Answers(right.to_numpy(dtype=float), kinds))
        draws = list(fit.draws())
        self.abilities = np.array([draw.abilities for draw in draws])
        self.discriminations = np.array([draw.discriminations for draw in draws])
        parts = [_parts(draw, kinds) for draw in draws]
        self.people, self.margins, self.scores, self.disagreement, self.discriminability = (
            np.array(column) for column in zip(*parts, strict=True)
        )
        self.against = {
            name: [_against(draw, kinds, self.subjects.index(name)) for draw in draws] for name in self.models
        }

    def tallies(self, *, people: bool) -> dict[str, str]:
        rows = self.responses.rows
        mine = rows[rows["is_person"] == people].groupby("item")["right"].agg(["sum", "size"])
        found = mine.reindex(self.items, fill_value=0)
        return {name: f"{int(one['sum']):,} of {int(one['size']):,}" for name, one in found.iterrows()}


def _skilled(abilities: Any, above: float, fewest: int) -> Any:
    """Return the abilities so many standard deviations above the mean of their group; all where these are too few."""
    chosen = abilities[abilities > abilities.mean() + above * abilities.std()]
    return chosen if len(chosen) >= fewest else abilities


def _chance(ability: Any, draw: Drawn) -> Any:
    return special.expit(draw.discriminations * (ability - draw.difficulties))


def _parts(draw: Drawn, is_person: Any, models: Any = None) -> tuple[Any, Any, Any, Any, Any]:
    """Return of each example how likely skilled people are right, its margin, score and what that is made of (Eq. 10).

    The integral of γ²p(1 - p) over all abilities is γ.
    """
    people, others = draw.abilities[is_person], draw.abilities[~is_person] if models is None else models
    experts = np.array([_chance(ability, draw) for ability in _skilled(people, 1, 2)])
    by_people = _chance(_skilled(people, 0, 1).mean(), draw)
    margin = by_people - _chance(_skilled(others, 0, 1).mean(), draw)
    disagreement = np.abs(experts - experts.mean(axis=0)).mean(axis=0)
    discriminability = 1 - np.exp(-draw.discriminations)
    return by_people, margin, margin * (1 + discriminability) / (1 + disagreement), disagreement, discriminability


def _against(draw: Drawn, is_person: Any, model: int) -> tuple[float, float]:
    """Return the mean score and margin of all examples against one model."""
    _, margin, score, _, _ = _parts(draw, is_person, draw.abilities[[model]])
    return float(score.mean()), float(margin.mean())


def _cells(place: str, said: Sequence[str], made: Sequence[str | Near]) -> Iterator[str]:
    for one, other in zip(said, made, strict=True):
        if other.differs(one) if isinstance(other, Near) else other != one:
            yield f"{place}: {one} is said, {other} is in the files"


def sentences(export: Export, kind: Kind) -> list[str]:
    """Return what a report says of the answers in all."""
    responses = responses_of(export, kind)
    rows, left_out = responses.rows, responses.left_out
    subjects = rows.groupby("is_person")["subject"].nunique().reindex([True, False], fill_value=0)
    of_whom = f"{subjects[True]:,} people and {subjects[False]:,} models to {rows['item'].nunique():,} examples"
    told = [f"{len(rows):,} answers of {of_whom}."]
    if left_out:
        told.append(f"Left out: {'; '.join(f'{count:,} {why}' for why, count in sorted(left_out.items()))}.")
    return told


def _overall(scored: _Scored, told: Sequence[str], said: Section, hard: Section) -> Iterator[str]:
    yield from (f"{one!r} is not in {said.sentences[0]!r}" for one in told if one not in said.sentences[0])
    made = [
        ("AdvScore", Near(scored.scores.mean(axis=1))),
        ("margin: probability of skilled people less that of skilled models", Near(scored.margins.mean(axis=1))),
        ("discriminability, from 0 to 1", Near(scored.discriminability.mean(axis=1))),
        ("disagreement of highly skilled people", Near(scored.disagreement.mean(axis=1))),
    ]
    for (name, value), row in zip(made, said.rows, strict=False):
        yield from _cells(name, row, [name, value])
    verdicts = Counter(row[list(hard.header).index("verdict")] for row in hard.rows)
    rest = list(map(list, said.rows[len(made) :]))
    listed = [["examples that are hard for skilled people", f"{len(hard.rows):,}"]]
    listed += [[f"of these: {verdict}", f"{count:,}"] for verdict, count in verdicts.items()]
    if len(hard.rows) < MOST_LISTED and rest != listed:
        yield f"{rest} is said, {listed} is in the list of them"


def _by_model(scored: _Scored, said: Section) -> Iterator[str]:
    rows = scored.responses.rows
    if [row[0] for row in said.rows] != sorted(scored.models):
        yield f"{[row[0] for row in said.rows]} are said, {sorted(scored.models)} are in the files"
        return
    for row in said.rows:
        mine = rows[rows["subject"] == row[0]]["right"]
        score, margin = np.array(scored.against[row[0]]).T
        ability = scored.abilities[:, scored.subjects.index(row[0])]
        right = f"{int(mine.sum()):,} of {len(mine):,}"
        yield from _cells(row[0], row, [row[0], NONE, right, Near(ability), Near(score), Near(margin)])


def _by_writer(scored: _Scored, said: Section, overall: Section) -> Iterator[str]:
    """Writers are listed by their scores, whose mean, weighted by their examples, is that of all."""
    writers = pd.Series([scored.responses.writers[name] for name in scored.items])
    counts = writers.value_counts()
    if sorted(row[0] for row in said.rows) != sorted(counts.index):
        yield f"{[row[0] for row in said.rows]} are said, {list(counts.index)} are in the files"
        return
    values = [float(row[2].split()[0].replace("−", "-")) for row in said.rows]
    if values != sorted(values, reverse=True):
        yield f"scores are not in descending order: {values}"
    shares = [counts[row[0]] / len(writers) for row in said.rows]
    whole = float(overall.rows[0][1].split()[0].replace("−", "-"))
    if abs(np.dot(values, shares) - whole) > 2 * ROUNDING:
        yield f"the mean of writers is {np.dot(values, shares):.3f}, and that of all examples {whole}"
    for row in said.rows:
        mine = (writers == row[0]).to_numpy()
        figures = (scored.scores, scored.margins, scored.discriminability)
        near = [Near(figure[:, mine].mean(axis=1)) for figure in figures]
        yield from _cells(row[0], row, [row[0], f"{counts[row[0]]:,}", *near])


def _hard(scored: _Scored, said: Section) -> Iterator[str]:
    """The list of hard examples: which they are is up to the fit where that is not sure."""
    people, models = (scored.tallies(people=each) for each in (True, False))
    share_hard = dict(zip(scored.items, (scored.people < LIKELY).mean(axis=0), strict=True))
    dull = scored.discriminations < np.median(scored.discriminations, axis=1, keepdims=True) / 2
    ambiguous = dict(zip(scored.items, dull.mean(axis=0), strict=True))
    order, before = ("ambiguous", "not told", "well-posed"), (0, -1.0)
    for name, text, verdict, *rest in said.rows:
        right, by_models, share, discrimination, score = rest
        if name not in share_hard or share_hard[name] < LIKELY - 0.25:
            yield f"{name} is said to be hard, which it is with a probability of {share_hard.get(name)}"
            continue
        place = scored.items.index(name)
        told = " ".join(scored.responses.texts[name].split())[:MOST_TEXT].strip()
        near = [Near(scored.discriminations[:, place]), Near(scored.scores[:, place])]
        made: list[str | Near] = [told, people[name], models[name], *near]
        yield from _cells(name, [text, right, by_models, discrimination, score], made)
        shown = float(share.rstrip("%")) / 100
        if abs(shown - ambiguous[name]) > 0.25:
            yield f"{name}: {share} is said to be ambiguous, {ambiguous[name]:.0%} is in the files"
        if (verdict == "ambiguous") != (shown >= LIKELY) and abs(shown - LIKELY) > ROUNDING:
            yield f"{name} is called {verdict}, and ambiguous with a probability of {share}"
        if verdict == "well-posed" and right.startswith("0 "):
            yield f"{name} is called well-posed, and nobody was right"
        rank = (order.index(verdict), -shown)
        if rank < before:
            yield f"{name} is listed after less doubtful examples"
        before = rank
    surely = [name for name, share in share_hard.items() if share > LIKELY + 0.25]
    if len(said.rows) < MOST_LISTED and (missing := set(surely) - {row[0] for row in said.rows}):
        yield f"{sorted(missing)} are hard, and are not listed"


def labels_right(author: str, votes: Sequence[Any], label: Any) -> list[bool | None]:
    """Return of each vote whether its label is that of most of the author and the others; None in a tie."""
    labels = [label(vote) for vote in votes]
    found: list[bool | None] = []
    for place, mine in enumerate(labels):
        counts = Counter([author, *labels[:place], *labels[place + 1 :]])
        most = [name for name, count in counts.items() if count == max(counts.values())]
        found.append(mine == most[0] if len(most) == 1 and most[0] is not None else None)
    return found


def agreements_right(votes: Sequence[Any], asked: int, least: int) -> list[bool | None]:
    """Return of each vote whether it agrees; None where it decided on the example.

    An example is kept if at least so many agree. Where asking stopped early, only the first vote tells anything.
    """
    agree = [bool(vote["agrees"]) for vote in votes]
    if len(votes) < asked:
        return [each if place == 0 else None for place, each in enumerate(agree)]
    return [None if each and sum(agree) - 1 < least else each for each in agree]


def was_right(_example: Any, answer: pd.Series) -> bool:
    return answer["fooled"] is False


def most_votes(export: Export) -> int:
    """Return how many votes the terms ask for at most, by the card."""
    found = re.search(r"up to (\d+) on a", export.fact("votes asked for"))
    assert found is not None, export.fact("votes asked for")
    return int(found[1])
