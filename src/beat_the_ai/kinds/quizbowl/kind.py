"""The record of Quizbowl."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from beat_the_ai.kinds.quizbowl.artefacts import QuestionArtefacts
from beat_the_ai.kinds.quizbowl.dataset import QuestionDataset
from beat_the_ai.kinds.quizbowl.evaluation import GuessEvaluation
from beat_the_ai.kinds.quizbowl.filters import QuestionFilters
from beat_the_ai.kinds.quizbowl.hints import GuessHints
from beat_the_ai.kinds.quizbowl.people import Authors
from beat_the_ai.kinds.quizbowl.playing import Playing
from beat_the_ai.kinds.quizbowl.protobowl import response
from beat_the_ai.kinds.quizbowl.reading import READING
from beat_the_ai.kinds.quizbowl.report.corpora import (
    QuestionCorpora,
    compared_works,
    model_sections,
    question_sections,
    sections_beside,
)
from beat_the_ai.kinds.quizbowl.report.edits import edit_sections
from beat_the_ai.kinds.quizbowl.report.plays import ballot_sections
from beat_the_ai.kinds.quizbowl.suggestions import ClueSuggestions
from beat_the_ai.kinds.quizbowl.writing import NAME, QuestionWriting, look_up
from beat_the_ai.rules.kind import Kind, Paper, Published, Topic, Words
from beat_the_ai.rules.languages import is_english
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.protocol import Json

PAPER = Paper(
    "Wallace et al. 2019 (TACL)",
    "Trick Me If You Can: Human-in-the-loop Generation of Adversarial Examples for Question Answering",
    {Topic.BEATEN: Published("§5", "The paper gives accuracies of models, not how many attempts beat one.")},
)


WORDS = Words(
    "question",
    "questions",
    "category",
    "categories",
    (
        "The chosen answer is wrong, or not the only one.",
        "Something that it says is not true.",
        "It gives its answer away too soon.",
        "It is not a proper question.",
        "It copies another question.",
        "No effort: hardly different from the one before.",
    ),
)


ENGLISH_RULES = "the filters of vulgar words and of questions without clues"


def kind(options: Json, rules: Json, language: str) -> Kind:
    """With `task.options`, `validation.rules` and `language.data` of a round. Raises `InvalidInput`."""
    writing = configured(QuestionWriting, "task.options", options)
    return Kind(
        NAME,
        WORDS,
        writing,
        QuestionDataset(),
        configured(Playing, "validation.rules", rules),
        doubts=partial(QuestionFilters.of, writing, english=is_english(language)),
        report=partial(question_sections, writing),
        ballot_report=ballot_sections,
        model_report=partial(model_sections, writing),
        beside=sections_beside,
        edit_report=edit_sections,
        compared=partial(compared_works, writing),
        corpora=QuestionCorpora(),
        artefacts=QuestionArtefacts(),
        hints=GuessHints(writing),
        look_up=look_up,
        people=Authors(writing=writing),
        evaluation=GuessEvaluation(),
        events="beat_the_ai.kinds.quizbowl.tournament.commands:event",
        training="beat_the_ai.kinds.quizbowl.training:train",
        paper=PAPER,
        reading=READING,
        genre=lambda context: str(context.private.get("category", "")),
        suggestions=ClueSuggestions(writing),
        response=response,
        page_words=Path(__file__).parent / "words",
        words_without_model=Path(__file__).parent / "words" / "without_model",
        previews="beat_the_ai.kinds.quizbowl.previewing:SAMPLES",
        event_words=Path(__file__).parent / "tournament" / "words",
        english_rules=ENGLISH_RULES,
    )
