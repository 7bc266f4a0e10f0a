"""Samples of the pages of natural language inference, for a preview of their words."""

from __future__ import annotations

from beat_the_ai.kinds.nli.saying import said
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

TEXT = Text(
    "sample",
    "The clock of Ermelen",
    "The clock in the town hall of Ermelen has four faces, and each of them shows a different time. The watchmaker who "
    "was sent for in 1958 found a family of jackdaws in the works, and the mayor, who was fond of birds, paid him and "
    "let him go. Since then people in Ermelen meet at half past north or at a quarter to west.",
)
STATEMENT = "The mayor was fond of birds."
WORK = {"hypothesis": STATEMENT}
BRIEF = {"target": "contradiction", "wording": "in words"}
FIELD = "form.composer textarea, form.composer input[type=text]"
WRITE = (Act("fill", FIELD, STATEMENT),)
PREMISE = {"id": TEXT.id, "title": TEXT.title, "text": TEXT.text}


def _verdict(label: str, **probabilities: float) -> SampleVerdict:
    scores = {"target_probability": probabilities["contradiction"], "margin": 0.0}
    return SampleVerdict({"label": label, "probabilities": probabilities}, scores)


SAMPLES = PageSamples(
    writing=WritingSample(
        text=TEXT,
        brief=BRIEF,
        work=WORK,
        write=WRITE,
        won=_verdict("entailment", entailment=0.71, neutral=0.2, contradiction=0.09),
        lost=_verdict("contradiction", entailment=0.064, neutral=0.12, contradiction=0.816),
        refusal={"code": "invalid", "field": "hypothesis", **told(said("nli_refusals.copied"))},
        explanation={"label_reason": "The text says so.", "model_reason": "It knows birds."},
    ),
    checking=CheckingSample(
        text=TEXT,
        work=WORK,
        vote={"label": "entailment", "flag": None},
        choose=(Act("click", "form.composer input[type=radio]"),),
        incomplete=(Act("click", "form.composer input[type=radio]", place=3), Act("click", SEND)),
    ),
    screening=ScreeningSample(
        page="nli_qualification",
        text=TEXT,
        brief={"target": "neutral"},
        config={},
        steps=(
            {
                "id": "step0",
                "kind": "labelling",
                "premises": [PREMISE],
                "examples": [
                    {"premise": TEXT.id, "hypothesis": STATEMENT, "label": "entailment", "why": "It says so."}
                ],
                "items": [{"id": name, "premise": TEXT.id, "hypothesis": STATEMENT} for name in ("a", "b")],
            },
            {"id": "step1", "kind": "writing", "premise": PREMISE, "target": "neutral"},
        ),
        answers=(
            (Act("click", "fieldset input[type=radio]"), Act("click", "fieldset ~ fieldset input[type=radio]")),
            (Act("fill", FIELD, "Someone wrote this."),),
        ),
        right=(
            {"labelled_right": 1, "wrong": [{"id": "a", "label": "neutral", "why": "It says so."}]},
            {"model_label": "entailment"},
        ),
        mistake={**told(said("nli_refusals.quiz.wrong", wrong=2)), "hint": None},
    ),
)
