"""The sections of a report on AdvScore."""

from __future__ import annotations

import datetime
import json
import re

import numpy as np
import pytest

from beat_the_ai.analysis.adversarialness import Adversarialness, Verdict, adversarialness
from beat_the_ai.analysis.pages import report_page
from beat_the_ai.analysis.responses import Collected, Response
from beat_the_ai.errors import InvalidInput
from beat_the_ai.statistics.section import Section
from tests.statistics.responses import simulated

HOSTILE = "<script>alert(1)</script> \u202eevil\x1b[31m"


def collected(people: int = 8, models: int = 3, items: int = 40) -> Collected:
    """Simulated answers with hostile names and texts, of two writers; two models have dates."""
    found = Collected()
    given = simulated(1, items=items, people=people, models=models, answered=0.8).responses
    for subject, item, right in zip(given.subject, given.item, given.right, strict=True):
        is_person = int(subject) < people
        name = f"p{subject}" if is_person else f"{HOSTILE}{subject - people}"
        found.add(Response(name, is_person, f"q{item:02}", bool(right)))
    for item in range(items):
        found.texts[f"q{item:02}"] = f"{HOSTILE} {item}"
        found.writers[f"q{item:02}"] = f"w-{item % 2}"
    found.released = {f"{HOSTILE}0": datetime.date(2020, 1, 1), f"{HOSTILE}2": datetime.date(2023, 1, 1)}
    return found


@pytest.fixture(scope="module")
def scored() -> Adversarialness:
    return adversarialness(collected())


def section(scored: Adversarialness, start: str) -> Section:
    [found] = [one for one in scored.sections if one.title.startswith(start)]
    return found


def test_the_mean_of_the_examples_is_the_score_of_the_dataset(scored: Adversarialness) -> None:
    figures = json.loads(json.dumps(scored.figures))
    mean = np.mean([example["score"]["value"] for example in figures["examples"]])
    assert figures["overall"]["score"]["value"] == pytest.approx(mean, abs=1e-5)
    assert len(figures["examples"]) == 40
    [shown] = [value for name, value in section(scored, "Is it adversarial?").table.rows if name == "AdvScore"]
    assert shown.startswith(f"{mean:.2f} (")
    assert {one["kind"] for one in figures["subjects"]} == {"person", "model"}
    assert set(figures["writers"]) == {"w-0", "w-1"}


def test_models_are_in_the_order_of_their_dates_and_then_all_until_each_date(scored: Adversarialness) -> None:
    rows = section(scored, "AdvScore against each model").table.rows
    assert [row[0][-1] for row in rows[:3]] == ["0", "2", "1"]
    assert [row[1] for row in rows] == ["2020-01-01", "2023-01-01", "–", "–"]
    assert rows[3][0] == "all until 2023-01-01"


def test_all_examples_have_right_answers_of_those_who_were_asked(scored: Adversarialness) -> None:
    answers = scored.collected.responses.values()
    of_first = [one.right for one in answers if one.item == "q00" and one.is_person]
    assert (scored.people[0].right, scored.people[0].asked) == (sum(of_first), len(of_first))
    assert all(tally.asked == 3 for tally in scored.models)


def test_nothing_that_somebody_wrote_is_obeyed_by_a_page(scored: Adversarialness) -> None:
    page = report_page("AdvScore", "", scored.sections)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "\x1b" not in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)


def test_what_nobody_got_right_is_not_called_well_posed() -> None:
    found = collected()
    for (subject, item), response in list(found.responses.items()):
        if item in ("q00", "q01"):
            found.responses[subject, item] = Response(subject, response.is_person, item, False)
    scored = adversarialness(found)
    verdicts = {example["item"]: example["verdict"] for example in scored.figures["examples"]}
    assert {verdicts["q00"], verdicts["q01"]} <= {Verdict.UNKNOWN.value, Verdict.AMBIGUOUS.value}
    listed = [row[0] for row in section(scored, "Hard, or ambiguous?").table.rows]
    assert {"q00", "q01"} <= set(listed)


@pytest.mark.parametrize(("people", "models", "lacking"), [(3, 0, "3 people and 0 models"), (0, 3, "0 people and 3 m")])
def test_people_and_models_are_both_needed(people: int, models: int, lacking: str) -> None:
    found = Collected()
    for number in range(people + models):
        found.add(Response(f"s{number}", number < people, "q", True))
    with pytest.raises(InvalidInput, match=lacking):
        adversarialness(found)


def test_without_any_answer_the_same_is_said() -> None:
    with pytest.raises(InvalidInput, match="0 people and 0 models"):
        adversarialness(Collected())


def test_one_person_and_one_model_are_enough() -> None:
    found = Collected()
    for item in range(5):
        found.add(Response("ann", True, f"q{item}", item != 3))
        found.add(Response("bert", False, f"q{item}", item == 3))
    assert adversarialness(found).scores.overall.score.value > 0
