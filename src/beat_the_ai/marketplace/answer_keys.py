"""Answer keys: from a worker's choices in a qualification test to the qualification's value.

Per question the score of the AnswerOption whose selections are exactly those chosen, else its DefaultScore, else 0;
their sum goes through the QualificationValueMapping, or is the value itself (AnswerKey data structure [doc]).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from beat_the_ai.marketplace.documents import Unreadable, child_text, children, name_of, read_document
from beat_the_ai.marketplace.errors import wrong_parameter

Choices = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class KeyQuestion:
    scores: Mapping[frozenset[str], int]
    default: int


@dataclass(frozen=True)
class Range:
    """Sums from `low` to `high`, both included, give `value`."""

    low: int
    high: int
    value: int


@dataclass(frozen=True)
class AnswerKey:
    """`percent_of` is the sum that counts as 100; `ranges` None means that there is no mapping by ranges."""

    questions: Mapping[str, KeyQuestion]
    percent_of: int | None = None
    multiplier: float | None = None
    ranges: tuple[Range, ...] | None = None
    out_of_range: int = 0

    def value(self, choices: Choices) -> int:
        none: frozenset[str] = frozenset()
        summed = sum(
            question.scores.get(choices.get(name, none), question.default) for name, question in self.questions.items()
        )
        if self.percent_of is not None:
            return summed * 100 // self.percent_of
        if self.multiplier is not None:
            return int(summed * self.multiplier)
        if self.ranges is not None:
            return next((one.value for one in self.ranges if one.low <= summed <= one.high), self.out_of_range)
        return summed


def read_answer_key(text: str) -> AnswerKey:
    """Raises when it is no answer key."""
    try:
        root = read_document(text)
        if name_of(root) != "AnswerKey":
            raise Unreadable(f"it is a {name_of(root)[:80]}, not an AnswerKey")
        questions = {child_text(one, "QuestionIdentifier") or "": _question(one) for one in children(root, "Question")}
        if not questions or "" in questions:
            raise Unreadable("it needs questions, each with a QuestionIdentifier")
        return _with_mapping(questions, root)
    except Unreadable as error:
        raise wrong_parameter(f"The AnswerKey cannot be used: {error}.") from None


def _question(element: Element) -> KeyQuestion:
    scores = {
        frozenset((chosen.text or "").strip() for chosen in children(option, "SelectionIdentifier")): _integer(
            option, "AnswerScore"
        )
        for option in children(element, "AnswerOption")
    }
    default = 0 if child_text(element, "DefaultScore") is None else _integer(element, "DefaultScore")
    return KeyQuestion(scores, default)


def _with_mapping(questions: Mapping[str, KeyQuestion], root: Element) -> AnswerKey:
    for mapping in children(root, "QualificationValueMapping"):
        for kind in mapping:
            if name_of(kind) == "PercentageMapping":
                most = _integer(kind, "MaximumSummedScore")
                if most < 1:
                    raise Unreadable("MaximumSummedScore must be at least 1")
                return AnswerKey(questions, percent_of=most)
            if name_of(kind) == "ScaleMapping":
                return AnswerKey(questions, multiplier=_number(kind, "SummedScoreMultiplier"))
            if name_of(kind) == "RangeMapping":
                otherwise = _integer(kind, "OutOfRangeQualificationValue")
                ranges = tuple(_range(one) for one in children(kind, "SummedScoreRange"))
                return AnswerKey(questions, ranges=ranges, out_of_range=otherwise)
            raise Unreadable(f"{name_of(kind)[:80]} is no QualificationValueMapping")
    return AnswerKey(questions)


def _range(element: Element) -> Range:
    low, high = (_integer(element, f"Inclusive{end}Bound") for end in ("Lower", "Upper"))
    return Range(low, high, _integer(element, "QualificationValue"))


def _integer(element: Element, name: str) -> int:
    text = child_text(element, name) or ""
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdecimal() or len(text) > 10:
        raise Unreadable(f"{name} in {name_of(element)} must be a whole number, not {text[:20]!r}")
    return int(text)


def _number(element: Element, name: str) -> float:
    text = child_text(element, name) or ""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e6:
        raise Unreadable(f"{name} in {name_of(element)} must be a number, not {text[:20]!r}")
    return number
