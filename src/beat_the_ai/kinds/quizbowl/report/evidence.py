"""The evidence of a model that was misled, beside the question that misled it (Wallace et al. 2019, Tables 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.marked import marked
from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.guesses import Evidence, Mark, Prediction
from beat_the_ai.statistics.section import Section, Table

TITLE = "What misled the model"
HEADER = ("question", "the model's evidence", "from", "its guess", "answer")
MOST = 12
TEXT = (
    "Of questions on which the model in the loop is wrong at the end: a sentence, the text from which the model took "
    f"its best guess, and the words that both have. At most {MOST} questions, those with the most different words in "
    "common first, each with the sentence that has the most."
)


@dataclass(frozen=True)
class Written:
    """A question of the dataset, with the prediction of the model in the loop."""

    id: str
    text: str
    answer: str
    prediction: Prediction


def evidence_sections(written: Iterable[Written]) -> list[Section]:
    """Return nothing where no model has given any evidence, as networks do not."""
    found = [(each, evidence) for each in written if (evidence := _most_alike(each)) is not None]
    found.sort(key=lambda pair: (-_in_common(*pair), pair[0].id))
    rows = [_row(each, evidence) for each, evidence in found[:MOST]]
    return [Section(TITLE, TEXT, Table(HEADER, rows), source="Tables 4 and 5, §6.2")] if rows else []


def _most_alike(written: Written) -> Evidence | None:
    """Return the evidence of a wrong guess with the most matches; of several the first."""
    said = written.prediction
    if not said.guesses or said.guesses[0].page == written.answer:
        return None
    of_guess = [each for each in said.evidence if each.page == said.guesses[0].page and each.matches]
    return max(of_guess, key=lambda each: _in_common(written, each), default=None)


def _in_common(written: Written, evidence: Evidence) -> int:
    return len({written.text[mark.start : mark.end].casefold() for mark in evidence.matches})


def _row(written: Written, evidence: Evidence) -> tuple[str, ...]:
    sentence = evidence.sentence
    text = written.text[sentence.start : sentence.end]
    return (
        marked(text, _places(evidence.matches, sentence.start)),
        marked(evidence.text, _places(evidence.highlights)),
        evidence.source,
        page_title(evidence.page),
        page_title(written.answer),
    )


def _places(marks: Sequence[Mark], start: int = 0) -> list[tuple[int, int]]:
    return [(mark.start - start, mark.end - start) for mark in marks]
