"""Messages of servers: English for logs, keys for pages, and no key that a page has no words for."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path

import pytest

import beat_the_ai
from beat_the_ai.errors import DiskFull, InvalidInput, Refused, UnknownName
from beat_the_ai.kinds.quizbowl.tournament.saying import WORDS as EVENT_WORDS
from beat_the_ai.messages import Said, joined, message_of, said, sent, told
from beat_the_ai.words import page_words
from tests.webapp.shipped_words import KINDS

SOURCE = Path(beat_the_ai.__file__).parent
NAMED = re.compile(r"\"((?:refusals|elsewhere|notices|(?!portal|letters)\w+_refusals)\.[\w.]*\w)\"")
BEGUN = re.compile(r"f\"((?:refusals|notices|\w+_refusals)\.[\w.]*)\{")


def test_a_text_is_english_and_knows_its_message() -> None:
    text = said("refusals.no_tries", tries=1)
    assert text == "You have used the one try of this task. Please submit it."
    assert told(text) == {"message": text, "said": [{"key": "refusals.no_tries", "arguments": {"tries": 1}}]}


def test_a_text_that_was_made_of_several_says_all_of_them() -> None:
    text = joined([said("refusals.submitted"), "<b>A requester's own.</b>"])
    assert sent(text) == [{"key": "refusals.submitted"}, {"text": "<b>A requester's own.</b>"}]
    assert text == "This task was submitted already. Thank you! <b>A requester's own.</b>"


def test_a_text_without_messages_is_told_as_it_stands() -> None:
    assert told("Anything.") == {"message": "Anything."}


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (Refused(said("refusals.submitted")), "refusals.submitted"),
        (InvalidInput("note", said("refusals.text.empty", of="note")), "refusals.text.empty"),
        (DiskFull(), "refusals.disk_full"),
    ],
)
def test_the_messages_of_an_error_are_those_that_it_was_raised_with(error: Exception, key: str) -> None:
    assert [sentence["key"] for sentence in sent(message_of(error))] == [key]
    assert str(error) == message_of(error)


def test_an_error_without_messages_is_told_in_english() -> None:
    error = UnknownName("kind", "x", ["nli"])
    assert told(message_of(error)) == {"message": str(error)}


def test_a_text_stays_what_it_is_where_it_is_copied_or_kept() -> None:
    text = said("refusals.submitted")
    assert isinstance(copy.deepcopy(text), Said)
    assert pickle.loads(pickle.dumps(text)).sentences == text.sentences
    assert json.loads(json.dumps(text)) == text


def test_every_message_that_servers_name_is_there_and_each_is_named() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    keys = {
        key
        for key in page_words("en", *KINDS, EVENT_WORDS).messages
        if key.partition(".")[0].endswith(("refusals", "elsewhere", "notices"))
    }
    named, begun = set(NAMED.findall(code)), tuple(BEGUN.findall(code))
    assert named - keys == set()
    assert {key for key in keys - named if not key.startswith(begun)} == set()
