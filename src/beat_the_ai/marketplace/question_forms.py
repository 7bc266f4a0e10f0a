"""A QuestionForm read: what a HIT or a qualification test says and asks, without how it looks.

Like MTurk, this does not hold workers to an AnswerFormatRegex: its text is shown as a hint [doc: answers are not
guaranteed to fit the specification]. A pattern of a stranger's could keep the server busy for hours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from beat_the_ai.marketplace.documents import Unreadable, child_text, children, name_of

MAX_FREE_TEXT_CHARACTERS = 10_000
MAX_ROWS = 40
STYLES = ("radiobutton", "checkbox", "list", "dropdown", "combobox", "multichooser")
STYLES_OF_SEVERAL = ("checkbox", "list", "combobox", "multichooser")
MEDIA = ("image", "audio", "video")


@dataclass(frozen=True)
class Block:
    """`kind` is title, text, list, formatted (XHTML of the requester's), image, audio or video.

    Of the last three the line is the text that stands for it.
    """

    kind: str
    lines: Sequence[str]
    url: str = ""


@dataclass(frozen=True)
class Choice:
    id: str
    content: Block


@dataclass(frozen=True)
class FreeText:
    """A text that is asked for. With `numeric` a whole number, from `lowest` to `highest`."""

    numeric: bool = False
    lowest: int | None = None
    highest: int | None = None
    shortest: int = 0
    longest: int = MAX_FREE_TEXT_CHARACTERS
    rows: int = 4
    default: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Question:
    """Without choices it asks for `text`; with them, `text` is for whoever finds none of them right."""

    id: str
    required: bool
    content: Sequence[Block]
    choices: Sequence[Choice] = ()
    least: int = 1
    most: int = 1
    style: str = ""
    text: FreeText | None = None


def read_form(root: Element) -> list[Block | Question]:
    """The parts in their order. Raises `Unreadable` when workers could not answer it."""
    parts: list[Block | Question] = []
    for element in root:
        parts += [_question(element)] if name_of(element) == "Question" else _content(element)
    ids = [part.id for part in parts if isinstance(part, Question)]
    _refuse_repeated("QuestionIdentifier", ids)
    return parts


def _question(element: Element) -> Question:
    content = [block for part in children(element, "QuestionContent") for block in _content(part)]
    required = (child_text(element, "IsRequired") or "false").lower() in ("true", "1")
    question_id = child_text(element, "QuestionIdentifier") or ""
    answer = next((one for part in children(element, "AnswerSpecification") for one in part), None)
    if answer is None or name_of(answer) == "FreeTextAnswer":
        return Question(question_id, required, content, text=_free_text(answer))
    return _selection(Question(question_id, required, content), answer)


def _selection(question: Question, answer: Element) -> Question:
    groups = children(answer, "Selections")
    choices = [
        Choice(child_text(one, "SelectionIdentifier") or "", _content(one)[0])
        for group in groups
        for one in children(group, "Selection")
    ]
    _refuse_repeated("SelectionIdentifier", [choice.id for choice in choices])
    other = next((_free_text(one, rows=1) for group in groups for one in children(group, "OtherSelection")), None)
    style = child_text(answer, "StyleSuggestion") or ""
    if style not in ("", *STYLES):
        raise Unreadable(f"the StyleSuggestion is {style[:40]!r}; it must be one of {', '.join(STYLES)}")
    several = len(choices) + (other is not None) if style in STYLES_OF_SEVERAL else 1
    least = _count(child_text(answer, "MinSelectionCount"), "MinSelectionCount", 1)
    most = _count(child_text(answer, "MaxSelectionCount"), "MaxSelectionCount", several)
    if not least <= most or least > len(choices) + (other is not None):
        raise Unreadable(f"MinSelectionCount is {least} of {len(choices)} selections, MaxSelectionCount {most}")
    return Question(question.id, question.required, question.content, choices, least, most, style, other)


def _free_text(element: Element | None, rows: int = 4) -> FreeText:
    if element is None:
        return FreeText()
    limits = {name_of(one): one for part in children(element, "Constraints") for one in part}
    number, length = limits.get("IsNumeric"), limits.get("Length", Element("Length")).attrib
    hints = [one.get("errorText", "") for part in children(element, "Constraints") for one in part]
    return FreeText(
        number is not None,
        _bound(number, "minValue"),
        _bound(number, "maxValue"),
        _count(length.get("minLength"), "minLength", 0),
        min(_count(length.get("maxLength"), "maxLength", MAX_FREE_TEXT_CHARACTERS), MAX_FREE_TEXT_CHARACTERS),
        min(_count(child_text(element, "NumberOfLinesSuggestion"), "NumberOfLinesSuggestion", rows), MAX_ROWS),
        child_text(element, "DefaultText") or "",
        " ".join(filter(None, hints)),
    )


def _bound(number: Element | None, name: str) -> int | None:
    text = None if number is None else number.get(name)
    if text is None:
        return None
    return -_count(text[1:], name, 0) if text.startswith("-") else _count(text, name, 0)


def _count(text: str | None, name: str, otherwise: int) -> int:
    if text is None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise Unreadable(f"{name} is {text[:20]!r}; it must be a whole number")
    return int(text)


def _content(element: Element) -> list[Block]:
    blocks = []
    for part in element:
        kind, text = name_of(part), (part.text or "").strip()
        if kind in ("Title", "Text"):
            blocks.append(Block(kind.lower(), text.splitlines() or [""]))
        elif kind == "FormattedContent":
            blocks.append(Block("formatted", [text]))
        elif kind == "List":
            blocks.append(Block("list", [(item.text or "").strip() for item in children(part, "ListItem")]))
        elif kind in ("Binary", "EmbeddedBinary"):
            blocks.append(_media(part))
    return blocks


def _media(element: Element) -> Block:
    """Over https, as the portal is [ours]: over http, browsers would not show it there."""
    url, types = child_text(element, "DataURL") or "", [child_text(one, "Type") for one in element]
    kind = next((one for one in types if one in MEDIA), None)
    if kind is None:
        raise Unreadable(f"a {name_of(element)} is of none of the types {', '.join(MEDIA)}")
    if not url.startswith("https://"):
        raise Unreadable(f"the DataURL {url[:200]!r} is not an https address")
    return Block(kind, [child_text(element, "AltText") or ""], url)


def _refuse_repeated(name: str, ids: Sequence[str]) -> None:
    for position, one in enumerate(ids):
        if not one or one in ids[:position]:
            raise Unreadable(f"the {name} {one[:80]!r} is empty or comes twice")
