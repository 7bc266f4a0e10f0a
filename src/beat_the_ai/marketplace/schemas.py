"""The elements of a question, their order and number: MTurk's schemas, written as a DTD would [doc].

An unknown, missing, repeated or misplaced element is refused when the HIT is created. If it were ignored, workers would
see half of a question. FileUploadAnswer and Application ended with the schema of 2017-11-06 [doc].
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from beat_the_ai.marketplace.documents import Unreadable, name_of

SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
VERSIONS = {
    "ExternalQuestion": ("2006-07-14",),
    "HTMLQuestion": ("2011-11-11",),
    "QuestionForm": ("2005-10-01", "2017-11-06"),
}
CONTENT = "(Title | Text | List | FormattedContent | Binary | EmbeddedBinary)+"
FREE_TEXT = "Constraints?, DefaultText?, NumberOfLinesSuggestion?"
# Elements that are not here hold nothing but text.
MODELS = {
    "ExternalQuestion": "ExternalURL, FrameHeight",
    "HTMLQuestion": "HTMLContent, FrameHeight",
    "QuestionForm": "(Overview*, Question)+, Overview*",
    "Overview": CONTENT,
    "Question": "QuestionIdentifier, DisplayName?, IsRequired?, QuestionContent, AnswerSpecification",
    "QuestionContent": CONTENT,
    "List": "ListItem+",
    "Binary": "MimeType, DataURL, AltText",
    "MimeType": "Type, SubType?",
    "EmbeddedBinary": "EmbeddedMimeType, DataURL, AltText, Width, Height, ApplicationParameter*",
    "EmbeddedMimeType": "Type, SubType",
    "ApplicationParameter": "Name, Value",
    "AnswerSpecification": "FreeTextAnswer | SelectionAnswer",
    "FreeTextAnswer": FREE_TEXT,
    "Constraints": "IsNumeric?, Length?, AnswerFormatRegex*",
    "SelectionAnswer": "MinSelectionCount?, MaxSelectionCount?, StyleSuggestion?, Selections",
    "Selections": "Selection+, OtherSelection?",
    "Selection": "SelectionIdentifier, (Text | FormattedContent | Binary)",
    "OtherSelection": FREE_TEXT,
}
ATTRIBUTES = {
    "IsNumeric": {"minValue", "maxValue"},
    "Length": {"minLength", "maxLength"},
    "AnswerFormatRegex": {"regex", "errorText", "flags"},
}
PATTERNS = {
    name: re.compile(re.sub(r"\w+", r"(?:\g<0>;)", model).replace(",", "").replace(" ", ""))
    for name, model in MODELS.items()
}


def check_schema(root: Element) -> None:
    """Raises `Unreadable` unless one of `VERSIONS` has its namespace and nothing but what belongs into it."""
    name = name_of(root)
    namespace = root.tag.removesuffix(name).strip("{}")
    known = [f"{SCHEMAS}/{version}/{name}.xsd" for version in VERSIONS[name]]
    if namespace not in known:
        raise Unreadable(f"the namespace of {name} is {namespace[:200] or 'missing'}; it must be {' or '.join(known)}")
    for element in root.iter():
        _check_element(element, namespace)


def _check_element(element: Element, namespace: str) -> None:
    name = name_of(element)
    if element.tag != f"{{{namespace}}}{name}":
        raise Unreadable(f"{name[:80]} is of another namespace than the element around it")
    foreign = {key for key in element.attrib if not key.startswith(XSI)} - ATTRIBUTES.get(name, set())
    if foreign:
        raise Unreadable(f"{name} has the attribute {min(foreign)[:80]}, which is not known")
    inside = [name_of(child)[:80] for child in element]
    if name not in MODELS:
        if inside:
            raise Unreadable(f"{name} holds a {inside[0]}; it must hold a text only")
        return
    if not PATTERNS[name].fullmatch("".join(f"{child};" for child in inside)):
        raise Unreadable(f"{name} holds {', '.join(inside[:20]) or 'nothing'}; it must hold {MODELS[name]}")
    if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
        raise Unreadable(f"{name} holds a text beside its elements")
