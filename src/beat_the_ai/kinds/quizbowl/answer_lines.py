"""Answer lines of Quizbowl packets: "drag force [or air resistance; prompt on friction]"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from beat_the_ai.kinds.quizbowl.answers import MAX_NAME_CHARS, Answer, page_title, spoken

_INSTRUCTIONS = re.compile(r"\[|\((?=(?:or|accept|also|prompt|do not)\b)", re.IGNORECASE)
_CLAUSE = re.compile(r";|,?\s+or\s+|,\s+(?=accept\b|prompt\b)", re.IGNORECASE)
_OPENING = re.compile(r"^(?:(?:or|and|also|accept|just)\b\s*)+", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:until|before|after|if|when|since|such as|in place of|instead of)\b.*", re.IGNORECASE)
_NO_NAME = re.compile(
    r"(?:prompt|do not|don't|anti-?prompt|reject|obvious|clear|word forms?|equivalents?|any|anything|either|other|more "
    r"specific|less specific|similar|synonyms?|descriptions?)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<[^<>]*>|\*\*")  # of HTML, editors' tags, bold type in Markdown
_MARKS = re.compile(r"[{}<>\[\]_\"“”]")


def answer_of(page: str, line: str, prompt: str = "") -> Answer:
    """An answer by its line and, where the collection has it apart, what stands in the line's brackets."""
    name, *aliases = names_of(page, line, prompt)
    return Answer(page=page, name=name, aliases=aliases)


def names_of(page: str, line: str, prompt: str = "") -> list[str]:
    """As `answer_of`: the answer's name, then its aliases."""
    line, prompt = (unescape(_MARKUP.sub("", text)) for text in (line, prompt))
    start = _INSTRUCTIONS.search(line)
    name = _plain(line[: start.start()] if start else line)
    name = name if spoken(name) else page_title(page)
    instructions = [line[start.end() :].rstrip(" )]")] if start else []
    aliases = dict.fromkeys(alias for part in (*instructions, prompt) for alias in _names(part))
    return [name, *(alias for alias in aliases if alias != name)]


def _names(instructions: str) -> Iterator[str]:
    """Yield the names that are accepted without a question."""
    for clause in _CLAUSE.split(f" {instructions}"):
        accepted = _OPENING.sub("", clause.strip())
        if not _NO_NAME.match(accepted) and (name := _plain(_CONDITION.sub("", accepted))):
            yield name


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split()).strip(" ,.")[:MAX_NAME_CHARS]
