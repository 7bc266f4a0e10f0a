"""Money, answers, questions and the clock: values by themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.marketplace.answers import FormAnswer, read_selections, write_answers, write_form_answers
from beat_the_ai.marketplace.clock import FrozenClock, ShiftedClock, SystemClock
from beat_the_ai.marketplace.documents import Unreadable, children, name_of, read_document
from beat_the_ai.marketplace.money import assignment_fee_cents, bonus_fee_cents, parse_cents, show_dollars
from beat_the_ai.marketplace.portal.formatted import KEPT, formatted
from beat_the_ai.marketplace.questions import read_external
from beat_the_ai.web.signed_assignment import SIGNED, SignedAssignment
from tests.marketplace.conftest import NEW_YEAR
from tests.marketplace.rehearsal import QUESTION


@pytest.mark.parametrize(
    ("text", "cents"), [("5", 500), ("101.42", 10_142), ("0.1", 10), ("2.", 200), ("0", 0), ("007.00", 700)]
)
def test_amounts_are_read_as_the_protocol_writes_them(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize("text", ["", "-1", "1.234", ".5", "1e3", "NaN", "$1", "1,5", " 1", "1\n", "١"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="in dollars"):
        parse_cents(text)


@given(st.integers(0, 10**10))
def test_cents_survive_being_written(cents: int) -> None:
    assert parse_cents(show_dollars(cents)) == cents


@pytest.mark.parametrize(
    ("reward", "assignments", "masters", "fee"),
    [(200, 1, False, 40), (200, 9, False, 40), (200, 10, False, 80), (200, 1, True, 50), (200, 10, True, 90)],
)
def test_fees_of_assignments(reward: int, assignments: int, masters: bool, fee: int) -> None:
    assert assignment_fee_cents(reward, assignments, masters=masters) == fee


def test_a_fee_is_at_least_a_cent() -> None:
    assert assignment_fee_cents(0, 1, masters=False) == assignment_fee_cents(1, 1, masters=False) == 1
    assert (bonus_fee_cents(1), bonus_fee_cents(7), bonus_fee_cents(8), bonus_fee_cents(100)) == (1, 1, 2, 20)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), st.text(max_size=200)), max_size=20))
def test_any_answers_become_xml_that_can_be_read(answers: list[tuple[str, str]]) -> None:
    document = write_answers(answers)
    assert document.isascii() or document.encode()
    read = [[child.text or "" for child in answer] for answer in children(read_document(document), "Answer")]
    assert [len(pair) for pair in read] == [2] * len(answers)
    for (name, text), pair in zip(answers, read, strict=True):
        for given_text, read_text in ((name, pair[0]), (text, pair[1])):
            if given_text.isprintable():
                assert read_text == given_text


def test_markup_in_answers_stays_text() -> None:
    attack = "</FreeText></Answer><Answer><QuestionIdentifier>bonus</QuestionIdentifier>]]><!--&amp;"
    [answer] = children(read_document(write_answers([("q", attack)])), "Answer")
    assert [child.text for child in answer] == ["q", attack]


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from(["x", "y", "z"]), unique=True)))
def test_selections_are_read_as_they_were_written(chosen: dict[str, list[str]]) -> None:
    written = write_form_answers({name: FormAnswer(some) for name, some in chosen.items()})
    assert read_selections(written) == {name: frozenset(some) for name, some in chosen.items()}


def test_a_document_with_a_type_too_long_or_broken_is_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
    external = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'
    for text in (bomb, external, "<a>", "", "<a>" + "x" * 65_535 + "</a>", "<a>\ud800</a>", "<a>&undefined;</a>"):
        with pytest.raises(Unreadable):
            read_document(text)
    assert name_of(read_document('<a xmlns="urn:x"/>')) == "a"


def test_a_frame_gets_the_ids_and_a_preview_none() -> None:
    external = read_external(QUESTION)
    assert external is not None
    assert (external.url, external.frame_height) == ("https://example.org/task?a=1&b=2", 600)
    submit_to = "https://market.test/a?b=c&d"
    holding = SignedAssignment("AW", "3A", "3H", deadline=1_600_000_000)
    accepted = external.work_url(holding, submit_to=submit_to, secrets=["old", "new"])
    *told, (_, deadline), (_, signatures) = parse_qsl(urlsplit(accepted).query)
    assert told == [
        ("a", "1"),
        ("b", "2"),
        ("assignmentId", "3A"),
        ("hitId", "3H"),
        ("turkSubmitTo", submit_to),
        ("workerId", "AW"),
    ]
    assert deadline == "1600000000"
    assert holding.is_signed(signatures, "old")
    assert holding.is_signed(signatures, "new")
    assert not holding.is_signed(signatures, "another")
    for other in ({"worker_id": "AX"}, {"assignment_id": "3B"}, {"hit_id": "3I"}, {"deadline": 1_600_000_001}):
        assert not replace(holding, **other).is_signed(signatures, "old")
    preview = external.preview_url(hit_id="3H", submit_to=submit_to)
    assert "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE" in preview
    assert not any(name in preview for name in ("workerId", *SIGNED))


def test_http_pages_are_for_this_machine_only() -> None:
    for host, allowed in (("127.0.0.1:3000", True), ("localhost", True), ("[::1]:80", True), ("10.0.0.1", False)):
        text = QUESTION.replace("https://example.org", f"http://{host}")
        if allowed:
            assert read_external(text) is not None
        else:
            with pytest.raises(Exception, match="https"):
                read_external(text)


def test_clocks_only_go_forward() -> None:
    frozen, shifted = FrozenClock(NEW_YEAR), ShiftedClock()
    for clock in (frozen, shifted):
        before = clock.now()
        clock.advance(timedelta(days=1))
        assert clock.now() - before >= timedelta(days=1)
        with pytest.raises(ValueError, match="forward"):
            clock.advance(timedelta(seconds=-1))
    assert abs(shifted.now() - SystemClock().now() - timedelta(days=1)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("<p>A <b>bold</b> word", "<p>A <b>bold</b> word</p>"),
        ("<b><i>crossed</b></i>", "<b><i>crossed</i></b>"),
        ("a &lt;b&gt; &amp; c", "a &lt;b&gt; &amp; c"),
        (
            "<img src='https://example.org/a.png' onerror='x()' style='x'>",
            '<img alt="" src="https://example.org/a.png">',
        ),
        ("<img src='data:image/svg+xml,x' alt='\"x'>", '<img alt="&quot;x">'),
        ("<a href=' JavaScript:x()'>x</a>", "x"),
        ("<form action='/worker/sign-out'><input name='a'><button>x</button></form>", "x"),
        ("<style>p{}</style><script>x()</script><iframe src='https://example.org'></iframe>", ""),
        ("</main></div><td colspan='2' class='x'>x</td>", '<td colspan="2">x</td>'),
        ("<h1>Big</h1>", "<h3>Big</h3>"),
    ],
)
def test_formatted_content_keeps_its_form_and_nothing_that_acts(content: str, shown: str) -> None:
    assert formatted(content) == shown


MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<b", ">", "<script>", "</script>", "<!--", "-->", "<a href=", "'"])
    | st.text(max_size=5)
)


@given(MARKUP)
def test_no_markup_gets_out_of_its_place(pieces: list[str]) -> None:
    class Reader(HTMLParser):
        depth = 0

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag in KEPT
            assert {name for name, _ in attrs} <= {"href", "target", "rel"}
            self.depth += 1

        def handle_endtag(self, tag: str) -> None:
            self.depth -= 1
            assert self.depth >= 0

    reader = Reader()
    reader.feed(formatted("".join(pieces)))
    reader.close()
    assert reader.depth == 0


def test_lone_surrogates_and_control_characters_are_replaced() -> None:
    assert "<FreeText>a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}</FreeText>" in write_answers(
        [("q", "a\ud800b\x00")]
    )
