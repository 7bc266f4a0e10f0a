"""Planted artefacts are found, and none where there are none."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from beat_the_ai.analysis.artefacts.baselines import measured
from beat_the_ai.analysis.artefacts.divisions import divisions_of, like
from beat_the_ai.analysis.artefacts.findings import Findings
from beat_the_ai.analysis.artefacts.label_words import label_words
from beat_the_ai.analysis.artefacts.repeats import repeats
from beat_the_ai.analysis.artefacts.sections import artefact_sections
from beat_the_ai.analysis.artefacts.study import study
from beat_the_ai.analysis.pages import report_page
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.artefacts import HYPOTHESIS, PairArtefacts
from beat_the_ai.kinds.nli.report.corpora import PairCorpora
from beat_the_ai.rules.artefacts import Choosing, Naming, Trace, bag
from beat_the_ai.rules.kind import Words
from tests.analysis.artefacts.traces import BY_TEXT, LABELS, OneBaseline, planted, trace

WORDS = Words("text", "texts", "context", "contexts")
HOSTILE = "<script>alert(1)</script> \u202eevil\x1b[31m"


def test_a_word_that_gives_a_label_away_makes_a_baseline_right_as_often_as_it_must_be() -> None:
    """The word is on 90% of a third of the examples; of the others, the two other labels are told apart by chance."""
    found = study("planted", planted(3000, 0.9), {}, OneBaseline())
    [baseline] = found.dataset.baselines
    assert baseline.accuracy.value == pytest.approx(0.9 / 3 + 1 / 3, abs=0.03)
    assert (baseline.trained, baseline.tested, baseline.draws) == (2100, 900, 1)
    assert baseline.chance.value == pytest.approx(1 / 3)
    assert baseline.gives_away
    assert "text only" in found.warnings[0]
    assert found.words[0].word == "nobody"
    assert (found.words[0].label, found.words[0].examples) == ("no", found.words[0].with_label)


def test_the_pmi_of_the_planted_word_is_the_one_by_hand() -> None:
    """20 of 60 examples have the word, and all of these one label: with 100 added, of two words and two labels."""
    traces = [trace(f"{n}", "alpha" if n < 20 else "beta", "no" if n < 30 else "yes") for n in range(60)]
    words, tested = label_words(traces)
    [alpha] = [word for word in words if word.word == "alpha"]
    assert tested == 2
    assert alpha.pmi == pytest.approx(np.log(120 * 460 / (220 * 230)))
    assert list(alpha.ids) == [f"{n}" for n in range(20)]


@pytest.mark.parametrize("parts", [True, False])
def test_shuffled_labels_are_no_artefact(parts: bool) -> None:
    for seed in range(20):
        found = study("clean", planted(300, 0, seed, parts=parts), {}, OneBaseline())
        assert found.warnings == []
        assert found.words == []


def test_a_reason_to_succeed_is_no_warning() -> None:
    natural = OneBaseline((replace(BY_TEXT, expected="It is meant to."),))
    found = study("planted", planted(600, 1.0), {}, natural)
    [baseline] = found.dataset.baselines
    assert baseline.lead.value > 0.2
    assert not baseline.gives_away
    text = artefact_sections(found, WORDS, natural)[0].text
    assert text.startswith("No baseline without another reason leads by more than 5 points for sure.")


def test_a_warning_is_of_all_that_is_measured_and_not_of_one_fold() -> None:
    found = study("planted", planted(300, 1.0, parts=False), {}, OneBaseline())
    [baseline], [warning] = found.dataset.baselines, found.warnings
    assert (baseline.tested, baseline.draws) == (60, 5)
    assert f"is right on {baseline.accuracy.value:.1%} of the examples held out" in warning


def test_intervals_of_plain_counts_are_named() -> None:
    sections = artefact_sections(study("planted", planted(300, 1.0), {}, OneBaseline()), WORDS, OneBaseline())
    for section in sections:
        if section.title in ("Words that tell", "First words"):
            assert "Wilson intervals, which take texts for independent" in section.text


def test_an_option_that_is_right_too_often_is_found_and_the_most_frequent_place_is_not_beaten_by_it() -> None:
    draw = random.Random(1)
    traces = []
    for number in range(400):
        right = draw.randrange(4)
        options = tuple(("marked",) if place == right else ("plain",) for place in range(4))
        guesses = {BY_TEXT.name: Choosing(options, right)}
        traces.append(Trace(f"{number}", "", f"c{number // 2}", "text", "any", ("text",), guesses=guesses))
    found = measured(BY_TEXT, divisions_of(traces))
    assert found is not None
    assert found.accuracy.value == 1
    assert found.chance.value == 0.25
    assert found.majority.value == pytest.approx(0.25, abs=0.08)


def test_answers_that_are_not_among_the_most_frequent_are_wrong_guesses() -> None:
    traces = [
        Trace(f"{n}", "", "", f"text {n}", "any", (), guesses={BY_TEXT.name: Naming(bag(f"w{n}"), f"answer {n}")})
        for n in range(100)
    ]
    found = measured(BY_TEXT, divisions_of(traces))
    assert found is not None
    assert found.accuracy.value == 0
    assert found.chance.value == pytest.approx(1 / 80)


def test_no_context_is_trained_on_and_measured_on() -> None:
    traces = planted(300, 0, parts=False)
    for division in [*divisions_of(traces), *like(divisions_of(traces)[0], planted(1000, 0, parts=False))]:
        assert not {one.cluster for one in division.train} & {one.cluster for one in division.test}
    measured_on = [one.id for division in divisions_of(traces) for one in division.test]
    assert sorted(measured_on) == sorted(one.id for one in traces)


@pytest.mark.parametrize(("number", "sizes"), [(5000, (210, 90)), (200, (140, 60))])
def test_a_dataset_beside_it_is_cut_to_its_size_or_to_the_same_shares(number: int, sizes: tuple[int, int]) -> None:
    division = divisions_of(planted(300, 0))[0]
    for parts in (True, False):
        for cut in like(division, planted(number, 0, parts=parts)):
            assert (len(cut.train), len(cut.test)) == pytest.approx(sizes, abs=2)


def test_repeats_are_counted_within_parts_and_across_them() -> None:
    long = "the old captain walked across the bridge to the market in winter with a letter for the tower"
    found = repeats(
        [
            trace("d1", long.upper(), "no", "dev", "Context one."),
            trace("t1", long, "no", "train", "Context one."),
            trace("t2", f"{long}!", "yes", "train", "Context two."),
            trace("d2", long.replace("letter", "parcel"), "yes", "dev", "Context three."),
            trace("d3", "nothing that any other text here has in common with it at all", "no", "dev", "Context four."),
        ]
    )
    assert (found.examples, found.same, found.same_across) == (5, 1, 1)
    assert (found.same_text, found.same_text_across) == (2, 1)
    assert (found.near, found.near_across) == (1, 1)
    assert (found.contexts, found.in_them) == (1, 1)
    assert [pair.ids for pair in found.pairs] == [("t1", "d1"), ("t1", "d2"), ("t1", "t2")]


def test_too_few_examples_have_repeats_and_no_baselines() -> None:
    found = study("small", planted(49, 1.0), {"other": planted(99, 1.0)}, OneBaseline())
    assert (found.dataset.baselines, found.beside[0].baselines, found.warnings) == ([], [], [])
    first, *_ = artefact_sections(found, WORDS, OneBaseline())
    assert "at least 50 examples are needed" in first.text
    assert found.repeats.examples == 49


def test_answers_that_stand_nowhere_are_left_out_of_the_places_and_counted() -> None:
    traces = [replace(each, place=None if number < 3 else 0.5) for number, each in enumerate(planted(60, 0))]
    found = study("places", traces, {}, OneBaseline())
    [places] = [each for each in artefact_sections(found, WORDS, OneBaseline()) if each.title == "Places of answers"]
    assert "3 examples are left out" in places.text


def test_no_examples_are_refused() -> None:
    with pytest.raises(InvalidInput, match="empty has no examples yet"):
        study("empty", [], {}, OneBaseline())


def test_what_a_campaign_keeps_has_no_id_and_no_word_of_anybody() -> None:
    texts = [
        trace(f"SECRET{n}", "a SECRET letter of the captain" if n % 2 else "x y z", LABELS[n % 2]) for n in range(99)
    ]
    found = study("written", texts, {}, OneBaseline())
    kept = found.kept.model_dump_json()
    assert {"SECRET", "secret"} <= set(re.findall("SECRET|secret", found.model_dump_json()))
    assert not re.search("secret|captain", kept, re.IGNORECASE)
    assert Findings.model_validate_json(kept).warnings == found.warnings != []


def test_nothing_that_somebody_wrote_is_obeyed_by_a_page() -> None:
    texts = [trace(f"{HOSTILE}{n}", HOSTILE if n % 2 else "plain", LABELS[n % 2], "", HOSTILE) for n in range(100)]
    found = study(HOSTILE, texts, {HOSTILE: texts}, OneBaseline())
    page = report_page("Artefacts", "", artefact_sections(found, WORDS, OneBaseline()))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert not set("\x1b\u202e") & set(page)
    assert json.loads(found.model_dump_json())["dataset"]["name"] == HOSTILE


@pytest.fixture(scope="module")
def snli(shared_data: Path) -> list[Trace]:
    path = shared_data / "nli" / "snli_dev.jsonl"
    if not path.is_file():
        pytest.skip("SNLI's snli_dev.jsonl is not there: put it into ../shared/data/nli")
    return list(PairArtefacts().traces(PairCorpora().works(path)))


def test_pmi_of_real_pairs_is_that_of_pandas(snli: list[Trace]) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas comes with the tools for tests")
    rows = pandas.DataFrame([(word, one.label) for one in snli[:3000] for word in one.words], columns=["word", "label"])
    counts = pandas.crosstab(rows["word"], rows["label"]) + 100
    share = counts / counts.to_numpy().sum()
    expected = np.log(share.div(share.sum(axis=1), axis=0).div(share.sum(axis=0), axis=1))
    words, _ = label_words(snli[:3000])
    assert len(words) > 10
    for word in words:
        assert word.pmi == pytest.approx(expected.loc[word.word, word.label])


def test_the_hypothesis_alone_tells_the_label_of_real_pairs(snli: list[Trace]) -> None:
    """Gururangan et al. 2018 publish 67% for a training part that is 200 times as large."""
    found = measured(HYPOTHESIS, divisions_of(snli[:3000])[:1])
    assert found is not None
    assert 0.48 < found.accuracy.value < 0.68
    assert found.gives_away
