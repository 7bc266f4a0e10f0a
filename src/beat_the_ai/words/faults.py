"""Faults of words: what is missing, cannot be read, is not safe, or was not translated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages.icu import PLURALS, Choices, Part, Unreadable, formatted, parsed, signature, texts
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.text import BIDI_CONTROLS
from beat_the_ai.words.catalogue import Catalogue, page_words, read, read_messages, word_files
from beat_the_ai.words.languages import PRODUCT

MARKUP = re.compile(r"<[/!?]?\w|&#?\w+;|javascript:|data:text", re.IGNORECASE)
PHRASE = re.compile(r"\w\W+[a-z]")  # two words, one of them no name: single words and names may be the same
ISOLATES = frozenset("\u2066\u2067\u2068\u2069\u200e\u200f\u061c")  # honest ones of right-to-left text
NUMBERS = range(200)  # counts of a HIT: millions and fractions, for which some languages have more, do not come


@dataclass(frozen=True)
class WordFault:
    """A fault of one message or text: its file, its key, and the reason.

    With one that `breaks_pages` a campaign is not served; the others leave something in English, or odd.
    """

    file: Path
    key: str
    reason: str
    breaks_pages: bool = True

    def __str__(self) -> str:
        return f"{self.file}: {self.key}: {self.reason}"


@dataclass(frozen=True)
class _English:
    """The English messages by their keys (None for a text): those that pages know, and what is shown of them."""

    known: Mapping[str, str | None]
    shown: Mapping[str, str | None]

    @classmethod
    def of(cls, folders: Sequence[Path], own: Path | None) -> _English:
        """Read them from folders, of which `own` is the campaign's."""
        known = _english(folder for folder in folders if folder != own)
        return cls(known, known if own is None else {**known, **_english([own])})


def faults(folders: Sequence[Path], language: str, own: Path | None = None) -> list[WordFault]:
    """Return the faults of a language's words in these folders, held against the English ones.

    `own` is the campaign's folder among them: it changes words, in English too, and adds none.
    """
    english = _English.of(folders, own)
    found = [fault for folder in folders for fault in _folder_faults(folder / language, english, language)]
    return found if language == ENGLISH else [*found, *_missing(folders, language)]


def own_faults(folders: Sequence[Path], language: str, own: Path) -> list[WordFault]:
    """Return the faults of the campaign's own words in a language. The others are not looked at."""
    if not (own / language).is_dir():
        return []
    return list(_folder_faults(own / language, _English.of(folders, own), language))


def sound_words(language: str, folders: Sequence[Path], own: Path, others: Sequence[Path] = ()) -> Catalogue:
    """Return the words of pages, overridden by `folders` and these by `own`, but for what would break a page there.

    `own` may also override words in `others`, which these pages do not show. Raises `InvalidInput` for a file that
    cannot be read as words.
    """
    shipped, words = page_words(language, *folders), page_words(language, *folders, own)
    known = [PRODUCT / "page", *folders, *others, own]
    found = [fault for each in dict.fromkeys((language, ENGLISH)) for fault in own_faults(known, each, own)]
    broken = {fault.key for fault in found if fault.breaks_pages}
    messages = {key: shipped.messages.get(key, "") if key in broken else text for key, text in words.messages.items()}
    texts = {name: nodes for name, nodes in words.texts.items() if name not in broken}
    return words.model_copy(update={"messages": messages, "texts": {**shipped.texts, **texts}})


def _folder_faults(folder: Path, english: _English, language: str) -> Iterator[WordFault]:
    for path in word_files(folder):
        if path.suffix == ".md":
            yield from _text_faults(path, english.known)
            continue
        try:
            messages = read_messages(path)
        except InvalidInput as error:
            yield WordFault(path, path.stem, str(error))
            continue
        for key, text in messages.items():
            yield from (WordFault(path, key, reason) for reason in _message_faults(key, text, english.known))
            yield from (WordFault(path, key, reason, False) for reason in _gaps(key, text, english, language))


def _missing(folders: Sequence[Path], language: str) -> Iterator[WordFault]:
    """Yield the words that no folder has in the language, and those that a folder overrides in English alone."""
    translated = [_keys(folder / language) for folder in folders]
    anywhere = set[str]().union(*translated)
    before = set[str]()
    for folder, mine in zip(folders, translated, strict=True):
        home = folder if (folder / language).is_dir() else folders[-1]
        for key, file in _keys(folder / ENGLISH).items():
            if key not in anywhere:
                yield WordFault(home / language / file, key, "It is in English only.", breaks_pages=False)
            elif key in before and key not in mine:
                reason = "Its English was changed here, and it still says what it said before."
                yield WordFault(folder / language / file, key, reason, breaks_pages=False)
        before |= _keys(folder / ENGLISH).keys()


def _english(folders: Iterable[Path]) -> dict[str, str | None]:
    """Return the English messages by their keys; None for a text."""
    english = dict[str, str | None]()
    for folder in folders:
        for path in word_files(folder / ENGLISH):
            english |= {path.stem: None} if path.suffix == ".md" else dict(read_messages(path))
    return english


def _keys(folder: Path) -> dict[str, str]:
    """Return the keys of a folder's words with the file of each; a file that cannot be read has none."""
    keys = dict[str, str]()
    for path in word_files(folder):
        with suppress(InvalidInput):
            keys |= dict.fromkeys([path.stem] if path.suffix == ".md" else read_messages(path), path.name)
    return keys


def _text_faults(path: Path, english: Mapping[str, str | None]) -> Iterator[WordFault]:
    try:
        text = read(path)
    except InvalidInput as error:
        yield WordFault(path, path.stem, str(error))
        return
    if path.stem not in english:
        yield WordFault(path, path.stem, "No page shows a text of this name.", breaks_pages=False)
    if not text.strip():
        yield WordFault(path, path.stem, "It is empty.")
    yield from (WordFault(path, path.stem, reason) for reason in _unsafe([text]))


def _message_faults(key: str, text: str, english: Mapping[str, str | None]) -> Iterator[str]:
    """Yield what breaks a page that shows this message, or may do harm there."""
    try:
        mine, theirs = signature(text), signature(english.get(key) or "")
    except Unreadable as error:
        yield f"It is no ICU message: {error}."
        return
    if key in english:
        if unknown := dict(mine.arguments.items() - theirs.arguments.items()):
            yield f"It has the arguments {_listed(unknown)}; the page gives {_listed(theirs.arguments)}."
        if unknown_tags := mine.tags - theirs.tags:
            yield f"It has the tags {_listed(unknown_tags)}; the page knows {_listed(theirs.tags)}."
    if both := mine.tags & mine.arguments.keys():
        yield f"{_listed(both)} is a tag and an argument. A page knows one thing by a name."
    yield from _unsafe(texts(parsed(text)))
    yield from _lost_counts(parsed(text))


def _lost_counts(parts: Sequence[Part], plural: str = "") -> Iterator[str]:
    """Yield the `#` that nobody would replace: the parser knows it directly in a plural, and in no select in there."""
    for part in parts:
        if isinstance(part, str):
            if plural and "#" in part:
                yield f"# is no count here. Write {{{plural}, number}}."
            continue
        counted = part["name"] if part.get("type") in PLURALS else plural
        for inner in [part.get("contents") or [], *(part.get("options") or {}).values()]:
            yield from _lost_counts(inner, counted)


def _gaps(key: str, text: str, english: _English, language: str) -> Iterator[str]:
    """Yield what leaves a reader without something, though the page works."""
    if english.known.get(key) is None:
        yield "No page shows a message of this key."
        return
    original = english.shown.get(key) or ""
    with suppress(Unreadable):
        mine, theirs = signature(text), signature(original)
        if missing := theirs.arguments.keys() - mine.arguments.keys():
            yield f"The arguments {_listed(missing)} of the English message are missing."
        if missing_tags := theirs.tags - mine.tags:
            yield f"The tags {_listed(missing_tags)} of the English message are missing."
        yield from _select_faults(mine.choices, theirs.choices)
        yield from _plural_faults(parsed(text), language)
        if language != ENGLISH and text == original and PHRASE.search(" ".join(texts(parsed(text)))):
            yield "It is the English text. Translate it, or leave it out."
    if not text.strip():
        yield "It is empty."


def _unsafe(shown: Iterable[str]) -> Iterator[str]:
    for text in shown:
        if markup := MARKUP.search(text):
            yield f"It has markup ({markup.group()!r}). Write plain text, or Markdown in a .md file."
        if hidden := BIDI_CONTROLS.difference(ISOLATES).intersection(text):
            yield f"It has characters that turn text around ({', '.join(f'U+{ord(char):04X}' for char in hidden)})."
        if any(ord(char) < 32 and char != "\n" for char in text):
            yield "It has control characters."


def _plural_faults(parts: Sequence[Part], language: str) -> Iterator[str]:
    for part in parts:
        if not isinstance(part, dict):
            continue
        options: Mapping[str, list[Part]] = part.get("options") or {}
        if part.get("type") in PLURALS and (missing := categories(language, part["type"]) - options.keys()):
            yield f"{part['name']} has no {', '.join(sorted(missing))}, which {language} needs."
        for inner in [part.get("contents") or [], *options.values()]:
            yield from _plural_faults(inner, language)


def _select_faults(mine: Choices, theirs: Choices) -> Iterator[str]:
    """Yield choices by other names than the English message has: `other` would stand in their place."""
    for name in mine.keys() & theirs.keys():
        if missing := theirs[name] - mine[name]:
            yield f"{name} has no {_listed(missing)}, which the English message has."
        if unknown := mine[name] - theirs[name]:
            yield f"{name} has {_listed(unknown)}, which no page gives. Translate what is in braces, not its name."


@cache
def categories(language: str, kind: str) -> frozenset[str]:
    """Return the plural categories that a language uses for whole numbers below 200 (CLDR)."""
    names = ("zero", "one", "two", "few", "many", "other")
    message = f"{{n, {kind}, {' '.join(f'{name} {{{name}}}' for name in names)}}}"
    return frozenset(formatted(message, language, n=number) for number in NUMBERS)


def _listed(names: Iterable[str]) -> str:
    """Say "count (number), name (text)" of arguments, and names of all else."""
    shown = (f"{name} ({names[name]})" if isinstance(names, Mapping) else name for name in names)
    return ", ".join(sorted(shown)) or "none"
