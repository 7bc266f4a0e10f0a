"""The papers' statistics: a small example by hand, and SQuAD's own figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part, read_part
from beat_the_ai.kinds.reading_comprehension.report.statistics import statistics

PASSAGE = "The last emperor of Rome was deposed in 476."


def test_a_part_counted_by_hand() -> None:
    part = Part("by hand", passages={"No question about this one."})
    part.add(Example("1", PASSAGE, "Who was the last emperor of Rome?", "Romulus Augustulus"))
    part.add(Example("2", PASSAGE, "In which year?", "476"))
    part.add(Example("3", "Another.", "Why?", None))
    assert statistics(part).as_json() == {
        "passages": 3,
        "questions": 3,
        "question_words_mean": pytest.approx(11 / 3),
        "answer_words_mean": 1.5,
        "longest_ngram_overlap_mean": 2.0,  # 5, 1 and 0 tokens
        "wh_words": {"what": 0, "who": 1, "how": 0, "when": 0, "which": 0, "where": 0, "why": 1, "in": 1, "other": 0},
    }


def test_nothing_has_no_means() -> None:
    made = statistics(Part("empty")).as_json()
    assert (made["passages"], made["questions"]) == (0, 0)
    assert made["question_words_mean"] is made["answer_words_mean"] is made["longest_ngram_overlap_mean"] is None


def test_squad_dev_has_the_figures_of_the_paper(squad_dev: Path) -> None:
    """Bartolo et al. 2020, Tables 3 and 4: 971 + 1,096 passages, 5,278 + 5,292 questions, an overlap of 3.1 or so."""
    made = statistics(read_part(squad_dev)).as_json()
    assert (made["passages"], made["questions"]) == (971 + 1_096, 5_278 + 5_292)
    assert made["question_words_mean"] == pytest.approx(10.2167, abs=5e-5)
    assert made["answer_words_mean"] == pytest.approx(3.0165, abs=5e-5)
    assert made["longest_ngram_overlap_mean"] == pytest.approx(3, abs=0.2)
    assert sum(made["wh_words"].values()) == 10_570
