"""The words of pages that say nothing of a model: all that their writers may read, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.registry import bind
from beat_the_ai.words import product_languages
from beat_the_ai.words.catalogue import Catalogue, merged, read_messages, word_files
from beat_the_ai.words.faults import own_faults
from beat_the_ai.words.languages import PRODUCT, WITHOUT_MODEL
from beat_the_ai.words.markdown import Node

KINDS = {"reading_comprehension": "reading", "nli": "nli", "quizbowl": "quizbowl"}
SHARED = ("design", "faults", "passage", "refusals", "session", "work", "writing")
OF_A_MODEL = re.compile(
    r"\b(AI|KI|IA|[Mm]odels?|[Mm]odelle?|[Mm]odelos?|[Ww]ins?|Siege?|[Vv]ictorias?)\b|الاصطناعي|نموذج|نماذج|فوز|فزت"
)
ARGUMENTS = re.compile(r"\{\s*\w+|<[^>]*>")  # their names are no words
# With a verdict alone, which these pages do not have; or in the preview, which is the same for all.
WITH_A_VERDICT = {
    *("writing.fooled", "writing.not_fooled", "writing.flag.ai_was_right", "writing.outcome.before_reviewer"),
    *("writing.outcome.to_be_checked", "writing.outcome.win", "writing.outcome.right", "writing.lack.explanation"),
    *(
        "refusals.looked_at_often",
        "refusals.no_win",
        "refusals.ai.draft_budget",
        "refusals.ai.own_draft_budget",
    ),  # hints
    *("reading.legend.model", "reading.summary", "reading.evidence.model", "reading.evidence.overlap"),
    *(
        "nli.probabilities",
        "nli.probabilities.choice",
        "nli.spoken",
        "nli.explain.model",
        "nli.summary",
        "nli.sample.next",
    ),
    *("quizbowl.summary", "quizbowl.spoken", "quizbowl.guide.model", "quizbowl.guide.edits", "quizbowl.step.watch"),
}
OF_HINTS = tuple(f"quizbowl.{part}" for part in ("evidence", "goal", "guesses", "history", "next", "read", "standing"))


def folders(name: str) -> tuple[list[Path], list[Path]]:
    """The folders of all pages of a kind, and those that stand above them without a model."""
    kind = bind(name)
    assert kind.page_words is not None
    assert kind.words_without_model is not None
    return [PRODUCT / "page", kind.page_words], [PRODUCT / WITHOUT_MODEL, kind.words_without_model]


def read(catalogue: Catalogue, areas: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The messages and texts of a writer's page by their names."""
    for key, message in catalogue.messages.items():
        if key.partition(".")[0] in (*areas, f"{areas[-1]}_refusals"):
            yield key, ARGUMENTS.sub(" ", message)
    for name, nodes in catalogue.texts.items():
        if name.startswith(f"{areas[-1]}_rejected"):
            yield name, " ".join(_texts(nodes))


def named(catalogue: Catalogue) -> dict[str, object]:
    return {**catalogue.messages, **catalogue.texts}


def _texts(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        yield node.text
        yield from _texts(node.children)


@pytest.mark.parametrize("language", product_languages())
@pytest.mark.parametrize("name", KINDS)
def test_a_page_without_a_model_says_nothing_of_one(name: str, language: str) -> None:
    all_pages, above = folders(name)
    catalogue = merged(language, [*all_pages, *above])
    told = {key for key, message in read(catalogue, [*SHARED, KINDS[name]]) if OF_A_MODEL.search(message)}
    assert {key for key in told - WITH_A_VERDICT if not key.startswith(OF_HINTS)} == set()


@pytest.mark.parametrize("name", KINDS)
def test_each_of_its_words_is_needed_and_stands_in_every_language(name: str) -> None:
    all_pages, above = folders(name)
    shown = named(merged(ENGLISH, all_pages))
    for folder in above:
        english = named(merged(ENGLISH, [folder]))
        assert english.keys() <= shown.keys()
        assert [key for key, words in english.items() if words == shown[key]] == []
        for language in product_languages():
            assert {path.name for path in word_files(folder / language)} == {
                path.name for path in word_files(folder / ENGLISH)
            }
            own = {
                key for path in word_files(folder / language) if path.suffix == ".json" for key in read_messages(path)
            }
            assert own == {key for key in english if "." in key}


@pytest.mark.parametrize("language", product_languages())
@pytest.mark.parametrize("name", KINDS)
def test_its_words_break_no_page(name: str, language: str) -> None:
    all_pages, above = folders(name)
    faults = [fault for own in above for fault in own_faults([*all_pages, own], language, own)]
    assert [str(fault) for fault in faults if fault.breaks_pages] == []
