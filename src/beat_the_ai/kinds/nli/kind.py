"""The record of natural language inference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from beat_the_ai.kinds.nli.artefacts import PairArtefacts
from beat_the_ai.kinds.nli.dataset import PairDataset
from beat_the_ai.kinds.nli.evaluation import InferenceEvaluation
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.people import Annotators
from beat_the_ai.kinds.nli.reading import READING
from beat_the_ai.kinds.nli.report.corpora import PairCorpora, pair_sections
from beat_the_ai.kinds.nli.samples import PairSamples
from beat_the_ai.kinds.nli.screening import PairScreening
from beat_the_ai.kinds.nli.suggestions import HypothesisSuggestions
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.kinds.nli.writing import NAME, HypothesisWriting
from beat_the_ai.rules.kind import Kind, Paper, Published, Topic, Words
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.protocol import Json

PAPER = Paper(
    "Nie et al. 2020",
    "Adversarial NLI: A New Benchmark for Natural Language Understanding",
    {
        Topic.BEATEN: Published("Dataset statistics"),
        Topic.CHECKED: Published("Dataset statistics"),
        Topic.VALIDATORS: Published("HAMLET"),
    },
)


WORDS = Words(
    "hypothesis",
    "hypotheses",
    "premise",
    "premises",
    (
        "It is not what was asked for: another label fits.",
        "The premise and what everybody knows do not decide which label fits.",
        "It is not a proper statement.",
        "It copies the premise or another hypothesis.",
        "No effort: hardly different from the one before.",
    ),
)


ENGLISH_RULES = "the floor of statements (their length, known words and shape)"


def kind(options: Json, rules: Json, language: str) -> Kind:
    """With `task.options`, `validation.rules` and `language.data` of a round. Raises `InvalidInput`."""
    writing = replace(configured(HypothesisWriting, "task.options", options), language=language)
    return Kind(
        NAME,
        WORDS,
        writing,
        PairDataset(),
        configured(Verification, "validation.rules", rules),
        report=pair_sections,
        people=Annotators(),
        screening=PairScreening(writing),
        evaluation=InferenceEvaluation(),
        corpora=PairCorpora(),
        artefacts=PairArtefacts(),
        training="beat_the_ai.kinds.nli.training:train",
        samples=PairSamples(),
        paper=PAPER,
        reading=READING,
        genre=lambda context: str(context.private.get("genre", "")),
        labels=LABELS,
        suggestions=HypothesisSuggestions(writing),
        previews="beat_the_ai.kinds.nli.previewing:SAMPLES",
        page_words=Path(__file__).parent / "words",
        words_without_model=Path(__file__).parent / "words" / "without_model",
        english_rules=ENGLISH_RULES,
    )
