"""The rules of a match: what may happen when, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.quizbowl.tournament.events import (
    Answered,
    Begun,
    Buzzed,
    Closed,
    Ended,
    Event,
    Protested,
    Read,
    Ruled,
    Settled,
)
from beat_the_ai.kinds.quizbowl.tournament.match import MatchState, Outcome, Scoring, replayed
from beat_the_ai.kinds.quizbowl.tournament.recount import recount

TEAMS = ("owls", "jays", "bot")
LENGTHS = (10, 4)


def read(words: int, tossup: int = 1, since: int = 0) -> list[Event]:
    return [Read(tossup=tossup, words=word) for word in range(since + 1, words + 1)]


def buzz(team: str, tossup: int = 1, player: str = "p") -> Buzzed:
    return Buzzed(tossup=tossup, team=team, player=player)


def ruled(team: str, correct: bool, tossup: int = 1) -> Ruled:
    return Ruled(tossup=tossup, team=team, correct=correct)


def state(*events: Event | Sequence[Event]) -> MatchState:
    flat: list[Event] = []
    for event in events:
        flat += event if isinstance(event, list | tuple) else [event]  # type: ignore[list-item]
    return replayed(TEAMS, LENGTHS, flat)


FIRST = Begun(tossup=1)


@pytest.mark.parametrize(("words", "points"), [(1, 15), (5, 15), (6, 10), (10, 10)])
def test_a_right_answer_is_worth_more_early(words: int, points: int) -> None:
    match = state(FIRST, read(words), buzz("owls"), ruled("owls", True))
    assert match.scores() == {"owls": points, "jays": 0, "bot": 0}
    assert match.current is not None
    assert match.current.over


@pytest.mark.parametrize(("words", "points"), [(1, -5), (9, -5), (10, 0)])
def test_a_wrong_answer_costs_whoever_interrupts(words: int, points: int) -> None:
    match = state(FIRST, read(words), buzz("owls"), ruled("owls", False))
    assert match.scores()["owls"] == points
    assert match.current is not None
    assert not match.current.over


def test_only_the_first_that_interrupts_wrongly_pays() -> None:
    match = state(
        *(FIRST, read(2), buzz("owls"), ruled("owls", False), buzz("jays"), ruled("jays", False)),
        *(read(7, since=2), buzz("bot"), ruled("bot", True)),
    )
    assert match.scores() == {"owls": -5, "jays": 0, "bot": 10}
    assert match.tally()["jays"] == {Outcome.WRONG: 1}


def test_other_points_and_no_power() -> None:
    scoring = Scoring(power=20, correct=7, interrupt=-2, power_share=0)
    events = [FIRST, *read(1), buzz("jays"), ruled("jays", False), buzz("owls"), ruled("owls", True)]
    assert replayed(TEAMS, LENGTHS, events, scoring).scores() == {"owls": 7, "jays": -2, "bot": 0}


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_of_words_is_one(share: float) -> None:
    with pytest.raises(InvalidInput):
        Scoring(power_share=share)


REFUSALS: dict[str, tuple[list[Event], Event]] = {
    "a buzz before the first word": ([FIRST], buzz("owls")),
    "a buzz before the first tossup": ([], buzz("owls")),
    "a second buzz at the same time": ([FIRST, *read(3), buzz("owls")], buzz("jays")),
    "a team's second buzz": ([FIRST, *read(3), buzz("owls"), ruled("owls", False)], buzz("owls")),
    "a buzz after a right answer": ([FIRST, *read(3), buzz("owls"), ruled("owls", True)], buzz("jays")),
    "a buzz on a tossup that is over": (
        [FIRST, *read(3), Closed(tossup=1), Begun(tossup=2), *read(1, 2)],
        buzz("jays"),
    ),
    "a stranger's buzz": ([FIRST, *read(3)], buzz("crows")),
    "reading on while somebody has the floor": ([FIRST, *read(3), buzz("owls")], Read(tossup=1, words=4)),
    "reading a word twice": ([FIRST, *read(3)], Read(tossup=1, words=3)),
    "leaving a word out": ([FIRST, *read(3)], Read(tossup=1, words=5)),
    "reading beyond the end": ([FIRST, *read(10)], Read(tossup=1, words=11)),
    "reading what is over": ([FIRST, *read(3), Closed(tossup=1)], Read(tossup=1, words=4)),
    "a ruling on nothing": ([FIRST, *read(3)], ruled("owls", True)),
    "two right answers": (
        [FIRST, *read(3), buzz("owls"), ruled("owls", False), buzz("jays"), ruled("jays", True)],
        ruled("owls", True),
    ),
    "an answer without the floor": ([FIRST, *read(3), buzz("owls")], Answered(tossup=1, team="jays", answer="Loom")),
    "closing over an answer": ([FIRST, *read(3), buzz("owls")], Closed(tossup=1)),
    "closing twice": ([FIRST, *read(3), Closed(tossup=1)], Closed(tossup=1)),
    "the next tossup too early": ([FIRST, *read(3)], Begun(tossup=2)),
    "a tossup left out": ([], Begun(tossup=2)),
    "a tossup more than there are": ([FIRST, Closed(tossup=1), Begun(tossup=2), Closed(tossup=2)], Begun(tossup=3)),
    "ending in the middle": ([FIRST, *read(3)], Ended()),
    "going on after the end": ([FIRST, Closed(tossup=1), Ended()], Begun(tossup=2)),
    "ending twice": ([Ended()], Ended()),
    "a protest against nothing": ([FIRST, *read(3)], Protested(tossup=1, team="owls", against="jays", reason="?")),
    "a protest about the future": ([FIRST], Protested(tossup=2, team="owls", against="jays", reason="?")),
    "settling what nobody protests": (
        [FIRST, *read(3), buzz("owls"), ruled("owls", False)],
        Settled(tossup=1, against="owls", correct=True),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_happen_is_refused_and_changes_nothing(name: str) -> None:
    before, event = REFUSALS[name]
    match = state(before)
    with pytest.raises((Refused, InvalidInput)):
        match.after(event)
    assert match == state(before)


def test_a_ruling_is_taken_back() -> None:
    wrong = state(FIRST, read(3), buzz("owls"), ruled("owls", False))
    assert wrong.after(ruled("owls", True)).scores()["owls"] == 15
    later = state(FIRST, read(3), buzz("owls"), ruled("owls", True), Begun(tossup=2), ruled("owls", False))
    assert later.scores()["owls"] == -5


def test_an_upheld_protest_undoes_what_came_after_the_answer() -> None:
    protest = Protested(tossup=1, team="owls", against="owls", reason="It has two names.")
    match = state(
        *(FIRST, read(6), buzz("owls"), ruled("owls", False), read(8, since=6), buzz("jays"), ruled("jays", True)),
        *(protest, Begun(tossup=2), Closed(tossup=2), Ended()),
    )
    assert match.scores() == {"owls": -5, "jays": 10, "bot": 0}
    upheld = match.after(Settled(tossup=1, against="owls", correct=True))
    assert upheld.scores() == {"owls": 10, "jays": 0, "bot": 0}
    denied = match.after(Settled(tossup=1, against="owls", correct=False))
    assert denied.scores() == match.scores()
    with pytest.raises(Refused):
        denied.after(Settled(tossup=1, against="owls", correct=True))


EVENTS = st.one_of(
    st.builds(Begun, tossup=st.integers(1, 3)),
    st.builds(Read, tossup=st.integers(1, 2), words=st.integers(1, 11)),
    st.builds(Buzzed, tossup=st.integers(1, 2), team=st.sampled_from([*TEAMS, "crows"]), player=st.just("p")),
    st.builds(Ruled, tossup=st.integers(1, 2), team=st.sampled_from(TEAMS), correct=st.booleans()),
    st.builds(Closed, tossup=st.integers(1, 2)),
    st.builds(
        Protested,
        tossup=st.integers(1, 2),
        team=st.sampled_from(TEAMS),
        against=st.sampled_from(TEAMS),
        reason=st.just("?"),
    ),
    st.builds(Settled, tossup=st.integers(1, 2), against=st.sampled_from(TEAMS), correct=st.booleans()),
)


@given(st.lists(EVENTS, max_size=60))
def test_scores_are_what_an_independent_count_of_the_log_gives(attempted: list[Event]) -> None:
    match, log = replayed(TEAMS, LENGTHS, []), list[Event]()
    for event in attempted:
        try:
            match = match.after(event)
        except (Refused, InvalidInput):
            continue
        log.append(event)
    assert match.scores() == recount(TEAMS, LENGTHS, log, Scoring())
    assert replayed(TEAMS, LENGTHS, log) == match
    for tossup in match.tossups:
        assert len({each.team for each in tossup.buzzes}) == len(tossup.buzzes)
        assert sum(each.ruling is True for each in tossup.buzzes) <= 1
