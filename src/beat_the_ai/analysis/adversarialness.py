"""The report on how adversarial a dataset is: AdvScore of examples, writers and models; hard or ambiguous examples.

After Sung et al. 2025 (`statistics.advscore`): people and models answer the same examples, and one model of their
abilities explains all answers.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from beat_the_ai.analysis.drawings import Range, ranges
from beat_the_ai.analysis.responses import ARGUMENT, Collected, Response
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.advscore import DULL, MODELS, PEOPLE, ExampleScore, GroupScore, Posterior, Scores, scores
from beat_the_ai.statistics.figure import decimals, with_interval
from beat_the_ai.statistics.irt import Responses
from beat_the_ai.statistics.section import Section, Table

SOURCE = "Sung et al. 2025, "
ALL = "all examples"
MOST_LISTED, MOST_BARS, MOST_TEXT = 50, 40, 300
LIKELY, SURE = 0.5, 0.7
TOLD = (
    "AdvScore compares skilled people with skilled models by one two-parameter logistic model of all answers. It is "
    "above 0 where people do better. Abilities have mean 0 and standard deviation 1 over all who answered."
)
INTERVALS = (
    "Intervals are at 95% and say how far these answers determine the figure for these examples; other writers or "
    "models may differ."
)


class Verdict(Enum):
    """The nature of a hard example."""

    AMBIGUOUS = "ambiguous"
    UNKNOWN = "not told"
    WELL_POSED = "well-posed"


ORDER = tuple(Verdict)


@dataclass(frozen=True)
class Tally:
    """The right answers to an example, of so many."""

    right: int = 0
    asked: int = 0

    def __str__(self) -> str:
        return f"{self.right:,} of {self.asked:,}"


@dataclass(frozen=True)
class Adversarialness:
    """The scores of a dataset. `items` and `subjects` are the names of what `scores` has by number."""

    collected: Collected
    items: Sequence[str]
    subjects: Sequence[Response]
    scores: Scores
    people: Sequence[Tally]
    models: Sequence[Tally]

    @property
    def sections(self) -> list[Section]:
        """Return what a report says of them; of writers only where they are known."""
        found = [self._overall(), self._by_model()]
        if self.scores.groups:
            found.append(self._by_writer())
        return [*found, self._hard()]

    @property
    def figures(self) -> dict[str, Any]:
        """Return the same for programs, with every example and subject."""
        collected = self.collected
        return {
            "overall": asdict(self.scores.overall),
            "against": {name: asdict(group) for name, group in self.scores.against.items()},
            "writers": {name: asdict(group) for name, group in self.scores.groups.items()},
            "subjects": [
                {"subject": one.subject, "kind": _kind(one), "ability": asdict(ability)}
                for one, ability in zip(self.subjects, self.scores.abilities, strict=True)
            ],
            "examples": [
                {
                    "item": name,
                    **({"writer": collected.writers[name]} if name in collected.writers else {}),
                    "people": asdict(people),
                    "models": asdict(models),
                    **_named(example),
                    "verdict": self._verdicts[number].value if number in self._verdicts else None,
                }
                for number, (name, example, people, models) in enumerate(
                    zip(self.items, self.scores.examples, self.people, self.models, strict=True)
                )
            ],
            "left_out": dict(collected.left_out),
        }

    def _overall(self) -> Section:
        is_person = [one.is_person for one in self.subjects]
        answers = sum(tally.asked for tally in (*self.people, *self.models))
        left_out = "; ".join(f"{count:,} {why}" for why, count in sorted(self.collected.left_out.items()))
        text = (
            f"{TOLD} {answers:,} answers of {sum(is_person):,} people and {len(is_person) - sum(is_person):,} models "
            f"to {len(self.items):,} examples. {INTERVALS}{f' Left out: {left_out}.' if left_out else ''}"
        )
        one = self.scores.overall
        rows = [
            ("AdvScore", _cell(one.score)),
            ("margin: probability of skilled people less that of skilled models", _cell(one.margin)),
            ("discriminability, from 0 to 1", f"{one.discriminability:.2f}"),
            ("disagreement of highly skilled people", f"{one.disagreement:.2f}"),
            ("examples that are hard for skilled people", f"{len(self._verdicts):,}"),
            *(
                (f"of these: {verdict.value}", f"{count:,}")
                for verdict, count in Counter(self._verdicts.values()).items()
            ),
        ]
        table = Table(("figure", "value"), rows)
        return Section("Is it adversarial? AdvScore", text, table, source=f"{SOURCE}Eq. 10", headline=_cell(one.score))

    @cached_property
    def _verdicts(self) -> dict[int, Verdict]:
        """Return the verdict on each example that even skilled people probably get wrong, the most doubtful first."""
        examples = self.scores.examples
        found = {
            number: _verdict(example, self.people[number])
            for number, example in enumerate(examples)
            if example.hard > LIKELY
        }
        doubtful = sorted(found, key=lambda number: (ORDER.index(found[number]), -examples[number].ambiguous, number))
        return {number: found[number] for number in doubtful}

    def _by_model(self) -> Section:
        """Return the score against each model and, by their dates, against all models so far (Figure 3)."""
        answered: dict[str, list[bool]] = defaultdict(list)
        for response in self.collected.responses.values():
            answered[response.subject].append(response.right)
        abilities = {one.subject: ability for one, ability in zip(self.subjects, self.scores.abilities, strict=True)}
        rows = []
        for name, group in self.scores.against.items():
            own = answered.get(name, [])
            ability = abilities.get(name)
            date = self.collected.released.get(name)
            rows.append(
                (
                    printable(name, max_chars=MOST_TEXT) or "",
                    "–" if date is None else date.isoformat(),
                    f"{sum(own):,} of {len(own):,}" if own else "–",
                    "–" if ability is None else _cell(ability),
                    _cell(group.score),
                    _cell(group.margin),
                )
            )
        header = ("model", "released", "right", "ability", "AdvScore", "margin")
        text = "AdvScore of all examples against each model. A row of several models takes the skilled ones together."
        drawn = [_range(name, group) for name, group in list(self.scores.against.items())[:MOST_BARS]]
        plot = ranges(drawn, "AdvScore against each model")
        return Section("AdvScore against each model", text, Table(header, rows), plot, source=f"{SOURCE}Figure 3")

    def _by_writer(self) -> Section:
        ranked = sorted(self.scores.groups.items(), key=lambda each: -each[1].score.value)
        rows = [
            (name, f"{group.examples:,}", _cell(group.score), _cell(group.margin), f"{group.discriminability:.2f}")
            for name, group in ranked
        ]
        header = ("writer", "examples", "AdvScore", "margin", "discriminability")
        plot = ranges([_range(name, group) for name, group in ranked[:MOST_BARS]], "AdvScore by writer")
        text = f"The mean over each writer's examples. {INTERVALS}"
        return Section("AdvScore by writer", text, Table(header, rows), plot, source=f"{SOURCE}§5.1")

    def _hard(self) -> Section:
        rows, texts = [], self.collected.texts
        for number, verdict in [*self._verdicts.items()][:MOST_LISTED]:
            name, example = self.items[number], self.scores.examples[number]
            rows.append(
                (
                    printable(name, max_chars=MOST_TEXT) or "",
                    *([printable(texts.get(name, ""), max_chars=MOST_TEXT) or ""] if texts else []),
                    verdict.value,
                    f"{self.people[number]}",
                    f"{self.models[number]}",
                    f"{example.ambiguous:.0%}",
                    _cell(example.discrimination),
                    _cell(example.score),
                )
            )
        text = (
            "Examples that even skilled people probably get wrong. With one that is only hard, able people are right "
            f"more often. With an ambiguous one skill hardly helps (its discrimination is less than {DULL:g} of the "
            f"median), and so with a wrong answer. It is called ambiguous at a probability of {LIKELY:.0%} or more. "
            f"It is called well-posed if skill helps more than usual with a probability of {SURE:.0%} or more, and "
            "somebody was right. For other examples the answers do not tell. The doubtful ones come first, to be read; "
            f"at most {MOST_LISTED} are listed."
        )
        header = (
            *(("example", "text") if texts else ("example",)),
            *("verdict", "people right", "models right"),
            *("probably ambiguous", "discrimination", "AdvScore"),
        )
        return Section("Hard, or ambiguous?", text, Table(header, rows), source=f"{SOURCE}§2")


def _verdict(example: ExampleScore, people: Tally) -> Verdict:
    if example.ambiguous >= LIKELY:
        return Verdict.AMBIGUOUS
    return Verdict.WELL_POSED if example.clear >= SURE and people.right else Verdict.UNKNOWN


def adversarialness(collected: Collected) -> Adversarialness:
    """Score a dataset by its responses.

    Raises `InvalidInput` where no person, or no model, has answered anything.
    """
    responses = list(collected.responses.values())
    subjects = list({response.subject: response for response in responses}.values())
    people = sum(one.is_person for one in subjects)
    if not collected.is_complete:
        lacking = "people" if not people else "models"
        raise InvalidInput(
            ARGUMENT,
            f"There are answers of {people:,} people and {len(subjects) - people:,} models; at least one of each is "
            f"needed. {_ADVICE[lacking]}",
        )
    items = sorted({response.item for response in responses})
    places = {name: number for number, name in enumerate(items)}
    numbers = {one.subject: number for number, one in enumerate(subjects)}
    given = Responses(
        np.array([numbers[response.subject] for response in responses]),
        np.array([places[response.item] for response in responses]),
        np.array([response.right for response in responses]),
        np.array([PEOPLE if one.is_person else MODELS for one in subjects]),
        len(items),
    )
    models = {one.subject: [numbers[one.subject]] for one in subjects if not one.is_person}
    found = scores(
        given,
        {name: np.array(of) for name, of in _by_writer(collected.writers, places).items()},
        {name: np.array(of) for name, of in _against(models, collected.released).items()},
    )
    return Adversarialness(collected, items, subjects, found, _tallies(given, PEOPLE), _tallies(given, MODELS))


_ADVICE = {
    "people": "People answer as validators of a campaign, or in a file given with --responses.",
    "models": "Run `beat-the-ai rescore` with models other than the one in the loop, or give --responses.",
}


def _by_writer(writers: Mapping[str, str], places: Mapping[str, int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for name, place in places.items():
        if name in writers:
            found[writers[name]].append(place)
    return found


def _against(models: Mapping[str, list[int]], released: Mapping[str, datetime.date]) -> dict[str, list[int]]:
    """Return each model, in the order of their dates; where several have one, all models until each date, too."""
    dated = sorted((released[name], name) for name in models if name in released)
    found = {name: models[name] for _, name in dated}
    found |= {name: models[name] for name in sorted(models) if name not in found}
    for date in sorted({date for date, _ in dated}):
        so_far = [models[name][0] for day, name in dated if day <= date]
        if len(so_far) > 1:
            found[f"all until {date.isoformat()}"] = so_far
    return found


def _tallies(given: Responses, group: int) -> list[Tally]:
    of_group = given.group[given.subject] == group
    asked = np.bincount(given.item[of_group], minlength=given.items)
    right = np.bincount(given.item[of_group], weights=given.right[of_group], minlength=given.items)
    return [Tally(int(one), int(of)) for one, of in zip(right, asked, strict=True)]


def _kind(one: Response) -> str:
    return "person" if one.is_person else "model"


def _named(example: ExampleScore) -> dict[str, Any]:
    named = asdict(example)
    named["people_probability"], named["models_probability"] = named.pop("people"), named.pop("models")
    return named


def _cell(estimate: Posterior) -> str:
    return with_interval(estimate.value, (estimate.low, estimate.high), decimals(2))


def _range(name: str, group: GroupScore) -> Range:
    score = group.score
    return Range(printable(name, max_chars=MOST_TEXT) or "", score.value, score.low, score.high)
