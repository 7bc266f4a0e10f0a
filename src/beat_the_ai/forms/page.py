"""The data that a worker's page may have of a form: everything but the answers that are expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from beat_the_ai.forms.form import Form
from beat_the_ai.rules.protocol import View
from beat_the_ai.words.markdown import Node, as_nodes


class FormQuestion(View):
    """A question with the fields of its type; those of other types are null."""

    id: str
    type: Literal["choice", "scale", "number", "text", "date"]
    text: str
    required: bool
    shown_when: Mapping[str, tuple[str, ...]]
    options: tuple[str, ...] | None = None
    several: bool | None = None
    lowest: int | None = None
    highest: int | None = None
    low_label: str | None = None
    high_label: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    decimals: bool | None = None
    max_chars: int | None = None


class ShownForm(View):
    """A form with its text as a tree."""

    id: str
    kind: Literal["consent", "survey", "notice"]
    title: str
    text: tuple[Node, ...]
    agree: str
    decline: str
    questions: tuple[FormQuestion, ...]


class PendingForms(View):
    """The forms that the worker has yet to answer, in order, and the notices that end a visit without consent."""

    forms: tuple[ShownForm, ...]
    debriefing: tuple[ShownForm, ...] = ()


def page_forms(pending: Iterable[Form], debriefing: Iterable[Form] = ()) -> dict[str, Any]:
    return PendingForms(forms=tuple(map(_shown, pending)), debriefing=tuple(map(_shown, debriefing))).sent()


def _shown(form: Form) -> ShownForm:
    questions = tuple(FormQuestion(**one.model_dump(exclude={"expects"})) for one in form.questions)
    return ShownForm(
        id=form.digest,
        kind=form.kind,
        title=form.title,
        text=as_nodes(form.text),
        agree=form.agree,
        decline=form.decline,
        questions=questions,
    )
