"""Qualification tests as pages: a QuestionForm's texts and questions, without anything that is not text.

FormattedContent is XHTML of the requester's; what it says is shown, how it looks is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.documents import child_text, children, name_of, read_document
from beat_the_ai.marketplace.portal.forms import Form

MAX_FREE_TEXT_CHARACTERS = 10_000


@dataclass(frozen=True)
class Block:
    """`kind` is title, text or list."""

    kind: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Choice:
    id: str
    text: str


@dataclass(frozen=True)
class Question:
    """Without choices it asks for a text. `most` is 1 for a question of which one choice is taken."""

    id: str
    required: bool
    content: Sequence[Block]
    choices: Sequence[Choice] = ()
    least: int = 1
    most: int = 1

    def chosen(self, given: Sequence[str]) -> list[str]:
        """The worker's answer. Raises `InvalidInput`."""
        if not self.choices:
            texts = [text.strip()[:MAX_FREE_TEXT_CHARACTERS] for text in given[:1] if text.strip()]
            if self.required and not texts:
                raise InvalidInput(self.id, "Please answer every question that is required.")
            return texts
        known = {choice.id for choice in self.choices}
        chosen = list(dict.fromkeys(one for one in given if one in known))
        if not chosen and not self.required:
            return []
        if not max(self.least, 1) <= len(chosen) <= self.most:
            raise InvalidInput(self.id, "Please answer every question that is required, with as many choices as asked.")
        return chosen


def read_questionnaire(text: str) -> list[Block | Question]:
    """The parts of a test in their order."""
    parts: list[Block | Question] = []
    for element in read_document(text):
        if name_of(element) == "Question":
            parts.append(_question(element))
        elif name_of(element) == "Overview":
            parts += _content(element)
    return parts


def read_answers(parts: Sequence[Block | Question], form: Form) -> dict[str, list[str]]:
    """What was chosen, by question. Raises `InvalidInput` naming the question's id as the field."""
    questions = [part for part in parts if isinstance(part, Question)]
    given = {f"answer-{number}": question for number, question in enumerate(questions)}
    return {one.id: one.chosen([text for field, text in form if field == name]) for name, one in given.items()}


def _question(element: Element) -> Question:
    content = [block for part in children(element, "QuestionContent") for block in _content(part)]
    required = (child_text(element, "IsRequired") or "false") == "true"
    made = Question(child_text(element, "QuestionIdentifier") or "", required, content)
    for specification in children(element, "AnswerSpecification"):
        for answer in children(specification, "SelectionAnswer"):
            return _selection(made, answer)
    return made


def _selection(question: Question, answer: Element) -> Question:
    selections = [one for group in children(answer, "Selections") for one in children(group, "Selection")]
    choices = [
        Choice(
            child_text(one, "SelectionIdentifier") or "",
            child_text(one, "Text") or _plain(child_text(one, "FormattedContent") or ""),
        )
        for one in selections
    ]
    least, most = _number(answer, "MinSelectionCount", 1), _number(answer, "MaxSelectionCount", 1)
    if child_text(answer, "StyleSuggestion") in ("checkbox", "list", "combobox", "multichooser"):
        most = _number(answer, "MaxSelectionCount", len(choices))
    return Question(question.id, question.required, question.content, choices, least, most)


def _number(element: Element, name: str, otherwise: int) -> int:
    text = child_text(element, name) or ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else otherwise


def _content(element: Element) -> list[Block]:
    blocks = []
    for part in element:
        kind, text = name_of(part), (part.text or "").strip()
        if kind == "Title":
            blocks.append(Block("title", [text]))
        elif kind == "Text":
            blocks.append(Block("text", text.splitlines()))
        elif kind == "FormattedContent":
            blocks.append(Block("text", _plain(text).splitlines()))
        elif kind == "List":
            blocks.append(Block("list", [(item.text or "").strip() for item in children(part, "ListItem")]))
    return blocks


class _Text(HTMLParser):
    """Collects what a page says."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def _plain(markup: str) -> str:
    reader = _Text()
    reader.feed(markup)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)
