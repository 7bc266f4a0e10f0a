"""The section of a report that compares the arms of a round: what comes of another model, of none, of pay or words?

Workers were drawn into arms, so each figure is a ratio of sums over an arm's workers, and its interval is by a
jackknife of the workers (`statistics.jackknife`). Error rates are those of `analysis.rounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from beat_the_ai.analysis.cells import cell
from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.kind import Words
from beat_the_ai.statistics.figure import Estimate, Shown, decimals, percent, points
from beat_the_ai.statistics.jackknife import Scale
from beat_the_ai.statistics.ratios import Pair, difference, ratio
from beat_the_ai.statistics.section import Section, Table

COMPARED = "Do the arms differ?"
TEXT = (
    "Each worker was drawn into one arm. A win is a try that beat the model, whether its writer saw that or not. "
    "Minutes are those of all HITs that count, from acceptance to submission. Pay is what writers have earned, with "
    "fees. Intervals are at 95%, by a jackknife of the workers with Student's t (MacKinnon, Nielsen and Webb 2023); "
    "there is none for one worker, nor where one worker has all wins. With many figures some differ by chance. "
    "Differences of shares are in percentage points."
)


@dataclass
class ArmWriter:
    """The figures of one writer in an arm: HITs that count and the seconds in them, cents with fees, and examples.

    Other people keep `kept` of the `voted` works. `examples` are in the dataset and beat the model. Of the tries in an
    arm with suggestions, which are `assisted`, `suggested` were made of one, `unchanged` of them without any change.
    """

    errors: Errors = field(default_factory=Errors)
    hits: int = 0
    seconds: float = 0.0
    kept: int = 0
    voted: int = 0
    examples: int = 0
    cents: int = 0
    assisted: int = 0
    suggested: int = 0
    unchanged: int = 0


@dataclass(frozen=True)
class ComparedArms:
    """The arms of a round: the writers of each, the arm first that others are compared with, and the workers drawn.

    `kept_as` is what works are called that other people keep; empty where nobody checks any. `suggests`: some arm has
    suggestions of a model. Arms without them have no share of tries made of one.
    """

    number: int
    arms: Mapping[str, Sequence[ArmWriter]]
    drawn: Mapping[str, int]
    words: Words
    kept_as: str
    unit: str
    suggests: bool = False


@dataclass(frozen=True)
class _Figure:
    """`pair` is a writer's share of numerator and denominator. `shown` and `less` show a value and a difference."""

    name: str
    scale: Scale
    pair: Callable[[ArmWriter], Pair]
    shown: Shown
    less: Shown

    def estimate(self, writers: Sequence[ArmWriter]) -> Estimate | None:
        """Return the figure of an arm by its writers."""
        return ratio([self.pair(one) for one in writers], self.scale)


def arms_section(of: ComparedArms) -> Section:
    """Return the arms beside each other, figure by figure."""
    first = next(iter(of.arms))
    rows = [("workers drawn", name, f"{of.drawn.get(name, 0):,}", "–") for name in of.arms]
    rows += [
        ("workers whose HITs count", name, f"{sum(each.hits > 0 for each in writers):,}", "–")
        for name, writers in of.arms.items()
    ]
    for figure in _figures(of):
        estimates = {name: figure.estimate(arm) for name, arm in of.arms.items()}
        for name, mine in estimates.items():
            less = None if name == first else difference(mine, estimates[first])
            rows.append((figure.name, name, cell(mine, figure.shown), cell(less, figure.less)))
    header = ("figure", "arm", "value (95% interval)", f"less that of {first}")
    return Section(f"{COMPARED} Round {of.number}", TEXT, Table(header, rows))


def _figures(of: ComparedArms) -> Iterator[_Figure]:
    yield _number("tries per win", lambda one: (one.errors.attempts, one.errors.errors))
    yield _number("minutes per win", lambda one: (one.seconds / 60, one.errors.errors))
    yield _share("model error rate, unverified", lambda one: one.errors.rates["unverified"])
    if of.kept_as:
        yield _share("model error rate, verified", lambda one: one.errors.rates["verified"])
        yield _share(f"{of.kept_as}, of the decided", lambda one: (one.kept, one.voted))
    if of.suggests:
        yield _share("tries made of a suggestion", lambda one: (one.suggested, one.assisted))
        yield _share("tries that are a suggestion, unchanged", lambda one: (one.unchanged, one.assisted))

    def amount(cents: float) -> str:
        return show(round(cents), of.unit)

    def less(cents: float) -> str:
        return f"{'−' if round(cents) < 0 else '+'}{amount(abs(cents))}"

    name = f"writers' pay for a {of.words.work} in the dataset that beat the model"
    yield _Figure(name, Scale.AMOUNT, lambda one: (one.cents, one.examples), amount, less)


def _number(name: str, pair: Callable[[ArmWriter], Pair]) -> _Figure:
    return _Figure(name, Scale.AMOUNT, pair, decimals(2), decimals(2, plus=True))


def _share(name: str, pair: Callable[[ArmWriter], Pair]) -> _Figure:
    return _Figure(name, Scale.SHARE, pair, percent, points)
