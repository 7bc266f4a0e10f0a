"""The words that an edit took out and put in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.analysis.revision import Revision

WORDS = st.lists(st.sampled_from("abc"), max_size=12)


@given(WORDS, WORDS)
def test_the_changes_make_the_text_after_of_the_one_before(before: list[str], after: list[str]) -> None:
    revision = Revision(before, after)
    made, done = list[str](), 0
    for each in revision.changes:
        made += [*before[done : each.start], *after[each.new_start : each.new_end]]
        done = each.end
    assert made + before[done:] == after
    assert (revision.words == 0) is (before == after)


def test_a_word_is_moved_by_what_changes_before_it_alone() -> None:
    revision = Revision(list("abcde"), ["new", "words", *"acde", "more"])
    assert [revision.place_after(word) for word in (1, 3, 5)] == [3, 4, 6]


def test_what_changed_is_shown_among_some_words() -> None:
    before = [f"w{number}" for number in range(40)]
    after = [*before[:10], "new", *before[11:30], *before[31:]]
    assert Revision(before, after).shown() == (
        "… w5 w6 w7 w8 w9 [-w10-] {+new+} w11 w12 w13 w14 w15 … w25 w26 w27 w28 w29 [-w30-] w31 w32 w33 w34 w35 …"
    )
    assert Revision(["a"], ["a", "<b>"]).shown().__html__() == "a <ins>&lt;b&gt;</ins> "
