"""ICU messages. `webapp/src/words/say.test.ts` has the same cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from beat_the_ai.messages.icu import Unreadable, compiled, formatted, parsed, signature, texts, with_texts

CASES = json.loads((Path(__file__).parents[2] / "webapp" / "src" / "words" / "cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['message']} in {case['language']}")
def test_server_and_page_show_a_message_alike(case: dict[str, Any]) -> None:
    assert formatted(case["message"], case["language"], **case["args"]) == case["shown"]
    assert compiled(case["message"]) == case["compiled"]


def test_the_arguments_and_tags_of_a_message_are_found_wherever_they_stand() -> None:
    found = signature("{n, plural, one {# <b>win by {who}</b>} other {{at, date, short}}} {kind, select, other {{x}}}")
    assert found.arguments == {"n": "number", "who": "text", "at": "date", "kind": "select", "x": "text"}
    assert found.tags == {"b"}


def test_texts_in_a_message_are_isolated_from_its_direction_and_choices_are_not() -> None:
    message = compiled("{n, plural, other {# <b>{who}</b>}}{kind, select, a {{x}} other {y}}", isolated=True)
    args = {"n": 2, "kind": "a", "who": "Ada", "x": "X"}
    isolated = "{n, plural, other {# <b>\u2068{who}\u2069</b>}}{kind, select, a {\u2068{x}\u2069} other {y}}"
    assert message == compiled(isolated)
    assert formatted(isolated.replace("<b>", "").replace("</b>", ""), "ar", **args) == "2 \u2068Ada\u2069\u2068X\u2069"


@pytest.mark.parametrize(
    "text", ["{open", "a } b", "{n, plural, one {a}}", "<b>open", "a < b", "<a href='x'>y</a>", "<b>x</i>", "{" * 5000]
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parsed(text)


def test_only_texts_are_changed_and_the_rest_stays_a_message() -> None:
    message = "it''s '{'so'}' {n, plural, =0 {none} one {# <b>win</b>} other {'#'# wins}} {share, number, percent}"
    assert with_texts(parsed(message), str.upper) == (
        "IT''S '{'SO'}' {n, plural, =0 {NONE} one {# <b>WIN</b>} other {'#'# WINS}} {share, number, percent}"
    )


@example("{'{", "{{")
@example("'{''}", "#<'")
@given(st.text(max_size=30), st.text(max_size=10))
def test_any_text_can_be_a_message(text: str, inner: str) -> None:
    message = with_texts([text, {"name": "b", "type": "tag", "contents": [inner]}], lambda each: each)
    assert list(texts(parsed(message))) == [each for each in (text, inner) if each]
