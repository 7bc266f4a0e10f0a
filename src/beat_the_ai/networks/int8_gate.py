"""The gate before a model in int8: how much worse it is than in fp32, measured on labelled data, and refused above a
limit. What was measured lies in the model's folder; without it, or after any change to the files, none is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.errors import AdversaryError
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.intervals import wilson

REPORT_FILE = "quantisation.json"
FORMAT = 1
Marks = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Change:
    """A figure in percent, in fp32 and in int8; `low` to `high` is the 95% interval of the drop in percentage points.

    The interval is the bootstrap's over pairs: both models were asked the same questions.
    """

    fp32: float
    int8: float
    drop: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """`figures` by name; `agreement` is the share of questions that get the same answer, with its Wilson interval."""

    questions: int
    figures: Mapping[str, Change]
    agreement: float
    agreement_low: float
    agreement_high: float

    @property
    def words(self) -> list[str]:
        lines = [
            f"{name}: {each.fp32:.2f}% in fp32, {each.int8:.2f}% in int8, a drop of {each.drop:.2f} points "
            f"(95% interval {each.low:.2f} to {each.high:.2f})"
            for name, each in self.figures.items()
        ]
        shares = (self.agreement, self.agreement_low, self.agreement_high)
        share, low, high = (100 * one for one in shares)
        agreement = f"the same answer to {share:.2f}% (95% interval {low:.2f} to {high:.2f})"
        return [*lines, f"{agreement} of {self.questions:,} questions"]

    def check(self, max_drop: float) -> None:
        """Raises `AdversaryError` unless every drop is at most that many points, at the upper end of its interval."""
        worst = max(self.figures, key=lambda name: self.figures[name].high)
        if self.figures[worst].high > max_drop:
            measured = "; ".join(self.words)
            raise AdversaryError(
                f"In int8 the model's {worst} may be {self.figures[worst].high:.2f} points lower, and at most "
                f"{max_drop:g} are allowed (--max-drop), so it was not written. {measured}. Check with more questions "
                "if the interval is wide, calibrate with questions of the same sort, or stay with fp32."
            )


def compare(fp32: tuple[Mapping[str, Any], Marks], int8: tuple[Mapping[str, Any], Marks]) -> Comparison:
    """Compare two models by their answers, `{id: answer}`, and marks (`Measured.marks`) of the same questions."""
    (answers, marks), (int8_answers, int8_marks) = fp32, int8
    figures = {name: _change(of_each, int8_marks[name]) for name, of_each in marks.items()}
    same = sum(int8_answers[name] == answer for name, answer in answers.items())
    return Comparison(len(answers), figures, same / len(answers), *wilson(same, len(answers)))


def _change(before: Mapping[str, float], after: Mapping[str, float]) -> Change:
    drops = [100 * (mark - after[name]) for name, mark in before.items()]
    fp32, int8 = (100 * sum(marks.values()) / len(marks) for marks in (before, after))
    drop = bootstrap_mean(drops)
    assert drop is not None, "there are questions"
    low, high = drop.interval or (drop.value, drop.value)  # the same drop on each
    return Change(fp32, int8, fp32 - int8, low, high)


@dataclass(frozen=True)
class Passed:
    """A passed comparison: the model, its source, the file of the comparison (its SHA-256), and the result."""

    model: ModelIdentity
    source: ModelIdentity
    check_sha256: str
    max_drop: float
    comparison: Comparison

    def write(self, folder: Path) -> None:
        content = {"format": FORMAT, **asdict(self)}
        (folder / REPORT_FILE).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def check_passed(folder: Path, identity: ModelIdentity) -> None:
    """Raises `AdversaryError` unless these very files have passed."""
    advice = "Make it again: beat-the-ai adversary quantise SOURCE OUT --calibrate FILE --check FILE"
    try:
        content = json.loads((folder / REPORT_FILE).read_text(encoding="utf-8"))
        form, task, digest = content["format"], content["model"]["task"], content["model"]["hash"]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise AdversaryError(
            f"{folder.name!r} is in int8, and no {REPORT_FILE} says how it compares to fp32. {advice}"
        ) from error
    if form != FORMAT or digest != identity.hash:
        raise AdversaryError(f"The files of {folder.name!r} are not those that {REPORT_FILE} is about. {advice}")
    if task != identity.task:
        raise AdversaryError(f"{folder.name!r} was compared as a model of {task}, and is loaded for {identity.task}.")
