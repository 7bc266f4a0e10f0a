"""The words of a built page as its server has them: a file for each language, named in `index.html`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

from beat_the_ai.messages.icu import compiled
from beat_the_ai.rules.languages import direction
from beat_the_ai.rules.protocol import View
from beat_the_ai.words.catalogue import Catalogue
from beat_the_ai.words.markdown import Node

FOLDER = "words"  # beside `index.html`
NAME = re.compile(r"[\"'`]([a-z][\w.]*)(\$?)")  # where a string of JavaScript begins, and whether the rest is computed
REFUSALS = "refusals"  # how the areas of what servers say end
NO_SCRIPT = "This page needs JavaScript."  # as it is built


class PageWords(View):
    """The words of one language. A message is a text that is shown as it stands, or a list of formatjs's elements.

    Pages have no parser of messages: it is as large as all else that they need of the library.
    """

    language: str
    direction: Literal["ltr", "rtl"]
    messages: Mapping[str, str | list[Any]]
    texts: Mapping[str, tuple[Node, ...]]

    @classmethod
    def of(cls, words: Catalogue) -> PageWords:
        """Return the words of a catalogue. Raises `Unreadable` for a message that is none."""
        way = direction(words.language)
        messages = {key: compiled(text, isolated=way == "rtl") for key, text in words.messages.items()}
        return cls(language=words.language, direction=way, messages=messages, texts=words.texts)


def needed(words: Catalogue, code: str, refusals: tuple[str, ...] = ()) -> Catalogue:
    """Return the messages and texts of a catalogue that the code of a page names.

    It names them in strings, as `"area.key"` or `"text"`, or by how their keys begin: `` `area.group.${key}` ``. What
    the server may refuse (`refusals.json`, a kind's `KIND_refusals.json`) is named by the server: all of it, or those
    keys that begin with one of `refusals`.
    """
    strings = set(NAME.findall(code))
    names = {name for name, _ in strings}
    begun = tuple(name for name, goes_on in strings if "." in name and (goes_on or name.endswith(".")))
    is_refusal = (lambda key: key.startswith(refusals)) if refusals else _is_refusal
    messages = {
        key: text for key, text in words.messages.items() if key in names or key.startswith(begun) or is_refusal(key)
    }
    texts = {name: nodes for name, nodes in words.texts.items() if name in names}
    return words.model_copy(update={"messages": messages, "texts": texts})


def _is_refusal(key: str) -> bool:
    return key.partition(".")[0].endswith(REFUSALS)


def spoken(index: str, offered: Sequence[Catalogue]) -> str:
    """Return an `index.html` that names the languages of its words, speaks the first, and preloads it."""
    first, languages = offered[0].language, [words.language for words in offered]
    links = (
        f'<meta name="languages" content="{escape(" ".join(languages))}" />',
        f'<link rel="preload" href="./{FOLDER}/{escape(first)}.json" as="fetch" crossorigin />',
    )
    index = index.replace('<html lang="en">', f'<html lang="{escape(first)}" dir="{direction(first)}">')
    index = index.replace(NO_SCRIPT, escape(offered[0].messages["session.no_script"]))
    return index.replace("</head>", "".join(f"  {link}\n  " for link in links) + "</head>")
