from __future__ import annotations

import json
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.text import MAX_KEY_CHARS, check_key, clean_line, printable

MAX_CHARS = 300
EXAMPLES = Path(__file__).parents[2] / "webapp" / "src" / "text" / "shapeless.json"


def clean(value: str, context: str = "") -> str:
    return clean_line("question", value, max_chars=MAX_CHARS, context=context)


def problem_with(value: str, context: str = "") -> str:
    with pytest.raises(InvalidInput) as caught:
        clean(value, context)
    assert caught.value.field == "question"
    return str(caught.value)


def test_white_space_is_collapsed_to_single_spaces() -> None:
    assert clean("  When\tdid\r\n Rome\u00a0fall?\u2003\u2028") == "When did Rome fall?"


@pytest.mark.parametrize("value", [" ", "x" * 301, "x" * 1300, "a\u202eb", "<b>"])
def test_the_worker_reads_the_word_of_the_page(value: str) -> None:
    with pytest.raises(InvalidInput, match="The statement") as caught:
        clean_line("hypothesis", value, max_chars=MAX_CHARS, called="statement")
    assert caught.value.field == "hypothesis"


def test_text_is_normalised_to_nfc() -> None:
    assert clean("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    "text",
    [
        "Что это?",
        "羅馬何時滅亡？",
        "متى سقطت روما؟",
        "Is 3 < 5 & 5 > 3?",
        "What does ™ or ° or → mean?",
        "x&y; z",
        "a 𝄞?",
    ],
)
def test_any_language_and_plain_symbols_are_allowed(text: str) -> None:
    context = "The treble clef 𝄞."
    assert clean(text, context) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("char", [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"])
def test_characters_that_turn_the_direction_of_text_are_refused_even_if_the_passage_has_them(char: str) -> None:
    message = problem_with(f"Who {char}wrote it?", context=f"A {char} context")
    assert f"U+{ord(char):04X}" in message
    assert "direction" in message


SHAPELESS = [
    "\u200b",  # zero-width space
    "\u200c",  # zero-width non-joiner
    "\u200d",  # zero-width joiner
    "\u2060",  # word joiner
    "\ufeff",  # byte order mark
    "\u00ad",  # soft hyphen
    "\u034f",  # combining grapheme joiner
    "\u180e",  # Mongolian vowel separator
    "\u115f",  # Hangul filler, a letter without a shape
    "\u3164",
    "\uffa0",
    "\ufe0f",  # variation selector
    "\U000e0100",
    "\U000e0041",  # tag letter: text that only a machine reads
]


@pytest.mark.parametrize("char", SHAPELESS, ids=lambda char: f"U+{ord(char):04X}")
def test_what_has_no_shape_is_taken_out(char: str) -> None:
    assert clean(f"Who wr{char}ote {char} it?{char}") == "Who wrote it?"
    assert clean(f"{char}Who wrote it?{char}{char}") == "Who wrote it?"
    assert "is empty" in problem_with(char * 3)


@pytest.mark.parametrize(
    "char",
    [
        "\u206a",  # deprecated format characters
        "\ufff9",  # interlinear annotation
        "\u0000",
        "\u0007",
        "\u001b",
        "\u007f",
        "\u0085",
        "\udc80",  # lone surrogate
        "\ue000",  # private use
        "\U0010ffff",  # not a character
    ],
    ids=lambda char: f"U+{ord(char):04X}",
)
def test_invisible_and_invalid_characters_are_refused(char: str) -> None:
    message = problem_with(f"Who wr{char}ote it?")
    assert f"U+{ord(char):04X}" in message
    message.encode()  # the message itself can be sent


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian: "I want", in two parts of one word
        "خانه\u200cها",
        "क्\u200dष",  # Devanagari: half a letter
        "क्\u200cष",
        "ශ්\u200dරී",  # Sinhala
        "র\u200d্যাব",  # Bengali: the joiner stands before the virama
    ],
)
def test_joiners_stay_where_they_change_how_a_word_is_written(text: str) -> None:
    assert clean(f"{text}?") == f"{text}?"


@pytest.mark.parametrize("text", ["a\u200cb", "سلا\u200dم", "क\u200dष", "خانه\u200c", "\u200cخانه"])
def test_joiners_go_where_they_change_nothing(text: str) -> None:
    assert clean(text) == text.replace("\u200c", "").replace("\u200d", "")


def test_the_page_takes_out_the_same() -> None:
    for case in json.loads(EXAMPLES.read_text("utf-8")):
        assert clean(case["text"]) == case["kept"]


def test_of_joiners_in_a_row_one_stays() -> None:
    assert clean("می\u200c\u200cخواهم") == "می\u200cخواهم"


def test_joiners_and_selectors_are_allowed_where_the_passage_has_them() -> None:
    for text in ("a\u200cb", "👩\u200d🚀", "❤\ufe0f"):
        assert clean(text, context=f"… {text} …") == text


@pytest.mark.parametrize("char", [*"😀❤⌚⏰🇦🏽☃"], ids=lambda char: f"U+{ord(char):04X}")
def test_a_pictograph_is_allowed_only_where_the_passage_has_it(char: str) -> None:
    assert f"({char})" in problem_with(f"What is {char}?", context="nothing of the kind")
    assert clean(f"What is {char}?", context=f"The sign {char} is old.") == f"What is {char}?"


@pytest.mark.parametrize(
    "markup",
    ["<script>", "</b>", "<img src=x onerror=alert(1)>", "<!--", "<!DOCTYPE html>", "&lt;", "&#60;", "&#x3c;", "<b\n>"],
)
def test_markup_is_refused_unless_the_passage_quotes_it(markup: str) -> None:
    line = " ".join(markup.split())
    assert "markup" in problem_with(f"What is {markup} for?")
    assert clean(f"What is {markup} for?", context=f"The tag {line} is used.") == f"What is {line} for?"


@pytest.mark.parametrize("empty", ["", " ", "\n\t ", "\u00a0\u2003"])
def test_an_empty_line_is_refused(empty: str) -> None:
    assert "is empty" in problem_with(empty)


def test_a_line_may_have_exactly_as_many_characters_as_allowed() -> None:
    assert len(clean("é" * MAX_CHARS)) == MAX_CHARS
    assert f"{MAX_CHARS + 1} characters; at most {MAX_CHARS}" in problem_with("é" * (MAX_CHARS + 1))


def test_length_counts_after_cleaning() -> None:
    assert len(clean("e\u0301" * MAX_CHARS)) == MAX_CHARS
    assert clean(" " * MAX_CHARS + "Who?" + " " * MAX_CHARS) == "Who?"


@pytest.mark.parametrize("filler", ["x", " ", "<a", "&a", "\u202e"])
def test_a_huge_text_is_refused_at_once_and_not_repeated_in_the_message(filler: str) -> None:
    huge = filler * 20_000_000
    begun = time.perf_counter()
    message = problem_with(huge)
    assert time.perf_counter() - begun < 1
    assert len(message) < 200


@given(st.text(st.characters(), max_size=60), st.text(max_size=10))
@example("&lt\u037e", "")  # the Greek question mark, which NFC makes a semicolon
@example("\u212bngstr\u00f6m", "")
def test_what_is_let_through_is_clean_and_stays_as_it_is(value: str, context: str) -> None:
    try:
        line = clean(value, context)
    except InvalidInput:
        message = problem_with(value, context)
        assert len(message) < 300
        message.encode()
    else:
        assert line
        assert line == " ".join(line.split())
        assert unicodedata.is_normalized("NFC", line)
        assert not {unicodedata.category(char) for char in line} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
        line.encode()
        assert clean(line, context) == line


@pytest.mark.parametrize("key", ["a", "~ !", "x" * MAX_KEY_CHARS])
def test_a_key_of_printable_ascii_is_kept(key: str) -> None:
    check_key("attempt_key", key)


@pytest.mark.parametrize("key", ["", "x" * (MAX_KEY_CHARS + 1), "é", "a\nb", "\0", "\x7f"])
def test_another_key_is_refused_under_the_name_that_the_page_gave_it(key: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 64 printable ASCII characters") as caught:
        check_key("response_key", key)
    assert caught.value.field == "response_key"


@pytest.mark.parametrize(
    ("remark", "kept"),
    [
        ("  Fine,\tthanks\n", "Fine, thanks"),
        ("\ufeffFi\u00adne\u200b", "Fine"),
        ("a\u202eb\ud800c", "a b c"),
        (" \0\n", None),
        ("", None),
        ("x" * 30, "x" * 20),
    ],
)
def test_a_remark_is_made_printable_and_cut_but_never_refused(remark: str, kept: str | None) -> None:
    assert printable(remark, max_chars=20) == kept
