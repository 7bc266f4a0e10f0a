"""Samples of the pages of Quizbowl, for a preview of their words."""

from __future__ import annotations

from beat_the_ai.kinds.quizbowl.guesses import Guess, Prediction, Turn
from beat_the_ai.kinds.quizbowl.saying import said
from beat_the_ai.kinds.quizbowl.tournament.previewing import sample_event
from beat_the_ai.kinds.quizbowl.writing import Scores
from beat_the_ai.messages import told
from beat_the_ai.rules.page_samples import (
    Act,
    CheckingSample,
    PageSamples,
    SampleVerdict,
    Text,
    WritingSample,
)

ANSWERS = [
    {"page": "Antarctica", "name": "Antarctica", "aliases": ["Antarctic", "South Pole"]},
    {"page": "Antigua", "name": "Antigua", "aliases": []},
]
QUESTION = "A lamp was lit there. It shone. Name it."
TEXT = Text("sample", "Geography", "Geography")
HINT = {
    "words": 9,
    "guesses": [
        {"name": "Antigua", "confidence": 0.61, "right": False},
        {"name": "Antarctica", "confidence": 0.22, "right": True},
    ],
    "rank": 2,
    "first_right": 3,
    "right_from": None,
    "evidence": [
        {
            "sentence": {"start": 0, "end": 21},
            "name": "Antigua",
            "text": "A lamp was lit on the island every night.",
            "source": "wikipedia",
            "matches": [{"start": 2, "end": 6}],
            "highlights": [{"start": 2, "end": 6}],
        }
    ],
    "saliency": [0, 0.9, 0, 0.4, 0.1, 0, 0, 0, 0],
}
BRIEF = {
    **{"category": "Geography", "answers": 61, "min_words": 3, "max_words": 200, "max_chars": 2400},
    **{"min_sentences": 3, "late_share": 0.75, "late_position": "first_right"},
}
WRITE = (
    Act("fill", "[role=combobox]", "Ant"),
    Act("click", "[role=option]"),
    Act("fill", "form.composer textarea", QUESTION),
    Act("wait", "[data-testid=guesses]"),
)


def _edit(number: int) -> dict[str, object]:
    draft = {"text": QUESTION, "answer": "Antarctica"}
    at = f"2026-01-01T00:00:0{number}+00:00"
    return {"ordinal": number, "attempt": 1, "cause": "pause", "at": at, "draft": draft, "hint": HINT}


def _verdict(pages: tuple[str, str], *, rank: int, right_from: int | None) -> SampleVerdict:
    prediction = Prediction(
        guesses=[Guess(page=page, confidence=confidence) for page, confidence in zip(pages, (0.61, 0.22), strict=True)],
        rank=rank,
        turns=[Turn(word=3, page=pages[0], confidence=0.61)],
        confidences=[],
        evidence=[],
        saliency=[],
    )
    scores = Scores(words=9, first_right=3, right_from=right_from, rank=rank)
    return SampleVerdict(prediction.model_dump(mode="json"), scores.model_dump(mode="json"))


SAMPLES = PageSamples(
    writing=WritingSample(
        text=TEXT,
        brief=BRIEF,
        work={"text": QUESTION, "answer": "Antarctica"},
        write=WRITE,
        won=_verdict(("Antigua", "Antarctica"), rank=2, right_from=None),
        lost=_verdict(("Antarctica", "Antigua"), rank=1, right_from=3),
        refusal={"code": "invalid", "field": "text", **told(said("quizbowl_refusals.repeated"))},
        calls={
            "look_up": {"answers": ANSWERS},
            "hint": {"hint": HINT},
            "edits": {"edits": [_edit(1), _edit(2)], "more": False},
        },
        more={
            "the model guesses": WRITE,
            "how the question came to be": (
                *WRITE,
                Act("click", ".history-button"),
                Act("wait", "[data-testid=replayed]"),
            ),
        },
    ),
    checking=CheckingSample(
        text=TEXT,
        work={},
        vote={"said": "Antarctica", "page": "Antarctica", "words": 1},
        revealed={"text": "A", "words": 1, "ended": False},
    ),
    event=sample_event,
)
