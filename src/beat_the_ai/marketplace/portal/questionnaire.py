"""A posted questionnaire: from the fields of the form to the worker's answers, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.answers import FormAnswer
from beat_the_ai.marketplace.documents import Unreadable, read_document
from beat_the_ai.marketplace.portal.forms import Form
from beat_the_ai.marketplace.question_forms import Block, FreeText, Question, read_form
from beat_the_ai.marketplace.saying import said
from beat_the_ai.messages import joined

WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def read_questionnaire(text: str) -> list[Block | Question]:
    """The parts of a form in their order. Raises `Refused` for one of an earlier time that nobody could answer."""
    try:
        return read_form(read_document(text))
    except Unreadable as error:
        raise Refused(said("portal_refusals.questions.unreadable", reason=str(error))) from None


def read_answers(parts: Sequence[Block | Question], form: Form) -> dict[str, FormAnswer]:
    """The answers by question. Raises `InvalidInput` with the number of the question in its message."""
    questions = [part for part in parts if isinstance(part, Question)]
    return {question.id: _answer(number, question, form) for number, question in enumerate(questions, start=1)}


def hint(question: Question) -> str:
    """Return the demands on an answer, in words."""
    asked = question.text or FreeText()
    hints = [_how_many("portal.hint", question)] if question.most > 1 else []
    hints += [_whole(asked)] if asked.numeric else []
    hints += [said("portal.password.least", count=asked.shortest)] if asked.shortest else []
    return joined([*hints, *([asked.hint] if asked.hint else [])])


def _answer(number: int, question: Question, form: Form) -> FormAnswer:
    chosen = list(dict.fromkeys(text for field, text in form if field == f"answer-{number}"))
    typed = next((text for field, text in form if field == f"text-{number}" and text.strip()), None)
    selected = [choice.id for choice in question.choices if choice.id in chosen]
    if question.text is not None and typed is not None:
        _check_text(number, question.text, typed)
    count = len(selected) + (typed is not None)
    if not question.choices:
        if question.required and not count:
            raise InvalidInput(question.id, said("portal_refusals.question.required", number=number))
        return FormAnswer(text=typed)
    if (count or question.required) and not max(question.least, 1) <= count <= question.most:
        raise InvalidInput(question.id, _how_many("portal_refusals.question", question, number=number))
    return FormAnswer(selected, other=typed if question.text is not None else None)


def _how_many(area: str, question: Question, **about: int) -> str:
    """Say how many answers are to be chosen."""
    least = max(question.least, 1)
    if least == question.most:
        return said(f"{area}.exactly", count=least, **about)
    return said(f"{area}.between", least=least, most=question.most, **about)


def _whole(asked: FreeText) -> str:
    """Say that a whole number is asked for, within its limits."""
    limits = {"least": asked.lowest, "most": asked.highest}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    key = {0: "", 2: ".both"}.get(len(given), ".from" if "least" in given else ".to")
    return said(f"portal.hint.whole{key}", **given)


def _check_text(number: int, asked: FreeText, text: str) -> None:
    length = len(text.replace("\r\n", "\n"))
    if not asked.shortest <= length <= asked.longest:
        about = {"number": number, "count": length, "most": asked.longest}
        limits = {"least": asked.shortest} if asked.shortest else {}
        key = "length" if limits else "long"
        raise InvalidInput(f"text-{number}", said(f"portal_refusals.question.{key}", **about, **limits))
    if not asked.numeric:
        return
    if not WHOLE_NUMBER.fullmatch(text.strip()):
        raise InvalidInput(f"text-{number}", said("portal_refusals.question.whole", number=number))
    value = int(text)
    if asked.lowest is not None and value < asked.lowest:
        raise InvalidInput(f"text-{number}", said("portal_refusals.question.least", number=number, least=asked.lowest))
    if asked.highest is not None and value > asked.highest:
        raise InvalidInput(f"text-{number}", said("portal_refusals.question.most", number=number, most=asked.highest))
