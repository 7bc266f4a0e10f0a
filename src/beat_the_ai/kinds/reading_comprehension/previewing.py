"""Samples of the pages of reading comprehension, for a preview of their words."""

from __future__ import annotations

from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.messages import told
from beat_the_ai.rules.page_samples import (
    SEND,
    Act,
    CheckingSample,
    PageSamples,
    SampleVerdict,
    ScreeningSample,
    Text,
    WritingSample,
)

PASSAGE = (
    "Above boiling water the lids of kettles had rattled for two thousand years, and all early devices that copied "
    "them were toys. The Spanish inventor Jerónimo de Ayanz y Beaumont took out a patent for a serious engine in 1606. "
    "In 1698 a pump by Thomas Savery used steam in direct contact with what it raised; as the steam cooled, most of "
    "its strength was lost. Thomas Newcomen's machine of 1712, in which steam pushed a piston, was the first of these "
    "steam engines that sold, and it earned its keep by pumping in a mine."
)
TEXT = Text("sample", "From kettles to engines", PASSAGE)
NEWCOMEN, SAVERY, TOYS = "Thomas Newcomen's", "Thomas Savery", "toys"
FIELDS = "form.composer textarea, form.composer input[type=text]"
QUESTION = "Whose engine sold first?"
EXAMPLE = {"good": True, "text": "Which engine came first?", "why": "It has one answer."}


def _answer(text: str) -> dict[str, object]:
    return {"text": text, "start": PASSAGE.index(text)}


def _step(number: int, kind: str) -> dict[str, object]:
    return {
        "id": f"step{number}",
        "kind": kind,
        "passage": {"id": TEXT.id, "title": TEXT.title, "text": TEXT.text},
        "question": "Whose pump used steam?" if kind == "answer" else None,
        "answer": _answer(TOYS) if kind == "question" else None,
        "example_passage": None,
        "examples": [EXAMPLE],
    }


SAMPLES = PageSamples(
    writing=WritingSample(
        text=TEXT,
        brief={},
        work={"question": QUESTION, "answer": _answer(NEWCOMEN)},
        write=(Act("fill", FIELDS, QUESTION), Act("fill", FIELDS, NEWCOMEN, 1)),
        won=SampleVerdict({**_answer(SAVERY), "score": 0.87}, {"f1": 0.0}),
        lost=SampleVerdict({**_answer(NEWCOMEN), "score": 0.92}, {"f1": 1.0}),
        refusal={
            "code": "doubtful",
            "field": "question",
            **told(said("reading_refusals.floor.unknown", words="Newcomen")),
        },
        more={
            "the answer stands several times": (Act("fill", FIELDS, QUESTION), Act("fill", FIELDS, "steam", 1)),
            "the answer is not in the passage": (Act("fill", FIELDS, QUESTION), Act("fill", FIELDS, "Leonardo", 1)),
        },
    ),
    checking=CheckingSample(
        text=TEXT,
        work={"question": QUESTION},
        vote={"answer": None},
        choose=(Act("click", "form.composer input[type=checkbox]"),),
        incomplete=(Act("click", SEND),),
    ),
    screening=ScreeningSample(
        page="qualification",
        text=TEXT,
        brief={},
        config={},
        steps=tuple(_step(number, kind) for number, kind in enumerate(("question", "answer"))),
        answers=(
            (Act("fill", FIELDS, "What were the devices?"),),
            (Act("fill", FIELDS, SAVERY),),
        ),
        right=({"model_answer": TOYS}, {"model_answer": None}),
        mistake={**told(said("reading_refusals.quiz.elsewhere")), "hint": "Look again."},
    ),
)
