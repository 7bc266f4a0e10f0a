from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import Adjudication, Label
from beat_the_ai.rules.registry import bind

LABELS = st.none() | st.sampled_from(["476", "the 476.", "in 476", "Rome", "Rome in 476", "emperor"])
VOTES = st.lists(LABELS, max_size=6)
RULES = st.builds(Answerability, st.integers(1, 5), st.none() | st.sampled_from([0.0, 0.4, 0.8]))


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([], Adjudication("open", None, 3, settled=False)),
        (["Rome", None], Adjudication("open", None, 1, settled=False)),
        (["Rome", None, "in 476"], Adjudication("unanswerable", None, 0, settled=True)),
        ([None, None, "The 476."], Adjudication("answerable", "476", 0, settled=True, kept=True, confirmed=True)),
        (["476"], Adjudication("answerable", "476", 2, settled=True, kept=True, confirmed=True)),
        (["x", "y", "z", "476"], Adjudication("answerable", "476", 0, settled=True, kept=True, confirmed=True)),
    ],
)
def test_one_of_three_validators_must_give_the_writers_answer(votes: list[Label], expected: Adjudication) -> None:
    assert Answerability().adjudicate("476", None, votes) == expected


def test_overlap_is_an_option_and_its_threshold_is_passed_only_from_above() -> None:
    votes = ["in 476 perhaps", None, None]  # F1 0.5
    assert Answerability().adjudicate("476", None, votes).status == "unanswerable"
    assert Answerability(overlap=0.4).adjudicate("476", None, votes).status == "answerable"
    assert Answerability(overlap=0.5).adjudicate("476", None, votes).status == "unanswerable"


def test_cannot_be_answered_never_agrees() -> None:
    assert not Answerability(overlap=0.0).agree(None, "476")


@given(RULES, VOTES, st.randoms())
def test_the_order_of_votes_makes_no_difference(rules: Answerability, votes: list[Label], rng: object) -> None:
    shuffled = list(votes)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rules.adjudicate("476", None, shuffled) == rules.adjudicate("476", None, votes)


@given(RULES, VOTES)
def test_an_adaptive_stop_never_changes_a_status_and_never_asks_for_more(
    rules: Answerability, votes: list[Label]
) -> None:
    votes = (votes + [None] * rules.votes_wanted)[: rules.votes_wanted]
    asked: list[Label] = []
    while not rules.adjudicate("476", None, asked).settled:
        asked.append(votes[len(asked)])
    stopped = rules.adjudicate("476", None, asked)
    assert len(asked) + stopped.votes_needed <= rules.votes_wanted
    assert stopped.status == rules.adjudicate("476", None, votes).status
    for more in range(len(asked), len(votes)):
        assert rules.adjudicate("476", None, votes[: more + 1]).status == stopped.status


@given(RULES, VOTES)
def test_what_is_settled_has_a_status_and_what_needs_no_votes_is_settled(
    rules: Answerability, votes: list[Label]
) -> None:
    outcome = rules.adjudicate("476", None, votes)
    assert outcome.settled == (outcome.status != "open")
    assert outcome.votes_needed == max(0, rules.votes_wanted - len(votes))
    assert outcome.settled or outcome.votes_needed > 0
    assert (outcome.label is not None) == outcome.kept


@pytest.mark.parametrize("options", [{"votes_wanted": 0}, {"overlap": 1.0}, {"overlap": -0.1}])
def test_rules_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(options))):
        bind("reading_comprehension", {}, options)


def test_what_is_no_rule_cannot_be_set() -> None:
    with pytest.raises(InvalidInput, match="Allowed: votes_wanted, overlap, min_gold_accuracy"):
        bind("reading_comprehension", {}, {"writing": {}})


def test_an_unknown_task_lists_those_that_exist() -> None:
    with pytest.raises(UnknownName, match="reading_comprehension"):
        bind("chess")
