"""Labels by models of votes beside the rule's, where votes are labels."""

from __future__ import annotations

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.analysis.responses import CastVote, VotedExample
from beat_the_ai.analysis.votes.labels import VotedWork, vote_labels
from beat_the_ai.rules.adjudication import Label, Validity
from beat_the_ai.rules.registry import bind

HOSTILE = "\x1b[2J\u202e<script>alert(1)</script>"
NLI = bind("nli")


def work(name: str, validity: Validity, final: Label, *labels: Label) -> VotedWork:
    """A neutral hypothesis, and what v1, v2 and so on say of it."""
    votes = [CastVote(f"v{number}", label, label == "neutral") for number, label in enumerate(labels, 1)]
    example = VotedExample(name, f"w{name[-1]}", HOSTILE, "neutral", "entailment", "hash", votes)
    return VotedWork(example, "dev", validity, final)


WORKS = [
    *(work(f"a{number}", Validity.VALID, "neutral", "neutral", "neutral") for number in range(6)),
    *(work(f"b{number}", Validity.VALID, "contradiction", "contradiction", "contradiction") for number in range(4)),
    work("split", Validity.INVALID, None, "neutral", "neutral", None),
    work("open", Validity.UNDECIDED, None, "neutral"),
    work("unseen", Validity.UNDECIDED, None),
]


def test_a_work_without_a_label_differs_and_one_that_is_open_does_not() -> None:
    found = vote_labels(WORKS, {"v1": (3, 4)}, NLI)
    by_part, different, trusted = found.sections
    assert by_part.table.rows[0][:2] == ("dev", "11")
    assert by_part.table.rows[0][2].startswith("54.5%")
    assert by_part.table.rows[0][-2:] == ("1", "1")
    [row] = different.table.rows
    assert (row[0], *row[2:5]) == ("split", "neutral, neutral, no label", "neutral", "no label")
    assert row[5].startswith("neutral (")
    assert {name: shown[-1] for name, *shown in trusted.table.rows} == {
        "v1": "75.0% (30.1% to 95.4%), 3 of 4",
        "v2": "–",
        "v3": "–",
    }
    rules = {each["id"]: each["rule"] for each in found.figures["works"]}
    assert (rules["split"], rules["open"], "unseen" in rules) == ("no label", None, False)


def test_what_people_wrote_is_text_on_the_page() -> None:
    page = report_page("t", "i", vote_labels(WORKS, {}, NLI).sections)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert not {"\x1b", "\u202e"} & set(page)
