"""What verifiers' votes come to, against the rules of the paper said once more."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.verification import Verification, Vote
from beat_the_ai.rules.adjudication import Label, Outcome
from beat_the_ai.rules.registry import bind
from tests.kinds.nli.premises import premise
from tests.kinds.outcomes import outcome

CHECKING = Verification()
ATTIC = premise("attic")
SAID = (*LABELS, None)
said = st.sampled_from(SAID)


def expected(author: Label, votes: tuple[Label, ...]) -> tuple[str, Label]:
    """Nie et al. 2020, "HAMLET": two who agree with the writer make a good example; a third one breaks the tie of two
    who differ; what still finds no agreement is discarded; and verifiers may overrule the writer.
    """
    for label in SAID:
        if votes.count(label) >= 2:
            if label is None:
                return "discarded", None
            return ("verified" if label == author else "overruled"), label
    return ("open" if len(votes) < 3 else "discarded"), None


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_every_case_ends_as_the_paper_says(count: int) -> None:
    for author, model, *votes in product(SAID, SAID, *[SAID] * count):
        found = CHECKING.adjudicate(author, model, votes)
        status, label = expected(author, tuple(votes))
        assert (found.status, found.label) == (status, label)
        assert found.settled == (status != "open")
        assert found.kept == (label is not None and label != model)
        assert found.confirmed == (label is not None and label == author)
        assert found.model_right == (label is not None and label == model)
        assert (found.votes_needed == 0) == found.settled


@given(said, said, st.lists(said, max_size=6))
def test_the_order_of_votes_makes_no_difference(author: Label, model: Label, votes: list[Label]) -> None:
    first = CHECKING.adjudicate(author, model, votes)
    assert {CHECKING.adjudicate(author, model, order) for order in permutations(votes)} == {first}


@given(said, st.lists(said, max_size=3))
def test_what_is_settled_stays_and_what_is_open_can_still_be_settled(author: Label, votes: list[Label]) -> None:
    now = CHECKING.adjudicate(author, None, votes)
    later = [CHECKING.adjudicate(author, None, [*votes, vote]) for vote in SAID]
    if now.settled and len(votes) < 3:
        assert {(one.status, one.label) for one in later} == {(now.status, now.label)}
    if not now.settled:
        assert len(votes) + now.votes_needed <= CHECKING.most_votes
        assert any(one.settled for one in later) == (now.votes_needed == 1)


def test_a_writer_who_is_overruled_by_the_models_own_label_has_found_no_model_error() -> None:
    overruled = CHECKING.adjudicate("entailment", "neutral", ["neutral", "neutral"])
    assert (overruled.status, overruled.label, overruled.kept) == ("overruled", "neutral", False)
    elsewhere = CHECKING.adjudicate("entailment", "neutral", ["contradiction", "contradiction"])
    assert (elsewhere.status, elsewhere.label, elsewhere.kept) == ("overruled", "contradiction", True)


def test_more_votes_than_verifiers_are_asked_for_decide_by_the_most() -> None:
    assert CHECKING.adjudicate("neutral", None, ["neutral"] * 2 + ["entailment"] * 3).label == "entailment"
    assert CHECKING.adjudicate("neutral", None, ["neutral"] * 2 + [None] * 2).status == "discarded"


def test_a_verifier_sees_the_hypothesis_alone() -> None:
    assert CHECKING.shown({"hypothesis": "It rains.", "target": "neutral"}) == {"hypothesis": "It rains."}


def test_a_vote_is_a_label_or_a_reason_why_there_is_none() -> None:
    assert CHECKING.read_vote({"label": "neutral"}, ATTIC) == Vote(label="neutral")
    flagged = CHECKING.read_vote({"label": None, "flag": "offensive"}, ATTIC)
    assert CHECKING.vote_label(flagged.model_dump()) is None


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"label": None},
        {"label": "n"},
        {"label": "neutral", "flag": "other"},
        {"label": None, "flag": "bored"},
        {"label": "neutral", "target": "neutral"},
        ["neutral"],
        None,
    ],
)
def test_anything_else_is_refused(payload: object) -> None:
    with pytest.raises(InvalidInput):
        CHECKING.read_vote(payload, ATTIC)


def test_gold_is_what_the_file_marks_so() -> None:
    references = CHECKING.references(ATTIC)
    assert {work["target"] for work in references} == set(LABELS)
    assert len(references) == 3 < len(ATTIC.private["hypotheses"])
    assert CHECKING.author_label(references[0]) == references[0]["target"]


@pytest.mark.parametrize("name", ["e", "entailment", "E", "Entailment", " ENTAILMENT"])
def test_labels_in_files_are_letters_or_names(name: str) -> None:
    assert CHECKING.read_labels(None, name, ["n", "c", None]) == (
        None,
        "entailment",
        ["neutral", "contradiction", None],
    )
    with pytest.raises(InvalidInput, match=r"'x' is no label\. Allowed: entailment \(e\), neutral"):
        CHECKING.read_labels("x", None, [])


def by(worker: str, of: Outcome) -> Outcome:
    return replace(of, cast=tuple(replace(vote, worker=worker) for vote in of.cast))


def test_performance_is_of_the_first_verifier() -> None:
    judged = [
        outcome("a", {"target": "neutral"}, "neutral", "entailment", "neutral"),
        outcome("b", {"target": "neutral"}, "entailment", "neutral", "neutral"),
        outcome("c", {"target": "neutral"}, None),
        outcome("d", {"target": "neutral"}),
    ]
    [accuracy] = CHECKING.performance(judged, 1, adaptive=False)
    assert accuracy.value == pytest.approx(100 / 3)
    assert (accuracy.observations, accuracy.interval) == (3, None)  # all by one verifier
    [of_two] = CHECKING.performance([*judged, *(by("v9", each) for each in judged)], 1, adaptive=False)
    assert of_two.observations == 6
    assert of_two.interval is not None
    low, high = of_two.interval
    assert low < 100 / 3 < high  # the two do equally well, and are few
    [nothing] = CHECKING.performance(judged[3:], 1, adaptive=False)
    assert (nothing.value, nothing.interval) == (None, None)


def test_agreement_is_among_verifiers_and_with_the_writer() -> None:
    """Alpha is 0: one of two pairs differs, as does half of all pairs that three equal votes and another can make."""
    judged = [
        outcome("a", {"target": "neutral"}, "neutral", "neutral"),
        outcome("b", {"target": "entailment"}, "entailment", "neutral"),
    ]
    alpha, share = CHECKING.agreement(judged)
    assert alpha.value == pytest.approx(1 - 3 * 1 / 3)
    assert (share.value, share.observations) == (0.75, 4)
    assert [figure.value for figure in CHECKING.agreement([])] == [None, None]


def test_nobodys_work_is_discarded_for_what_verifiers_say() -> None:
    assert not CHECKING.discards([False] * 100)


@pytest.mark.parametrize(("rules", "reason"), [({"min_gold_accuracy": 2}, "2"), ({"votes_wanted": 3}, "no option")])
def test_rules_that_make_no_sense_are_refused(rules: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        bind("nli", {}, rules)
