"""Simulated writers: what they ask passes the page, and is good or bad as their manner is."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Work
from beat_the_ai.rules.protocol import Context, Json, Piece
from beat_the_ai.simulation.manners import MANNERS
from beat_the_ai.workforce.evidence import Entry, copied_context, gibberish, unfinished
from beat_the_ai.workforce.spelling import Spelling
from tests.reading_comprehension import WORDS
from tests.workforce.copies import copies_among

SAMPLE = Path(__file__).parents[3] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
RULES = ReadingComprehension()
CONTEXTS = RULES.load_contexts(SAMPLE)
each_manner = pytest.mark.parametrize("manner", MANNERS)


def works(manner: str, context: Context, seed: int) -> list[Json]:
    return Readers().works(manner, Piece(context), random.Random(seed))


def asked(manner: str, context: Context, worker: str = "A1", seed: int = 1) -> list[Entry]:
    return [
        Entry(f"{worker}/{context.id}/{number}", worker, context.id, one["question"], one["answer"]["text"])
        for number, one in enumerate(works(manner, context, seed))
    ]


@each_manner
@pytest.mark.parametrize("seed", range(3))
def test_every_question_is_one_that_the_page_lets_through(manner: str, seed: int) -> None:
    for context in CONTEXTS:
        made = works(manner, context, seed)
        assert made
        assert made == works(manner, context, seed)
        for one in made:
            RULES.check(Work.model_validate(one), Piece(context))


@each_manner
def test_a_passage_without_references_is_no_trouble(manner: str) -> None:
    context = Context("c1", "In 1871 two brothers built the tower; in 1900 - it fell.", "", {})
    for seed in range(50):
        for one in works(manner, context, seed):
            RULES.check(Work.model_validate(one), Piece(context))


def test_the_reviewers_evidence_tells_the_manners_apart() -> None:
    spelling = Spelling.of(context.text for context in CONTEXTS)

    def signs(manner: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for context in CONTEXTS[:20]:
            earlier = asked("copying", context, "A0")
            mine = asked(manner, context, "A1", seed=7)
            copies = copies_among([*earlier, *mine], WORDS)
            for one in mine:
                found.update(item.kind for item in copies.get(one.attempt_id, ()))
                found.update(item.kind for item in copied_context(one, context.text, WORDS))
                found.update(item.kind for item in gibberish(one, context.text, spelling))
                found.update(item.kind for item in unfinished(one))
        return found

    assert signs("malicious")["repeats_own"] == 80  # all but the first of each HIT
    assert signs("copying")["copies_context"] >= 50
    assert signs("copying")["copies_account"] >= 35
    assert signs("sloppy")["unfinished"] >= 40  # of about 80
    good = signs("good")
    assert sum(good[sign] for sign in ("gibberish", "copies_context", "repeats_own", "unfinished")) <= 5  # of about 160
