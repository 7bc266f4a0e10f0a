"""The record of reading comprehension."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.artefacts import QuestionArtefacts
from beat_the_ai.kinds.reading_comprehension.dataset import QuestionDataset
from beat_the_ai.kinds.reading_comprehension.evaluation import SquadEvaluation
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.report.corpora import QuestionCorpora, question_sections
from beat_the_ai.kinds.reading_comprehension.samples import QuestionSamples
from beat_the_ai.kinds.reading_comprehension.screening import ReadingScreening
from beat_the_ai.kinds.reading_comprehension.suggestions import QuestionSuggestions
from beat_the_ai.kinds.reading_comprehension.writing import NAME, ReadingComprehension
from beat_the_ai.rules.kind import Kind, Paper, Published, Topic, Words
from beat_the_ai.rules.languages import is_english
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.protocol import Json

PAPER = Paper(
    "Bartolo et al. 2020",
    "Beat the AI: Investigating Adversarial Human Annotation for Reading Comprehension",
    {
        Topic.BEATEN: Published(
            "§3.2", "The paper has 59.4% against BiDAF, 47.1% against BERT, 44.0% against RoBERTa."
        ),
        Topic.CHECKED: Published("§3.3", "The paper has 87.95%, 85.41% and 82.63% of dev and test together."),
        Topic.HUMAN: Published("Table 2, §3.3", "On D_BiDAF the paper has 62.6% and an F1 of 78.5% (§4.2)."),
        Topic.VALIDATORS: Published("§3.3, Appendix B"),
        Topic.WRITERS: Published("Figure 10, Appendix B"),
        Topic.DISCARDS: Published("§3.3, Appendix B", "In the paper it is the work of 99 people."),
        Topic.TIME: Published("§3.2", "The paper's means are 551.8, 722.4 and 686.4 seconds."),
        Topic.COST: Published("§3.3", "The paper's total is about USD 27,000."),
    },
)


WORDS = Words(
    "question",
    "questions",
    "passage",
    "passages",
    (
        "The question cannot be answered from the passage.",
        "The marked answer is wrong.",
        "It is not a proper question.",
        "It copies the passage or another question.",
        "No effort: hardly different from the one before.",
    ),
)


ENGLISH_RULES = (
    "the floor of questions (their length, known words and shape), the articles that SQuAD's comparison of answers "
    "leaves out, and the report's kinds of question and types of answer"
)


def kind(options: Json, rules: Json, language: str) -> Kind:
    """With `task.options`, `validation.rules` and `language.data` of a round. Raises `InvalidInput`."""
    writing = replace(configured(ReadingComprehension, "task.options", options), language=language)
    checking = replace(configured(Answerability, "validation.rules", rules), writing=writing)
    return Kind(
        NAME,
        WORDS,
        writing,
        QuestionDataset(),
        checking,
        report=partial(question_sections, is_english(language)),
        people=Readers(),
        screening=ReadingScreening(writing),
        evaluation=SquadEvaluation(writing.normal, is_english(language)),
        corpora=QuestionCorpora(is_english(language)),
        artefacts=QuestionArtefacts(writing.normal, is_english(language)),
        training="beat_the_ai.kinds.reading_comprehension.training:train",
        samples=QuestionSamples(),
        paper=PAPER,
        suggestions=QuestionSuggestions(writing),
        previews="beat_the_ai.kinds.reading_comprehension.previewing:SAMPLES",
        page_words=Path(__file__).parent / "words",
        words_without_model=Path(__file__).parent / "words" / "without_model",
        english_rules=ENGLISH_RULES,
    )
