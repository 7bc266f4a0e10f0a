"""What writers are asked for, what is refused, and when the model is beaten."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds import english
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction, Probabilities
from beat_the_ai.kinds.nli.pairs import read_pairs
from beat_the_ai.kinds.nli.statement_floor import StatementFloor
from beat_the_ai.kinds.nli.writing import HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.registry import bind
from tests.kinds.nli.premises import PREMISES, WRITING, premise

ATTIC = premise("attic")
labels = st.sampled_from(LABELS)


def task_item(target: Label = "neutral") -> TaskItem:
    return TaskItem(ATTIC, {"target": target})


def prediction(**probabilities: float) -> Prediction:
    found = Probabilities(**probabilities)
    return Prediction(label=max(LABELS, key=lambda label: getattr(found, label)), probabilities=found)


@given(st.text(min_size=1, max_size=20), st.integers(0, 1000), st.integers())
def test_three_slots_in_a_row_have_each_label_once_and_the_same_in_every_run(name: str, slot: int, seed: int) -> None:
    context = Context(name, "text")
    targets = [WRITING.brief(context, number, seed)["target"] for number in range(slot, slot + 3)]
    assert sorted(targets) == sorted(LABELS)
    assert targets == [HypothesisWriting().brief(context, number, seed)["target"] for number in range(slot, slot + 3)]


@given(st.integers())
def test_over_many_contexts_each_label_is_nearly_as_often_the_first(seed: int) -> None:
    """Within 5 standard deviations (of 14.1) of 300 in 900."""
    contexts = [Context(f"premise-{number}", "text") for number in range(900)]
    counts = Counter(WRITING.brief(context, 0, seed)["target"] for context in contexts)
    assert all(abs(counts[label] - 300) < 71 for label in LABELS)


def test_seeds_and_contexts_have_orders_of_their_own() -> None:
    orders = {
        tuple(WRITING.brief(context, slot, seed)["target"] for slot in range(3))
        for context in PREMISES
        for seed in range(10)
    }
    assert len(orders) == 6


@pytest.mark.parametrize(
    ("target", "wording"),
    [
        ("entailment", "definitely correct"),
        ("contradiction", "definitely incorrect"),
        ("neutral", "neither definitely correct nor definitely incorrect"),
    ],
)
def test_the_target_is_worded_as_in_the_paper(target: Label, wording: str) -> None:
    assert WRITING.shown(task_item(target)) == {"target": target, "wording": wording}


def test_a_hypothesis_is_cleaned_and_gets_the_target_of_its_hit_whatever_the_page_says() -> None:
    work = WRITING.check(Work(hypothesis="  The cafe\u0301 was\n closed. ", target="entailment"), task_item())
    assert work == Work(hypothesis="The caf\u00e9 was closed.", target="neutral")


@pytest.mark.parametrize(
    ("hypothesis", "reason"),
    [
        ("", "is empty"),
        ("Closed.", "at least 2 words"),
        ("- ! Closed.", "at least 2 words"),
        ("- !", "no words"),
        ("asdf qwer zxcv bnm", "asdf, qwer, zxcv"),
        ("Was the cafe closed?", "is a question"),
        ("Why did Jonas come", "is a question"),
        ("Banana window cat dog.", "read as a statement"),
        ("The cafe cafe was closed.", "read as a statement"),
        ("Кафе было закрыто.", "letters of the text"),
        ("x " * 151 + "y", "303 characters; at most 300"),
        ("He opened the nearest.", "word by word"),
        ("the KEY turned, only when Jonas leaned on the door", "word by word"),
        ("It was <b>closed</b>.", "markup"),
        ("It was\u202e closed.", "direction of text"),
        ("It was closed \U0001f600.", "pictograph"),
        ("It was\0 closed.", "invisible"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_a_reason(hypothesis: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason) as caught:
        WRITING.check(Work(hypothesis=hypothesis), task_item())
    assert caught.value.field == "hypothesis"
    assert "hypothesis" not in str(caught.value).removeprefix("hypothesis: ")  # pages say statement


@pytest.mark.parametrize(
    "hypothesis",
    [
        "Jonas froze.",
        "Two men talk.",
        "Somebody sang quite loudly thereafter.",
        "Nobody sang.",
        "Jonas didn't knock.",
        "What he had was a key.",
        "Who came first is not said.",
        "Is is a verb.",
        "Being a keeper, Jonas knew the door well.",
        "Had he come earlier, Jonas would have met her.",
        "May the first is the day of the attic.",
        "He was very very old when he opened the door.",
        "It had been closed for a long, long time.",
        "He saw Zbigniew Brzeziński of Hódmezővásárhely there.",
    ],
)
def test_a_statement_is_taken(hypothesis: str) -> None:
    assert WRITING.check(Work(hypothesis=hypothesis), task_item()).hypothesis == hypothesis


def test_each_check_of_what_a_statement_is_can_be_switched_off() -> None:
    for options, hypothesis in (
        ({"min_known_share": 0.0}, "It asdf qwer zxcv."),
        ({"statement_shape": False}, "Was the cafe closed?"),
        ({"premise_script": False, "min_known_share": 0.0, "statement_shape": False}, "Кафе было закрыто."),
    ):
        with pytest.raises(InvalidInput):
            WRITING.check(Work(hypothesis=hypothesis), task_item())
        assert replace(WRITING, **options).check(Work(hypothesis=hypothesis), task_item()).hypothesis == hypothesis


def test_every_statement_that_ships_with_the_task_is_taken() -> None:
    pairs = read_pairs(Path(__file__).parents[3] / "tasks" / "nli" / "contexts" / "sample.jsonl").pairs
    assert len(pairs) == 720
    assert [
        pair.pair.hypothesis for pair in pairs if StatementFloor().flaw(pair.pair.hypothesis, pair.pair.premise)
    ] == []


def test_gibberish_is_nearly_always_refused() -> None:
    rng = Random(1)
    words = sorted(english.known_words())
    keys = [" ".join("".join(rng.choices("asdfghjklqwertyuiopzxcvbnm", k=6)) for _ in range(4)) for _ in range(300)]
    salads = [" ".join(rng.choices(words, k=rng.randint(4, 7))) for _ in range(300)]
    for texts in (keys, salads):
        assert sum(StatementFloor().flaw(text, ATTIC.text) is not None for text in texts) >= 270


def test_words_of_the_text_in_another_order_are_a_hypothesis() -> None:
    assert WRITING.check(Work(hypothesis="Jonas turned the key."), task_item()).hypothesis == "Jonas turned the key."


@given(st.sampled_from(["Jonas turned the key.", "JONAS  turned: the key", "Jonas turned the\u00a0\uff4bey!"]))
def test_case_spacing_punctuation_and_width_make_no_other_hypothesis(variant: str) -> None:
    assert WRITING.fingerprint(Work(hypothesis=variant)) == WRITING.fingerprint(Work(hypothesis="Jonas turned the key"))


def test_another_hypothesis_has_another_fingerprint_and_another_target_has_not() -> None:
    fingerprint = WRITING.fingerprint(Work(hypothesis="Jonas turned the key.", target="neutral"))
    assert fingerprint == WRITING.fingerprint(Work(hypothesis="Jonas turned the key.", target="entailment"))
    assert fingerprint != WRITING.fingerprint(Work(hypothesis="Jonas turned a key.", target="neutral"))
    assert len(fingerprint) <= 64


def test_the_model_is_asked_for_the_pair_and_not_told_the_target() -> None:
    work = Work(hypothesis="Jonas turned the key.", target="neutral")
    assert WRITING.query(work, task_item()) == Pair(premise=ATTIC.text, hypothesis="Jonas turned the key.")


@given(labels, st.tuples(*[st.floats(0.01, 1)] * 3))
def test_the_model_is_beaten_when_its_label_is_not_the_target(target: Label, weights: tuple[float, ...]) -> None:
    shares = {label: weight / sum(weights) for label, weight in zip(LABELS, weights, strict=True)}
    said = prediction(**shares)
    verdict = WRITING.judge(Work(hypothesis="x y", target=target), said, task_item(target))
    assert verdict.fooled == (said.label != target)
    scores = verdict.scores.model_dump()
    assert scores["target_probability"] == shares[target]
    assert scores["margin"] == shares[target] - max(shares[label] for label in LABELS if label != target)
    assert (scores["margin"] < 0) <= verdict.fooled
    assert (scores["margin"] > 0) <= (not verdict.fooled)


def test_a_label_that_is_as_probable_as_the_target_and_before_it_beats_the_model() -> None:
    even = {"entailment": 0.4, "neutral": 0.4, "contradiction": 0.2}
    work = Work(hypothesis="x y")
    assert WRITING.judge(work, prediction(**even), task_item("neutral")).fooled
    assert not WRITING.judge(work, prediction(**even), task_item("entailment")).fooled


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"min_premise_chars": 601}, "min_premise_chars=601 and max_premise_chars=600"),
        ({"min_hypothesis_words": 0}, "min_hypothesis_words=0"),
        ({"max_words": 3}, r"task\.options\.max_words is no option. Allowed: min_premise_chars"),
        ({"max_hypothesis_chars": "many"}, r"task\.options\.max_hypothesis_chars='many'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        bind("nli", options)


def test_lengths_are_options() -> None:
    short = replace(WRITING, max_hypothesis_chars=10, min_hypothesis_words=3)
    with pytest.raises(InvalidInput, match="at most 10"):
        short.check(Work(hypothesis="A b c d e f g"), task_item())
    with pytest.raises(InvalidInput, match="at least 3"):
        short.check(Work(hypothesis="A b"), task_item())
