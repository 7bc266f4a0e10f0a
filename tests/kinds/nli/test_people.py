"""Simulated people: what they write passes the page, and they err as often as their error rates say."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.people import Annotators, Writer, known_hypotheses
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.kinds.nli.writing import Explanation, Work
from beat_the_ai.rules.kind import Judgement
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.simulation.personas import GOOD, MALICIOUS, PERSONAS, SLOPPY
from tests.kinds.nli.premises import PREMISES, WRITING, premise

PEOPLE = Annotators()
BARE = Context("bare", premise("salt-road").text, private={"genre": "news"})
each_persona = pytest.mark.parametrize("persona", PERSONAS)
each_label = pytest.mark.parametrize("target", LABELS)


def works(persona: str, context: Context, target: Label, seed: int, people: Annotators = PEOPLE) -> list[Json]:
    return [*people.works(persona, TaskItem(context, {"target": target}), random.Random(seed))]


def first(people: Annotators, persona: str, seeds: int) -> list[tuple[Context, Label, str]]:
    """What writers try first."""
    return [
        (context, target, works(persona, context, target, seed, people)[0]["hypothesis"])
        for context in PREMISES
        for target in LABELS
        for seed in range(seeds)
    ]


def truth(context: Context, hypothesis: str) -> str | None:
    return dict(known_hypotheses(context)).get(hypothesis)


@each_persona
@each_label
def test_every_hypothesis_is_one_that_the_page_lets_through(persona: str, target: Label) -> None:
    for context in (*PREMISES, BARE):
        for seed in range(3):
            tried = works(persona, context, target, seed)
            assert 1 <= len(tried) <= 10
            assert tried == works(persona, context, target, seed)
            for work in tried:
                WRITING.check(Work.model_validate(work), TaskItem(context, {"target": target}))


@each_persona
@each_label
def test_no_writer_hands_in_gold(persona: str, target: Label) -> None:
    for context in PREMISES:
        gold = {work.hypothesis for work in WRITING.gold(context)}
        tried = {work["hypothesis"] for seed in range(5) for work in works(persona, context, target, seed)}
        assert gold
        assert not gold & tried


@each_label
def test_a_premise_of_which_nothing_is_known_has_hypotheses_of_each_label(target: Label) -> None:
    tried = [work["hypothesis"] for work in works(GOOD, BARE, target, 1)]
    assert target in {truth(BARE, hypothesis) for hypothesis in tried[:2]}
    assert len(set(tried)) == len(tried)


@each_label
def test_whoever_knows_of_no_more_that_has_the_label_gives_up(target: Label) -> None:
    careful = Annotators(writers={GOOD: Writer(skill=0.5, error_rate=0.0)})
    for context in (*PREMISES, BARE):
        gold = {work.hypothesis for work in WRITING.gold(context)}
        right = {text for text, label in known_hypotheses(context) if label == target} - gold
        tried = [work["hypothesis"] for work in works(GOOD, context, target, 1, careful)]
        assert len(tried) == min(len(right), 10)
        assert set(tried) <= right


@pytest.mark.parametrize("error_rate", [0.0, 0.3, 1.0])
def test_writers_miss_the_target_as_often_as_their_error_rate_says(error_rate: float) -> None:
    """Of 480 first tries, within 5 standard deviations."""
    people = Annotators(writers={GOOD: Writer(skill=0.5, error_rate=error_rate)})
    tried = first(people, GOOD, seeds=20)
    wrong = sum(truth(context, hypothesis) != target for context, target, hypothesis in tried)
    assert abs(wrong / len(tried) - error_rate) <= 5 * (error_rate * (1 - error_rate) / len(tried)) ** 0.5


def test_the_skilled_begin_with_the_hardest_hypothesis_that_stands_with_the_premise() -> None:
    skilled = Annotators(writers={GOOD: Writer(skill=1.0, error_rate=0.0)})
    for context, target, hypothesis in first(skilled, GOOD, seeds=1):
        known = [each["text"] for each in context.private["hypotheses"] if each["label"] == target]
        assert hypothesis == known[-1]


def test_the_skilled_prefer_the_changes_that_beat_the_model_and_leave_those_that_did_not() -> None:
    """By what they were told meanwhile, too: each of two changes is tried until the other one is more promising."""
    skilled = Annotators(writers={GOOD: Writer(skill=1.0, error_rate=0.0)})
    task_item = TaskItem(premise("attic"), {"target": "contradiction"})
    denied = next(text for text, _ in known_hypotheses(task_item.context) if text.startswith("It is simply false"))
    other = premise("salt-road")
    theirs = next(text for text, _ in known_hypotheses(other) if text.startswith("It is simply false"))
    memory = [Judgement(TaskItem(other, {"target": "contradiction"}), {"hypothesis": theirs}, fooled=True)]
    assert next(iter(skilled.works(GOOD, task_item, random.Random(1), memory)))["hypothesis"].startswith("It is simply")
    of_another_target = [Judgement(TaskItem(other, {"target": "neutral"}), {"hypothesis": theirs}, fooled=True)]
    [hardest] = [*skilled.works(GOOD, task_item, random.Random(1), of_another_target)][:1]
    assert not hardest["hypothesis"].startswith("It is simply")

    tried = skilled.works(GOOD, task_item, random.Random(1), memory)
    first = next(tried)["hypothesis"]
    memory += [Judgement(task_item, {"hypothesis": denied}, fooled=False)] * 3
    assert first.startswith("It is simply")
    assert not next(tried)["hypothesis"].startswith("It is simply")


def test_reviewers_see_wrong_labels_and_what_says_nothing() -> None:
    good, sloppy, malicious = (
        sum(
            PEOPLE.is_wrong({"hypothesis": hypothesis, "target": target}, context)
            for context, target, hypothesis in first(PEOPLE, persona, seeds=10)
        )
        for persona in (GOOD, SLOPPY, MALICIOUS)
    )
    assert good < 0.15 * 240 < 0.35 * 240 < sloppy < 0.65 * 240
    assert malicious == 240


@pytest.mark.parametrize(("careful", "error_rate"), [(True, 0.1), (False, 0.6)])
def test_verifiers_err_as_often_as_their_error_rate_says(careful: bool, error_rate: float) -> None:
    people = Annotators(careful_error_rate=0.1, careless_error_rate=0.6)
    votes = [
        (each["label"], people.vote({"hypothesis": each["text"]}, context, str(seed), careful=careful)["label"])
        for context in PREMISES
        for each in context.private["hypotheses"]
        for seed in range(20)
    ]
    wrong = sum(label != vote for label, vote in votes)
    assert abs(wrong / len(votes) - error_rate) < 5 * (error_rate * (1 - error_rate) / len(votes)) ** 0.5
    assert Counter(vote for _, vote in votes).keys() == set(LABELS)


def test_every_vote_is_one_that_the_desk_takes_and_nonsense_is_a_bad_example_to_the_careful() -> None:
    shown = {"hypothesis": "I like this nice text 17 times."}
    for seed in range(20):
        careful, careless = (PEOPLE.vote(shown, PREMISES[0], str(seed), careful=each) for each in (True, False))
        assert Verification().vote_label(Verification().read_vote(careful, PREMISES[0]).model_dump()) is None
        assert Verification().read_vote(careless, PREMISES[0]).label in LABELS


def test_what_beat_the_model_is_explained_by_the_reason_that_stands_with_it() -> None:
    known = premise("attic").private["hypotheses"][0]
    task_item = TaskItem(premise("attic"), {"target": "entailment"})
    explained = PEOPLE.explanation({"hypothesis": known["text"], "target": "entailment"}, task_item)
    assert Explanation.model_validate(explained).label_reason == known["reason"]
    other = PEOPLE.explanation({"hypothesis": "Something else.", "target": "entailment"}, task_item)
    assert "definitely correct" in Explanation.model_validate(other).label_reason
