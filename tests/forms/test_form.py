"""Forms as requesters write them, and the answers that they take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.forms.form import Form, read_form
from beat_the_ai.forms.page import page_forms
from beat_the_ai.words.markdown import Node, as_nodes

SHIPPED = Path(__file__).parents[2] / "qualification" / "forms"
SURVEY = """
kind: survey
title: About you
refuses: true
questions:
  - {id: english, type: choice, text: "First language?", options: ["Yes", "No"]}
  - {id: years, type: number, text: "Years?", at_least: 0, at_most: 100, shown_when: {english: ["No"]}}
  - {id: topics, type: choice, text: "Topics?", options: [a, b, c], several: true, required: false}
  - {id: mood, type: scale, text: "Mood?", lowest: 1, highest: 7}
  - {id: check, type: choice, text: Choose b., options: [a, b], expects: b}
  - {id: birthday, type: date, text: "Birthday?", required: false}
  - {id: why, type: text, text: "Why?", required: false, max_chars: 40}
"""
FULL = {
    "english": "No",
    "years": 7,
    "topics": ["c", "a"],
    "mood": 3,
    "check": "b",
    "birthday": "2001-02-03",
    "why": "x",
}

ANYTHING = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4)
ELEMENTS = {
    *("p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote"),
    *("table", "thead", "tbody", "tr", "th", "td", "hr", "br", "a"),
}


def written(folder: Path, content: str, name: str = "form.yaml") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


@pytest.fixture
def survey(tmp_path: Path) -> Form:
    return read_form(written(tmp_path, SURVEY))


@pytest.mark.parametrize("path", sorted(SHIPPED.iterdir()), ids=lambda path: path.name)
def test_every_shipped_form_can_be_shown(path: Path) -> None:
    [shown] = page_forms([read_form(path)])["forms"]
    assert shown["title"]
    assert shown["text"]


def test_answers_are_kept_in_the_order_of_the_questions(survey: Form) -> None:
    assert survey.read(FULL) == {**FULL, "topics": ["a", "c"]}
    assert list(survey.read(dict(reversed(FULL.items())))) == list(survey.read(FULL))


def test_what_was_hidden_is_not_kept_and_what_is_open_may_stay_so(survey: Form) -> None:
    assert survey.read({"english": "Yes", "years": 7, "mood": 1, "check": "a", "why": "", "topics": []}) == {
        "english": "Yes",
        "mood": 1,
        "check": "a",
    }


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"english": None}, "english", "please answer this question"),
        ({"english": "Maybe"}, "english", "please choose from: Yes, No"),
        ({"english": ["Yes"]}, "english", "please choose from"),
        ({"years": "7"}, "years", "whole number"),
        ({"years": 7.5}, "years", "whole number"),
        ({"years": True}, "years", "whole number"),
        ({"years": float("nan")}, "years", "whole number"),
        ({"years": 1e400}, "years", "whole number"),
        ({"years": 10**400}, "years", "at most 15 digits"),
        ({"years": -(10**16)}, "years", "at most 15 digits"),
        ({"mood": 10**400}, "mood", "number from 1 to 7"),
        ({"years": -1}, "years", "-1 was given; at least 0"),
        ({"years": 101}, "years", "101 was given; at most 100"),
        ({"topics": ["a", "a"]}, "topics", "please choose from"),
        ({"topics": ["a", {"b": 1}]}, "topics", "please choose from"),
        ({"mood": 8}, "mood", "number from 1 to 7"),
        ({"mood": False}, "mood", "number from 1 to 7"),
        ({"birthday": "2001-02-30"}, "birthday", "YYYY-MM-DD"),
        ({"birthday": "20010203"}, "birthday", "YYYY-MM-DD"),
        ({"why": 3}, "why", "please write a text"),
        ({"why": "x" * 41}, "why", "41 characters"),
        ({"why": "x" * 1_000_000}, "why", "1,000,000 characters were given; at most 40"),
        ({"why": "\n" * 150}, "why", "please write a text"),
        ({"why": "a\u202eb"}, "why", "answer"),
        ({"why": "<script>alert(1)</script>"}, "why", "markup"),
        ({"why": "\ud800"}, "why", "answer"),
        ({"other": "x"}, "answers", "no question 'other'"),
    ],
)
def test_a_wrong_answer_is_refused_by_its_question(survey: Form, change: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        survey.read({**FULL, **change})
    assert caught.value.field == field


@given(st.dictionaries(st.sampled_from([*FULL, "x"]), ANYTHING))
def test_anything_is_either_kept_or_refused_with_words(given: dict[str, Any]) -> None:
    form = Form.model_validate_json(json.dumps({**yaml.safe_load(SURVEY), "name": "form"}))
    try:
        kept = form.read(given)
    except InvalidInput:
        return
    assert form.read(kept) == kept


def test_an_attention_check_compares_what_was_shown(survey: Form) -> None:
    assert survey.failed_checks(survey.read(FULL)) == []
    assert survey.failed_checks(survey.read({**FULL, "check": "a"})) == ["check"]


@pytest.mark.parametrize(
    ("question", "passing", "failing"),
    [
        ({"type": "choice", "options": ["Yes", "No"], "expects": " yes"}, "Yes", "No"),
        ({"type": "choice", "options": [3, 4], "expects": 4}, "4", "3"),
        ({"type": "scale", "expects": 4}, 4, 5),
        ({"type": "scale", "expects": "04"}, 4, 5),
        ({"type": "number", "expects": 4}, 4.0, 5),
        ({"type": "number", "decimals": True, "expects": 4}, 4, 4.5),
        ({"type": "number", "decimals": True, "expects": "4.50"}, 4.5, 4),
        ({"type": "text", "expects": " Hello "}, "hello", "bye"),
        ({"type": "date", "expects": "2001-02-03"}, "2001-02-03", "2001-02-04"),
    ],
)
def test_an_expected_answer_can_be_given_on_every_type(question: dict[str, Any], passing: Any, failing: Any) -> None:
    content = {"name": "form", "kind": "survey", "title": "T", "version": 2}
    form = Form.model_validate_json(json.dumps({**content, "questions": [{"id": "check", "text": "?", **question}]}))
    assert form.version == "2"
    assert form.failed_checks(form.read({"check": passing})) == []
    assert form.failed_checks(form.read({"check": failing})) == ["check"]


def test_a_question_depends_on_a_choice_or_on_a_step_of_a_scale(tmp_path: Path) -> None:
    content = SURVEY.replace("max_chars: 40", "max_chars: 40, shown_when: {mood: [1, 2], topics: [a]}")
    form = read_form(written(tmp_path, content))
    assert "why" in form.read({**FULL, "mood": 2})
    assert "why" not in form.read({**FULL, "mood": 3})
    assert "why" not in form.read({**FULL, "mood": 2, "topics": ["c"]})


def test_expected_answers_never_reach_a_page(survey: Form) -> None:
    shown = page_forms([survey])
    assert "expects" not in str(shown)
    assert "refuses" not in str(shown)


def test_a_changed_word_makes_another_form(tmp_path: Path) -> None:
    first = read_form(written(tmp_path, SURVEY))
    for same in (SURVEY + "\n", SURVEY.replace("refuses: true", "version: '1'\nrefuses: true")):
        assert read_form(written(tmp_path, same, "renamed.yaml")).digest == first.digest
    assert read_form(written(tmp_path, SURVEY.replace("refuses: true", "refuses: false"))).digest != first.digest
    assert read_form(written(tmp_path, SURVEY.replace("Mood?", "Mood"))).digest != first.digest
    assert read_form(written(tmp_path, SURVEY.replace("About you", "About you\nversion: '2'"))).digest != first.digest


def test_a_field_that_a_later_release_adds_asks_nobody_again(survey: Form) -> None:
    class LaterForm(Form):
        hint: str = ""

    assert LaterForm.model_validate(survey.model_dump()).digest == survey.digest


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("form.md", "kind: consent", "no head between"),
        ("form.md", "---\nkind: consent\ntitle: T\n---\n", "a consent form has a text"),
        ("form.md", "---\n- a\n---\ntext", "holds no settings"),
        (
            "form.md",
            "---\nkind: consent\ntitle: T\nquestions: [{id: a, type: date, text: b}]\n---\ntext",
            "nothing else has",
        ),
        ("form.yaml", "kind: survey\ntitle: T\n", "a survey has questions"),
        ("form.yaml", "kind: survey\ntitle: T\nquestions: [{id: a, type: colour, text: b}]", "questions.0"),
        ("form.yaml", SURVEY.replace("id: mood", "id: english"), "two questions are called english"),
        ("form.yaml", SURVEY.replace('english: ["No"]', 'mood: ["1"]'), "which is no question before it"),
        ("form.yaml", SURVEY.replace(", expects: b", ""), "refuses nobody"),
        ("form.yaml", SURVEY.replace('english: ["No"]', 'years: ["1"]'), "years is shown after years"),
        (
            "form.yaml",
            SURVEY.replace('["No"]}}', '["Maybe"]}}'),
            "'Maybe', which is no answer to it. Choose from: Yes, No",
        ),
        ("form.yaml", SURVEY.replace('["No"]}}', "[]}}"), "at least 1 item"),
        ("form.yaml", SURVEY.replace('["No"]}}', "[no]}}"), "put it in quotes"),
        ("form.yaml", SURVEY.replace('["Yes", "No"]', "[Yes, No]"), "put it in quotes"),
        ("form.yaml", SURVEY.replace("About you", "' '"), "title: String should have at least 1 character"),
        ("form.yaml", SURVEY.replace("title:", "version: 1.10\ntitle:"), "version: put it in quotes"),
        ("form.yaml", SURVEY.replace("expects: b", "expects: yes"), "put it in quotes"),
        ("form.yaml", SURVEY.replace("expects: b", "expects: c"), "check expects 'c', which nobody can answer"),
        ("form.yaml", SURVEY.replace("expects: b", 'expects: ""'), "check expects ''"),
        ("form.yaml", SURVEY.replace("several: true", "several: true, expects: a"), "topics has both"),
        ("form.yaml", SURVEY.replace("[a, b, c]", "[a, b, a]"), "topics has the option 'a' twice"),
        ("form.yaml", SURVEY.replace("[a, b, c]", "[a, b, 'a ']"), "topics has the option 'a' twice"),
        ("form.yaml", SURVEY.replace("[a, b, c]", "[a, b, ' ']"), "at least 1 character"),
        ("form.yaml", SURVEY.replace("highest: 7", "highest: 7, expects: 8"), "mood expects '8'.* from 1 to 7"),
        ("form.yaml", SURVEY.replace("highest: 7", "highest: 7, expects: much"), "mood expects 'much'"),
        ("form.yaml", SURVEY.replace("highest: 7", "highest: 1"), "A scale has 2 to 21 steps"),
        ("form.yaml", SURVEY.replace("highest: 7", "highest: 22"), "A scale has 2 to 21 steps"),
        ("form.yaml", SURVEY.replace("lowest: 1", f"lowest: {10**400}"), "lowest"),
        ("form.yaml", SURVEY.replace("at_most: 100", "at_most: 100, expects: 101"), "years expects '101'.*at most 100"),
        ("form.yaml", SURVEY.replace("at_most: 100", "at_most: 100, expects: 1e999"), "years expects"),
        ("form.yaml", SURVEY.replace("at_least: 0", "at_least: 101"), "years takes no number"),
        (
            "form.yaml",
            SURVEY.replace("at_least: 0, at_most: 100", "at_least: 1.2, at_most: 1.8"),
            "years takes no number",
        ),
        ("form.yaml", SURVEY.replace("at_most: 100", "at_most: .inf"), "at_most"),
        ("form.yaml", SURVEY.replace("at_most: 100", "at_most: .nan"), "at_most"),
        ("form.yaml", SURVEY.replace("type: date", 'type: date, expects: "2001-02-30"'), "birthday expects"),
        ("form.yaml", SURVEY.replace("max_chars: 40", "max_chars: 4, expects: hello"), "why expects 'hello'"),
        (
            "form.yaml",
            SURVEY.replace("max_chars: 40", 'max_chars: 40, shown_when: {birthday: ["2001-02-03"]}'),
            "birthday, which is no choice and no scale",
        ),
        ("form.yaml", SURVEY.replace("lowest: 1", "colour: red"), "colour"),
        ("form.yaml", "a: [", "cannot be read"),
        ("form.yaml", "x" * 100_001, "at most 100,000"),
        ("form.yaml", "&a [*a]", "cannot be read"),
    ],
)
def test_a_faulty_form_is_refused_with_its_file(tmp_path: Path, name: str, content: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        read_form(written(tmp_path, content, name))
    assert name in str(caught.value)


def flat(nodes: tuple[Node, ...]) -> list[tuple[str, str]]:
    return [pair for node in nodes for pair in ((node.tag, node.href or node.text), *flat(node.children))]


def test_markdown_becomes_elements_and_nothing_in_it_runs() -> None:
    found = flat(
        as_nodes(
            "# Title <b>x</b>\n\n- *a* **b** `c`\n\n[w](https://x.org) [j](javascript:alert(1)) [d](data:text/html,x) "
            "![p](https://x.org/a.png) <script>alert(1)</script>\n\n| h |\n|---|\n| d |\n\n```\ncode\n```\n"
        )
    )
    assert {tag for tag, _ in found} <= {*ELEMENTS, ""}
    assert [href for tag, href in found if tag == "a"] == ["https://x.org", "https://x.org/a.png"]
    text = "".join(text for tag, text in found if tag == "")
    assert "<script>alert(1)</script>" in text
    assert "<b>x</b>" in text


@given(st.text())
def test_any_text_is_shown_with_known_elements_only(text: str) -> None:
    for tag, target in flat(as_nodes(text)):
        assert tag in {*ELEMENTS, ""}
        assert tag != "a" or target.lower().startswith(("https://", "http://", "mailto:"))


SHOWN = json.loads((Path(__file__).parents[2] / "webapp" / "src" / "forms" / "shown.json").read_text(encoding="utf-8"))
ASKED = Form.model_validate_json(
    json.dumps(
        {
            "name": "shown",
            "kind": "survey",
            "title": "Shown",
            "questions": [{"text": "Text?", "required": False, **question} for question in SHOWN["questions"]],
        }
    )
)


@pytest.mark.parametrize("case", SHOWN["cases"], ids=lambda case: str(case["answers"]))
def test_answers_are_taken_to_the_questions_that_the_page_shows(case: dict[str, Any]) -> None:
    given = {**case["answers"]}
    if "ease" in given:
        given["ease"] = int(given["ease"])  # as the page sends it
    dependent = {question.id for question in ASKED.questions if question.type == "text"}
    texts = dict.fromkeys(dependent, "x")
    taken = ASKED.read({**texts, **given})
    shown = set(case["shown"])
    assert dependent & taken.keys() == dependent & shown
    assert taken.keys() - dependent == {name for name, answer in given.items() if answer and name in shown}
