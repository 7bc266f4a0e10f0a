"""ICU messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/), with tags such as `<b>…</b>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pyicumessageformat import Parser

SIMPLE = {"number": 2, "date": 3, "time": 4}
FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"
PLURALS = ("plural", "selectordinal")
AMBIGUOUS, AMBIGUOUS_IN_PLURAL = (re.compile(rf"'|[{{}}<{more}][{{}}<{more}']*") for more in ("", "#"))

Part = str | dict[str, Any]
Choices = Mapping[str, frozenset[str]]  # the options of each select


class Unreadable(ValueError):
    """A text that is no ICU message."""


@dataclass(frozen=True)
class Signature:
    """The arguments of a message by name, with their kinds, and its tags: the code that shows it gives them.

    `choices` has the options of each argument that is a select.
    """

    arguments: Mapping[str, str]
    tags: frozenset[str]
    choices: Choices


def signature(text: str) -> Signature:
    """Return the arguments (`text`, `number`, `select`, …) and tags of a message. Raises `Unreadable`."""
    arguments, tags, choices = dict[str, str](), set[str](), dict[str, frozenset[str]]()
    for part in _placeholders(parsed(text)):
        kind = part.get("type", "text")
        if kind == "tag":
            tags.add(part["name"])
        elif not part.get("hash"):
            arguments[part["name"]] = "number" if kind in PLURALS else kind
        if kind == "select":
            choices[part["name"]] = choices.get(part["name"], frozenset()) | part["options"].keys()
    return Signature(arguments, frozenset(tags), choices)


def formatted(text: str, language: str, /, **arguments: object) -> str:
    """Return a message with its arguments, as a language has it. Raises `Unreadable`."""
    try:
        return str(_format(text, language).format(arguments))
    except (ValueError, RuntimeError) as error:
        raise Unreadable(str(error)) from error


@cache
def _format(text: str, language: str) -> Any:
    from icu4py.messageformat import MessageFormat  # it loads 30 MB of ICU's data

    return MessageFormat(text, language)


@cache
def parsed(text: str) -> Sequence[Part]:
    """Return the parts of a message: texts, and placeholders with their options. Raises `Unreadable`."""
    try:
        return tuple(Parser({"allow_tags": True, "strict_tags": True}).parse(text))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def compiled(text: str, *, isolated: bool = False) -> str | list[dict[str, Any]]:
    """Return a message as pages take it: a text that is shown as it stands, or elements as formatjs has them.

    An argument that is `isolated` has its own direction, and leaves that of the text around it alone (Unicode Standard
    Annex #9, 2.4.2). Raises `Unreadable`.
    """
    parts = parsed(text)
    if all(isinstance(part, str) for part in parts):
        return "".join(str(part) for part in parts)
    return [_element(part) for part in (_isolated(parts) if isolated else parts)]


def _isolated(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a message with isolates around arguments that are texts."""
    isolated = list[Part]()
    for part in (inner for each in parts for inner in _isolated_part(each)):
        if isinstance(part, str) and isolated and isinstance(isolated[-1], str):
            isolated[-1] += part  # one text takes a page less to load than two
        else:
            isolated.append(part)
    return isolated


def _isolated_part(part: Part) -> list[Part]:
    if isinstance(part, str) or part.get("hash"):
        return [part]
    if part.get("type") is None:
        return [FIRST_STRONG_ISOLATE, part, POP_DIRECTIONAL_ISOLATE]
    inner = {"contents": _isolated(part.get("contents") or [])}
    options = {"options": {key: _isolated(option) for key, option in (part.get("options") or {}).items()}}
    return [{**part, **inner, **options}]


def _element(part: Part) -> dict[str, Any]:
    """Return the part as an element of `@formatjs/icu-messageformat-parser`, whose types are numbers."""
    if isinstance(part, str):
        return {"type": 0, "value": part}
    if part.get("hash"):
        return {"type": 7}
    kind, value = part.get("type"), {"value": part["name"]}
    if kind is None:
        return {"type": 1, **value}
    if kind == "tag":
        return {"type": 8, **value, "children": [_element(inner) for inner in part.get("contents") or []]}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind], **value, "style": part.get("format")}
    options = {key: {"value": [_element(each) for each in inner]} for key, inner in part["options"].items()}
    if kind == "select":
        return {"type": 5, **value, "options": options}
    plural_type = "ordinal" if kind == "selectordinal" else "cardinal"
    return {"type": 6, **value, "options": options, "offset": part.get("offset", 0), "pluralType": plural_type}


def with_texts(parts: Sequence[Part], change: Callable[[str], str], *, in_plural: bool = False) -> str:
    """Return the message of these parts, each text changed."""
    return "".join(_source(part, change, in_plural) for part in parts)


def texts(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the texts of a message that are shown as they stand."""
    for part in parts:
        if isinstance(part, str):
            yield part
        else:
            for inner in _inner(part):
                yield from texts(inner)


def _placeholders(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, dict):
            yield part
            for inner in _inner(part):
                yield from _placeholders(inner)


def _inner(part: Mapping[str, Any]) -> list[list[Part]]:
    return [part.get("contents") or [], *(part.get("options") or {}).values()]


def _quoted(run: re.Match[str]) -> str:
    """Return what would not be shown as it stands, so that it is: in one pair of quotes, its apostrophes doubled."""
    doubled = run[0].replace("'", "''")
    return doubled if run[0] == "'" else f"'{doubled}'"


def _source(part: Part, change: Callable[[str], str], in_plural: bool) -> str:
    if isinstance(part, str):
        return (AMBIGUOUS_IN_PLURAL if in_plural else AMBIGUOUS).sub(_quoted, change(part))
    if part.get("hash"):
        return "#"
    kind, name = part.get("type"), part["name"]
    if kind == "tag":
        return f"<{name}>{with_texts(part.get('contents') or [], change, in_plural=in_plural)}</{name}>"
    if "options" in part:
        offset = f" offset:{part['offset']}" if part.get("offset") else ""
        in_plural = kind in PLURALS
        options = " ".join(
            f"{key} {{{with_texts(inner, change, in_plural=in_plural)}}}" for key, inner in part["options"].items()
        )
        return f"{{{name}, {kind},{offset} {options}}}"
    return "{" + ", ".join(filter(None, (name, kind, part.get("format")))) + "}"
