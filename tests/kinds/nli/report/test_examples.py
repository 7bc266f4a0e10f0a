"""Examples of each round: which are drawn, and what is said of them."""

from __future__ import annotations

from hashlib import sha256

from beat_the_ai.kinds.nli.labels import Label, Pair
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.kinds.nli.report.attempts import Attempt
from beat_the_ai.kinds.nli.report.examples import MOST, example_sections, of_campaign, of_files
from beat_the_ai.kinds.nli.report.pairs import Part
from beat_the_ai.rules.dataset import Example
from tests.kinds.nli.premises import premise
from tests.kinds.nli.report.test_attempts import attempt

PAIR = Pair(premise="It rains.", hypothesis="It is wet.")


def pair(name: str, number: int = 1, reason: str = "", model_label: Label | None = None) -> LabelledPair:
    return LabelledPair(name, PAIR, "neutral", "news", model_label, f"R{number}", reason=reason)


def test_a_few_of_each_round_are_drawn_by_their_ids_dev_before_test() -> None:
    names = [f"test{number}" for number in range(9)]
    test = [pair(name, reason=name) for name in names]
    parts = [
        Part("train", [pair("never")]),
        Part("dev", [pair("dev", reason="dev")]),
        Part("test", [*test, pair("second", 2, "of the second")]),
    ]
    drawn = sorted(names, key=lambda name: sha256(name.encode()).hexdigest())
    [section] = example_sections(of_files(parts, ()))
    assert [(row[0], row[3]) for row in section.table.rows] == [
        *(("1", reason) for reason in ("dev", *drawn[: MOST - 1])),
        ("2", "of the second"),
    ]


def test_an_export_tells_what_was_asked_for_and_what_verifiers_said() -> None:
    votes = [
        {"vote": {"label": "neutral"}, "counts": True},
        {"vote": {"label": None}, "counts": True},
        {"vote": {"label": "entailment"}, "counts": False},
    ]
    told = Attempt.model_validate(attempt("a", 1, fooled=True, votes=votes))
    parts = [Part("dev", [pair("a1", reason="Rain is wet.", model_label="contradiction"), pair("b1")])]
    [section] = example_sections(of_files(parts, [told]))
    assert sorted(tuple(row[3:]) for row in section.table.rows) == [
        ("Rain is wet.", "entailment", "contradiction", "neutral, bad example", "neutral"),
        ("–", "–", "–", "–", "neutral"),
    ]


def test_a_campaign_tells_the_same() -> None:
    work = {"hypothesis": "It is wet.", "target": "entailment"}
    votes = ({"label": "neutral", "flag": None}, {"label": "neutral", "flag": None})
    why = {"label_reason": "Why.", "model_reason": "How."}
    example = Example(
        *("x", "dev", premise("attic"), work, "neutral", "m", {"label": "contradiction"}, True, 3, False, why),
        votes=votes,
    )
    [section] = example_sections(of_campaign({"train": [], "dev": [example], "test": []}))
    [row] = section.table.rows
    assert row == (
        *("3", premise("attic").text, "It is wet.", "Why. How.", "entailment", "contradiction", "neutral, neutral"),
        "neutral",
    )


def test_pairs_of_no_known_round_are_no_examples() -> None:
    assert example_sections(of_files([Part("dev", [LabelledPair("x", PAIR, "neutral", "")])], ())) == []
