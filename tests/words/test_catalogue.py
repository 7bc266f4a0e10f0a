"""Catalogues: the product's words, and what others override."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages.icu import compiled
from beat_the_ai.rules.languages import ENGLISH, direction
from beat_the_ai.words import page_words, product_languages
from beat_the_ai.words.catalogue import MOST_BYTES
from beat_the_ai.words.faults import faults
from beat_the_ai.words.languages import PRODUCT
from beat_the_ai.words.pseudo import CLOSING, OPENING, PSEUDO, pseudo
from beat_the_ai.words.served import PageWords, spoken
from tests.webapp.shipped_words import KINDS, shipped_words

IN_ENGLISH = "It is in English only."


def write(folder: Path, language: str, file: str, content: object) -> Path:
    path = folder / language / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def told(folder: Path, language: str) -> list[str]:
    """Return the faults of a task folder's words beside the product's, but for words that it does not have."""
    found = faults([PRODUCT / "page", folder], language, folder)
    own = [fault for fault in found if fault.file.is_relative_to(folder) and fault.reason != IN_ENGLISH]
    return [f"{fault.key}: {fault.reason}" for fault in own]


@pytest.mark.parametrize("language", product_languages())
def test_the_product_has_all_words_in_each_of_its_languages(language: str) -> None:
    assert faults([PRODUCT / "page", *KINDS], language) == []


@pytest.mark.parametrize("language", product_languages())
def test_workers_do_not_read_of_hits(language: str) -> None:
    words = shipped_words(language)
    shown = {**words.messages, **{name: str(nodes) for name, nodes in words.texts.items()}}
    assert [key for key, text in shown.items() if re.search(r"\bHITs?\b", text)] == []


def test_a_later_folder_overrides_single_messages_and_whole_texts(tmp_path: Path) -> None:
    kind, task = tmp_path / "kind", tmp_path / "task"
    write(kind, "en", "rules.md", "Be *fair*.")
    write(kind, "en", "nli.json", {"goal": "Write.", "pay": "Paid."})
    write(task, "en", "rules.md", "Be quick.")
    write(task, "en", "session.json", {"reload": "Again"})
    write(task, "fr", "session.json", {"reload": "Recharger"})
    write(kind, "fr", "nli.json", {"goal": "Écrivez."})
    english, french = page_words("en", kind, task), page_words("fr", kind, task)
    assert english.messages["session.reload"] == "Again"
    assert english.messages["session.try_again"] == "Try again"
    assert english.texts["rules"][0].children[0].text == "Be quick."
    assert french.messages["session.reload"] == "Recharger"
    assert (french.messages["nli.goal"], french.messages["nli.pay"]) == ("Écrivez.", "Paid.")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ('["a"]', "is no object of messages"),
        ('{"a": {"b": "c"}}', "is no object of messages"),
        (" " * (MOST_BYTES + 1), "has more than 1,000,000 bytes"),
    ],
)
def test_a_file_that_holds_no_messages_is_refused_by_its_name(tmp_path: Path, content: str, reason: str) -> None:
    write(tmp_path, "en", "session.json", content)
    with pytest.raises(InvalidInput, match=f"session.json {reason}"):
        page_words("en", tmp_path)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("{count, plural, one {a} other {b}", "It is no ICU message"),
        ("You <script>alert(1)</script>", "It has the tags script; the page knows none."),
        ("A '<'script>alert(1)", "It has markup ('<s'). Write plain text, or Markdown in a .md file."),
        ("javascript:alert(1)", "It has markup ('javascript:')"),
        ("a &lt; b", "It has markup ('&lt;')"),
        ("a\u202eb", "It has characters that turn text around (U+202E)."),
        ("a\x07b", "It has control characters."),
        ("<count>{count, number}</count>", "count is a tag and an argument. A page knows one thing by a name."),
        ("{count, plural, other {{x, select, other {# HITs}}}}", "# is no count here. Write {count, number}."),
        ("{secret} HITs", "It has the arguments secret (text); the page gives count (number)."),
        ("{count} HITs", "It has the arguments count (text); the page gives count (number)."),
        ("HITs", "The arguments count of the English message are missing."),
        ("{count, plural, other {# HITs}}", "count has no one, which de needs."),
    ],
)
def test_a_fault_of_a_message_is_told(tmp_path: Path, message: str, reason: str) -> None:
    write(tmp_path, "de", "session.json", {"submitted.count": message})
    assert any(f"session.submitted.count: {reason}" in fault for fault in told(tmp_path, "de")), told(tmp_path, "de")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("{secret} HITs", "It has the arguments secret (text); the page gives count (number)."),
        ("{count} HITs", "It has the arguments count (text); the page gives count (number)."),
        ("<b>{count, plural, one {# HIT} other {# HITs}}</b>", "It has the tags b; the page knows none."),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_task_folder_changes_in_english_is_held_against_what_pages_give(
    tmp_path: Path, language: str, message: str, reason: str
) -> None:
    for changed in {"en", language}:
        write(tmp_path, changed, "session.json", {"submitted.count": message})
    [fault] = [one for one in faults([PRODUCT / "page", tmp_path], language, tmp_path) if one.breaks_pages]
    assert (fault.key, fault.reason) == ("session.submitted.count", reason)


def test_a_task_folder_adds_no_words(tmp_path: Path) -> None:
    write(tmp_path, "en", "session.json", {"nothing": "Nothing"})
    write(tmp_path, "en", "none.md", "Nothing.")
    assert told(tmp_path, "en") == [
        "none: No page shows a text of this name.",
        "session.nothing: No page shows a message of this key.",
    ]


def test_a_choice_has_the_options_of_the_english_one(tmp_path: Path) -> None:
    write(tmp_path, "de", "checking.json", {"items": "{work, select, Aussage {Aussagen} other {Fragen}}"})
    assert told(tmp_path, "de") == [
        "checking.items: work has no statement, which the English message has.",
        "checking.items: work has Aussage, which no page gives. Translate what is in braces, not its name.",
    ]


def test_what_no_page_shows_and_what_is_not_translated_is_told(tmp_path: Path) -> None:
    write(tmp_path, "de", "session.json", {"nothing": "Nichts", "reload": "Reload the page", "try_again": ""})
    write(tmp_path, "de", "none.md", "")
    assert told(tmp_path, "de") == [
        "none: No page shows a text of this name.",
        "none: It is empty.",
        "session.nothing: No page shows a message of this key.",
        "session.reload: It is the English text. Translate it, or leave it out.",
        "session.try_again: It is empty.",
    ]


def test_words_that_the_product_lacks_in_a_language_are_missing_until_the_task_folder_has_them(tmp_path: Path) -> None:
    folders = [PRODUCT / "page", tmp_path]
    write(tmp_path, "fr", "design.json", {"close": "Fermer"})
    missing = {fault.key: fault.file for fault in faults(folders, "fr") if fault.reason == IN_ENGLISH}
    assert missing.keys() == page_words(ENGLISH).messages.keys() - {"design.close"}
    assert missing["session.reload"] == tmp_path / "fr" / "session.json"


def test_what_a_task_folder_changed_in_english_alone_is_told(tmp_path: Path) -> None:
    product, task = tmp_path / "product", tmp_path / "task"
    write(product, "en", "session.json", {"reload": "Reload", "name": "Name"})
    write(product, "de", "session.json", {"reload": "Neu laden", "name": "Dein Name"})
    write(task, "en", "session.json", {"reload": "Again"})
    [fault] = faults([product, task], "de")
    assert (fault.file, fault.key, fault.breaks_pages) == (task / "de" / "session.json", "session.reload", False)
    assert "still says what it said before" in fault.reason
    assert faults([product, task], "en") == []


def test_a_page_names_its_languages_and_loads_the_first_at_once() -> None:
    page = '<!doctype html>\n<html lang="en">\n  <head>\n  </head><noscript>This page needs JavaScript.</noscript>'
    assert spoken(page, [shipped_words(PSEUDO), shipped_words("en")]) == (
        '<!doctype html>\n<html lang="en-XA" dir="ltr">\n  <head>\n    <meta name="languages" content="en-XA en" />\n  '
        '  <link rel="preload" href="./words/en-XA.json" as="fetch" crossorigin />\n  </head>'
        f"<noscript>{shipped_words(PSEUDO).messages['session.no_script']}</noscript>"
    )


def test_arabic_and_its_like_are_written_from_the_right() -> None:
    assert [direction(tag) for tag in ("en", "de", "ar", "he-IL", "arn")] == ["ltr", "ltr", "rtl", "rtl", "ltr"]
    assert [direction(tag) for tag in ("ku", "ku-Arab", "az-Arab-IR", "ar-Latn")] == ["ltr", "rtl", "rtl", "ltr"]


def test_each_word_of_the_made_up_language_is_marked() -> None:
    english = page_words(ENGLISH, *KINDS)
    made_up = pseudo(english)
    assert made_up.messages.keys() == english.messages.keys()
    assert made_up.messages["session.try_again"] == f"{OPENING}Tŕý ágáíń{CLOSING}"
    assert PageWords.of(made_up).language == PSEUDO


def test_what_is_put_into_a_message_of_a_language_from_the_right_keeps_its_own_direction() -> None:
    message = {"session.not_opened": "{error}"}
    words = [shipped_words(language).model_copy(update={"messages": message}) for language in ("ar", "en")]
    arabic, english = (PageWords.of(each).messages["session.not_opened"] for each in words)
    assert arabic == compiled("\u2068{error}\u2069")
    assert english == compiled("{error}")
