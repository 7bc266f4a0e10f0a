"""Edits that broke the model, by drafts and predictions that are made here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from beat_the_ai.analysis.cells import clustered_cell
from beat_the_ai.analysis.pages import report_page
from beat_the_ai.kinds.quizbowl.report.edits import edit_sections
from beat_the_ai.rules.drafts import AnsweredDraft
from beat_the_ai.statistics.clustered import Clustered

NOON = datetime(2019, 6, 1, 12, tzinfo=timezone.utc)
SHAPES = "shapes made by a plane through a solid that include the ellipse"


def draft(
    ordinal: int,
    text: str,
    turns: Sequence[tuple[int, str]],
    marks: Sequence[tuple[int, int]] = (),
    answer: str = "Conic_section",
    saliency: Sequence[float] = (),
    **fields: Any,
) -> AnsweredDraft:
    """The `ordinal`-th draft of a HIT, a minute after the one before; `marks` are what its evidence has in common."""
    evidence = {
        "sentence": {"start": 0, "end": len(text)},
        "page": "Conic_section",
        "text": "An ellipse is one of these <shapes>.",
        "source": "quizbowl",
        "matches": [{"start": start, "end": end} for start, end in marks],
        "highlights": [{"start": 3, "end": 10}],
    }
    prediction = {
        "guesses": [],
        "rank": None,
        "turns": [{"word": word, "page": page, "confidence": 1.0} for word, page in turns],
        "confidences": [],
        "evidence": [evidence] if marks else [],
        "saliency": list(saliency),
    }
    given = {
        "assignment": "h1",
        "attempt": 1,
        "model_hash": "a" * 64,
        "at": NOON + timedelta(minutes=ordinal),
        **fields,
    }
    return AnsweredDraft(ordinal=ordinal, draft={"text": text, "answer": answer}, prediction=prediction, **given)


def told(drafts: Sequence[AnsweredDraft]) -> dict[str, Any]:
    return {section.title: section for section in edit_sections(drafts)}


def test_an_edit_breaks_the_model_or_holds_it_up_beyond_the_words_that_it_puts_in() -> None:
    right = (12, "Conic_section")
    drafts = [
        draft(1, SHAPES, [right]),
        draft(2, f"{SHAPES} ,", [right]),  # as early as before
        draft(3, f"these are {SHAPES} ,", [(14, "Conic_section")]),  # two words before it: no later
        draft(4, f"these are {SHAPES} , say", [(15, "Conic_section")]),  # a word later
        draft(5, f"they are {SHAPES} , say", [(15, "Conic_section")]),  # another word: as early as before
        draft(6, f"they are {SHAPES} , say", [(15, "Conic_section")]),  # the same text: no edit
        draft(7, f"they are {SHAPES} say", [(12, "Conic_section")]),  # earlier, though a word went
        draft(8, f"they are {SHAPES}", [(1, "Conic_section"), (3, "Sphere")], marks=[(51, 58)]),  # right, then wrong
        draft(9, f"they are {SHAPES} .", []),  # wrong again
        draft(10, f"all are {SHAPES} .", [(1, "Conic_section")]),  # right again
    ]
    effects = told(drafts)["Edits and the model"]
    assert "Of 8 edits" in effects.text
    assert [row[1].split(", ")[-1] for row in effects.table.rows] == ["1", "1", "3", "1", "1", "1"]


def test_edits_with_another_answer_or_another_model_are_none() -> None:
    drafts = [
        draft(1, SHAPES, [(1, "Conic_section")]),
        draft(2, "shapes", [], answer="Sphere"),
        draft(3, "solids", [], answer="Sphere", model_hash="b" * 64),
        draft(4, "planes", [], answer="Sphere", model_hash="b" * 64, attempt=2),
        draft(1, "cones", [], answer="Sphere", model_hash="b" * 64, assignment="h2"),
    ]
    assert told(drafts) == {}
    assert told([]) == {}


def test_the_strongest_edits_come_first_with_what_the_evidence_marked() -> None:
    """h1: the ellipse goes and the guess is wrong; h2: it comes later; h3: more words go and the guess is wrong."""
    other = SHAPES.replace("the ellipse", "a third of <i>")
    ellipse = (SHAPES.index("ellipse"), len(SHAPES))
    drafts = [
        draft(1, SHAPES, [(12, "Conic_section")], marks=[ellipse]),
        draft(2, other, [(3, "Sphere_(solid)")]),
        draft(1, SHAPES, [(12, "Conic_section")], assignment="h2", marks=[(0, 6)]),
        draft(2, f"{SHAPES} of", [(13, "Conic_section")], assignment="h2"),
        draft(1, SHAPES, [(12, "Conic_section")], assignment="h3"),
        draft(2, "a third of the height", [(1, "Conic_section"), (2, "Sphere_(solid)")], assignment="h3"),
    ]
    found = told(drafts)
    broken = found["Edits that broke the model"].table.rows
    assert [tuple(row[1:]) for row in broken] == [
        ("Conic section ✓", "Sphere ✗", "12 → never", "An [ellipse] is one of these <shapes>.", "h1, 2"),
        ("Conic section ✓", "Sphere ✗", "12 → 1", "–", "h3, 2"),
        ("Conic section ✓", "Conic section ✓", "12 → 13", "–", "h2, 2"),
    ]
    assert broken[0][0] == "… through a solid that include [-the ellipse-] {+a third of <i>+} "
    assert (
        clustered_cell(Clustered({"h1": (1, 1), "h2": (0, 1)})) in found["Edits and the model"].text
    )  # h1 of h1 and h2
    page = report_page("Report", "", list(found.values()))
    assert "<ins>a third of &lt;i&gt;</ins>" in page
    written = found["A question as it was written"]
    assert [tuple(row) for row in written.table.rows] == [
        ("1", "0", "12", "12", "Conic section ✓"),
        ("2", "60", "14", "never", "Sphere ✗"),
    ]
    assert "h1" in written.text


def test_a_network_marks_words_by_their_saliency() -> None:
    """Three edits broke it: one takes out a word of the strongest shade, one a weaker one, one none."""
    shades = [1.0, 0.5, *[0.0] * 10]
    drafts = []
    for number, after in enumerate((SHAPES[7:], SHAPES.replace("made ", ""), f"{SHAPES} more")):
        hit = f"h{number}"
        drafts += [
            draft(1, SHAPES, [(1, "Conic_section")], saliency=shades, assignment=hit),
            draft(2, after, [(1, "Sphere")], assignment=hit),
        ]
    assert (
        clustered_cell(Clustered({"a": (1, 1), "b": (0, 1), "c": (0, 1)})) in told(drafts)["Edits and the model"].text
    )
