"""QuestionFormAnswers: what a worker submits, as the XML that the requester reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.documents import child_text, children, read_document

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"
# The bound on answers is not documented; an answer that could not be read back in one reply helps nobody [ours].
MAX_BYTES = 1024 * 1024
MAX_FIELDS = 1_000
MAX_NAME_CHARACTERS = 255

# Characters that XML 1.0 cannot hold even when escaped, and lone surrogates.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Answers = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class FormAnswer:
    """To one question of a QuestionForm: a text, or SelectionIdentifiers and what the worker wrote beside them."""

    selections: Sequence[str] = ()
    other: str | None = None
    text: str | None = None


def write_answers(answers: Answers) -> str:
    """One Answer per field, in order; a name may come several times, as in a form. Raises `InvalidInput`.

    What XML cannot hold is replaced by U+FFFD: a worker must not lose a HIT by pasting a control character.
    """
    root = Element("QuestionFormAnswers", {"xmlns": NAMESPACE})
    for count, (name, text) in enumerate(answers, start=1):
        if count > MAX_FIELDS:
            raise InvalidInput("answers", f"More than {MAX_FIELDS} fields were submitted.")
        if not 1 <= len(name) <= MAX_NAME_CHARACTERS:
            raise InvalidInput("answers", f"A field's name has 1 to {MAX_NAME_CHARACTERS} characters, not {len(name)}.")
        answer = SubElement(root, "Answer")
        SubElement(answer, "QuestionIdentifier").text = _legal(name)
        SubElement(answer, "FreeText").text = _legal(text)
    return _document(root)


def _document(root: Element) -> str:
    document = '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")
    size = len(document.encode())
    if size > MAX_BYTES:
        raise InvalidInput("answers", f"The answers take {size:,} bytes; at most {MAX_BYTES:,} are allowed.")
    return document


def read_answers(document: str) -> dict[str, str]:
    """The fields of a submitted form; of a name that came several times, the last. Raises `Unreadable`."""
    return {
        child_text(answer, "QuestionIdentifier") or "": child_text(answer, "FreeText") or ""
        for answer in children(read_document(document, MAX_BYTES), "Answer")
    }


def _legal(text: str) -> str:
    """A carriage return would come back as a line feed, so it is made one here."""
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text).replace("\r\n", "\n").replace("\r", "\n")


def write_form_answers(answers: Mapping[str, FormAnswer]) -> str:
    """The answers to a QuestionForm, by question. Raises `InvalidInput` when they are too long."""
    root = Element("QuestionFormAnswers", {"xmlns": NAMESPACE})
    for name, given in answers.items():
        answer = SubElement(root, "Answer")
        SubElement(answer, "QuestionIdentifier").text = _legal(name)
        texts: list[tuple[str, str | None]] = [("SelectionIdentifier", one) for one in given.selections]
        texts += [("OtherSelectionText", given.other), ("FreeText", given.text)]
        for element, text in texts:
            if text is not None:
                SubElement(answer, element).text = _legal(text)
    return _document(root)


def read_selections(document: str) -> dict[str, frozenset[str]]:
    """Per question what was chosen."""
    return {
        child_text(answer, "QuestionIdentifier") or "": frozenset(
            (chosen.text or "").strip() for chosen in children(answer, "SelectionIdentifier")
        )
        for answer in children(read_document(document), "Answer")
    }
