"""A posted questionnaire: from the fields of the form to the worker's answers, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.answers import FormAnswer
from beat_the_ai.marketplace.documents import Unreadable, read_document
from beat_the_ai.marketplace.portal.forms import Form
from beat_the_ai.marketplace.question_forms import Block, FreeText, Question, read_form

WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def read_questionnaire(text: str) -> list[Block | Question]:
    """The parts of a form in their order. Raises `Refused` for one of an earlier time that nobody could answer."""
    try:
        return read_form(read_document(text))
    except Unreadable as error:
        raise Refused(f"These questions cannot be shown: {error}.") from None


def read_answers(parts: Sequence[Block | Question], form: Form) -> dict[str, FormAnswer]:
    """The answers by question. Raises `InvalidInput` with the number of the question in its message."""
    questions = [part for part in parts if isinstance(part, Question)]
    return {question.id: _answer(number, question, form) for number, question in enumerate(questions, start=1)}


def hint(question: Question) -> str:
    """Return the demands on an answer, in words."""
    asked = question.text or FreeText()
    limits = [f"from {asked.lowest}"] if asked.lowest is not None else []
    limits += [f"to {asked.highest}"] if asked.highest is not None else []
    hints = [f"Choose {_how_many(question)}."] if question.most > 1 else []
    hints += [" ".join(["A whole number", *limits]) + "."] if asked.numeric else []
    hints += [f"At least {asked.shortest} characters."] if asked.shortest else []
    return " ".join([*hints, asked.hint]).strip()


def _answer(number: int, question: Question, form: Form) -> FormAnswer:
    chosen = list(dict.fromkeys(text for field, text in form if field == f"answer-{number}"))
    typed = next((text for field, text in form if field == f"text-{number}" and text.strip()), None)
    selected = [choice.id for choice in question.choices if choice.id in chosen]
    if question.text is not None and typed is not None:
        _check_text(number, question.text, typed)
    count = len(selected) + (typed is not None)
    if not question.choices:
        if question.required and not count:
            raise InvalidInput(question.id, f"Question {number} is required; please answer it.")
        return FormAnswer(text=typed)
    if (count or question.required) and not max(question.least, 1) <= count <= question.most:
        raise InvalidInput(question.id, f"Question {number}: please choose {_how_many(question)}.")
    return FormAnswer(selected, other=typed if question.text is not None else None)


def _how_many(question: Question) -> str:
    least = max(question.least, 1)
    if least == question.most:
        return "one answer" if least == 1 else f"{least} answers"
    return f"{least} to {question.most} answers"


def _check_text(number: int, asked: FreeText, text: str) -> None:
    length = len(text.replace("\r\n", "\n"))
    if not asked.shortest <= length <= asked.longest:
        allowed = f"{asked.shortest} to {asked.longest}" if asked.shortest else f"at most {asked.longest}"
        raise InvalidInput(f"text-{number}", f"Question {number}: {allowed} characters are asked for, not {length}.")
    if not asked.numeric:
        return
    if not WHOLE_NUMBER.fullmatch(text.strip()):
        raise InvalidInput(f"text-{number}", f"Question {number} asks for a whole number, such as 12.")
    value = int(text)
    if asked.lowest is not None and value < asked.lowest:
        raise InvalidInput(f"text-{number}", f"Question {number} asks for a number of at least {asked.lowest}.")
    if asked.highest is not None and value > asked.highest:
        raise InvalidInput(f"text-{number}", f"Question {number} asks for a number of at most {asked.highest}.")
