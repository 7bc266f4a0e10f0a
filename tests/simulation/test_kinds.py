"""Kinds of writers: what they ask passes the page, and is good or bad as they are."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.protocol import Context, Piece
from beat_the_ai.rules.reading_comprehension import ReadingComprehension, Work
from beat_the_ai.simulation.kinds import KINDS, Kind, mix
from beat_the_ai.workforce.evidence import Question, copied_passage, gibberish, near_copies, unfinished
from beat_the_ai.workforce.spelling import Spelling

SAMPLE = Path(__file__).parents[2] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
RULES = ReadingComprehension()
CONTEXTS = RULES.load_contexts(SAMPLE)
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)


def asked(kind: Kind, context: Context, worker: str = "A1", seed: int = 1) -> list[Question]:
    questions = kind.ask(context, random.Random(seed))
    return [
        Question(f"{worker}/{context.id}/{number}", worker, context.id, one["question"], one["answer"]["text"])
        for number, one in enumerate(questions)
    ]


@kinds
@pytest.mark.parametrize("seed", range(3))
def test_every_question_is_one_that_the_page_lets_through(kind: Kind, seed: int) -> None:
    for context in CONTEXTS:
        made = kind.ask(context, random.Random(seed))
        assert made
        assert made == kind.ask(context, random.Random(seed))
        for one in made:
            RULES.check(Work.model_validate(one), Piece(context))


@kinds
def test_a_passage_without_references_is_no_trouble(kind: Kind) -> None:
    context = Context("c1", "In 1871 two brothers built the tower; in 1900 - it fell.", "", {})
    for seed in range(50):
        for one in kind.ask(context, random.Random(seed)):
            RULES.check(Work.model_validate(one), Piece(context))


def test_the_reviewers_evidence_tells_the_kinds_apart() -> None:
    spelling = Spelling.of(context.text for context in CONTEXTS)

    def signs(kind: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for context in CONTEXTS[:20]:
            earlier = asked(KINDS["copying"], context, "A0")
            mine = asked(KINDS[kind], context, "A1", seed=7)
            copies = near_copies([*earlier, *mine], {one.attempt_id for one in mine})
            found.update(item.kind for items in copies.values() for item in items)
            for one in mine:
                found.update(item.kind for item in copied_passage(one, context.text))
                found.update(item.kind for item in gibberish(one, context.text, spelling))
                found.update(item.kind for item in unfinished(one))
        return found

    assert signs("malicious")["repeats_own"] == 80  # all but the first of each HIT
    assert signs("copying")["copies_passage"] >= 50
    assert signs("copying")["copies_account"] >= 35
    assert signs("sloppy")["unfinished"] >= 40  # of about 80
    good = signs("good")
    assert sum(good[sign] for sign in ("gibberish", "copies_passage", "repeats_own", "unfinished")) <= 5  # of about 160


def test_a_mix_has_the_kinds_that_its_shares_say() -> None:
    made = mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=1)
    assert Counter(kind.name for kind in made) == {"good": 28, "sloppy": 4, "malicious": 4, "copying": 4}
    assert made == mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=1)
    assert made != mix(40, {"sloppy": 0.1, "malicious": 0.1, "copying": 0.1}, seed=2)
    assert {kind.name for kind in mix(3, {}, seed=1)} == {"good"}


@given(st.integers(0, 60), st.floats(0, 0.5), st.floats(0, 0.5), st.integers())
def test_a_mix_is_never_too_large_nor_too_small(writers: int, sloppy: float, malicious: float, seed: int) -> None:
    counts = Counter(kind.name for kind in mix(writers, {"sloppy": sloppy, "malicious": malicious}, seed))
    assert counts.total() == writers
    assert abs(counts["sloppy"] - sloppy * writers) < 1 + 1e-6
    assert abs(counts["malicious"] - malicious * writers) < 1 + 1e-6


def test_shares_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UnknownName, match="malicious"):
        mix(10, {"evil": 0.1}, 1)
    for shares in ({"sloppy": -0.1}, {"sloppy": 0.7, "copying": 0.7}):
        with pytest.raises(InvalidInput, match="at most 1"):
            mix(10, shares, 1)
