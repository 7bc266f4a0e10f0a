"""A small export of each kind of task in all of its formats, with examples in every part; no rehearsal, no votes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS
from tests.store.builders import NEW_YEAR

ANSWERS = ("Ada Quill", "1871")
LABELS = ("entailment", "contradiction")
PAGES = ("Kiln", "Loom")
PER_PART = len(ANSWERS)
EXAMPLES = PER_PART * len(PARTS)


@dataclass(frozen=True)
class Played:
    """A kind's context by its number, and the work and the wrong prediction of a slot on it."""

    context: Callable[[int], Context]
    work: Callable[[Context, int], dict[str, Any]]
    prediction: dict[str, Any]
    scores: dict[str, Any]


def _passage(number: int) -> Context:
    return Context(f"mill/{number}", f"Mill {number} at Tarn was built in 1871 by Ada Quill.", "Mills")


def _question(context: Context, slot: int) -> dict[str, Any]:
    answer = ANSWERS[slot]
    return {"question": f"What is {slot}?", "answer": {"text": answer, "start": context.text.index(answer)}}


def _premise(number: int) -> Context:
    text = f"Mill {number} at Tarn was built in 1871 by Ada Quill, whose sister kept its books for forty years."
    return Context(f"mill/{number}", text, private={"genre": "news", "hypotheses": []})


def _category(number: int) -> Context:
    answers = [{"page": page, "name": page, "aliases": [], "questions": []} for page in PAGES]
    return Context(
        f"crafts/{number}",
        f"Crafts of quarter {number}.",
        private={"category": "Crafts", "answers": answers, "regular": []},
    )


PLAYED = {
    "reading_comprehension": Played(_passage, _question, {"text": "Tarn", "start": 10, "score": 0.5}, {"f1": 0.0}),
    "nli": Played(
        _premise,
        lambda _, slot: {"hypothesis": f"Claim {slot}.", "target": LABELS[slot]},
        {"label": "neutral", "probabilities": {"entailment": 0.1, "neutral": 0.8, "contradiction": 0.1}},
        {"target_probability": 0.1, "margin": -0.7},
    ),
    "quizbowl": Played(
        _category,
        lambda context, slot: {
            "text": f"In {context.id}, potters or weavers of the old quarter have one. Name this thing, {slot}.",
            "answer": PAGES[slot],
        },
        {"guesses": [], "rank": None, "turns": [], "confidences": [], "evidence": [], "saliency": []},
        {"words": 14, "first_right": None, "right_from": None, "rank": None},
    ),
}


def export(kind: str, folder: Path, premises: str = "") -> Path:
    """Write the export, and return its folder. `premises` begin each context's text."""
    played, out = PLAYED[kind], folder / kind
    with closing(open_store(str(folder / f"{kind}.db"))) as store:
        store.campaigns.create(Campaign("pilot", kind, 7, "k" * 64, {}, NEW_YEAR))
        contexts = {part: played.context(number) for number, part in enumerate(PARTS)}
        if premises:
            contexts = {part: replace(each, text=f"{premises} {each.text}") for part, each in contexts.items()}
        store.campaigns.offer(
            "pilot",
            list(contexts.values()),
            round_number=1,
            slots=PER_PART,
            brief=lambda _, slot: played.work(contexts["train"], slot) if kind == "nli" else {},
            part_of={context.id: part for part, context in contexts.items()},
        )
        for number, hit in enumerate(store.campaigns.offered("pilot", 1)):
            context = store.campaigns.hit(hit).context
            assignment, _ = store.attempts.accept(hit, f"w{number}", f"r{number}", NEW_YEAR)
            store.attempts.add(_attempt(assignment.id, played, context, number // len(PARTS)))
            store.assignments.submit(assignment.id, None, NEW_YEAR + timedelta(minutes=1))
        export_campaign(Placement(BoundCampaign.open(store, "pilot")), out)
    return out


def _attempt(assignment: str, played: Played, context: Context, slot: int) -> Attempt:
    return Attempt(
        id=short_hash(assignment),
        assignment_id=assignment,
        key="key",
        ordinal=1,
        work=played.work(context, slot),
        prediction=played.prediction,
        fooled=True,
        scores=played.scores,
        member="m",
        model_name="m",
        model_hash="a" * 64,
        model_precision="fp32",
        created_at=NEW_YEAR + timedelta(seconds=9),
    )
