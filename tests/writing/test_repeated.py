"""A question that was asked before about a passage is refused, whoever asked it, and uses up no try."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.workforce import Workforce
from beat_the_ai.writing import HitState, WritingDesk
from tests.store.builders import at_once
from tests.writing.fakes import PASSAGE, RIGHT, WRONG, CentsPerWin, FakeModel, new_desk, offer_hits, payload

QUESTION = "When did Rome fall?"


def ask(desk: WritingDesk, assignment_id: str, key: str, question: str = QUESTION) -> tuple[Attempt, HitState]:
    return desk.submit(assignment_id, key, PASSAGE.id, payload(question))


def refused(desk: WritingDesk, assignment_id: str, key: str, question: str = QUESTION) -> str:
    tries = desk.state(assignment_id).tries_left
    with pytest.raises(InvalidInput) as caught:
        ask(desk, assignment_id, key, question)
    assert caught.value.field == "question"
    assert desk.state(assignment_id).tries_left == tries
    return str(caught.value)


@pytest.fixture
def two(store: Store) -> tuple[WritingDesk, str, str]:
    """A desk and the assignments of two workers on the same passage."""
    desk = new_desk(store)
    first, second = offer_hits(store, slots=2)
    return desk, desk.accept(first, "w1", "r1")[0].id, desk.accept(second, "w2", "r2")[0].id


@pytest.mark.parametrize(
    "again",
    [
        QUESTION,
        "when did rome FALL",
        "  When  did\u00a0Rome fall ?!",
        "When did Rome f all?",
        "\uff37hen did Rome fall?",
        "When did Rome fall? ~`|+=^$<>",
    ],
)
def test_the_same_in_other_letters_spaces_or_punctuation_is_the_same(
    two: tuple[WritingDesk, str, str], again: str
) -> None:
    desk, mine, _ = two
    ask(desk, mine, "k1")
    assert "asked about this passage already" in refused(desk, mine, "k2", again)


@pytest.mark.parametrize("other", ["When did Rome fall and why?", "Why did Rome fall?", "When did Rome fall in 476?"])
def test_another_question_is_another_one(two: tuple[WritingDesk, str, str], other: str) -> None:
    desk, mine, _ = two
    ask(desk, mine, "k1")
    assert ask(desk, mine, "k2", other)[0].ordinal == 2


def test_the_model_is_not_asked_and_nobody_is_named(store: Store, two: tuple[WritingDesk, str, str]) -> None:
    _, mine, theirs = two
    model = FakeModel(WRONG, RIGHT)
    desk = new_desk(store, model)
    ask(desk, mine, "k1")
    assert refused(desk, theirs, "k1") == refused(desk, mine, "k2")
    assert len(model.asked) == 1


def test_another_answer_makes_no_other_question(two: tuple[WritingDesk, str, str]) -> None:
    desk, mine, _ = two
    ask(desk, mine, "k1")
    with pytest.raises(InvalidInput, match="asked about this passage already"):
        desk.submit(mine, "k2", PASSAGE.id, payload(text="Rome", start=0))


def test_it_may_be_asked_about_another_passage_and_in_another_campaign(store: Store) -> None:
    desk = new_desk(store)
    [hit] = offer_hits(store)
    other = Context("rome/1", PASSAGE.text, "Rome")
    [elsewhere] = store.campaigns.offer("pilot", [other], round_number=1, slots=1)
    store.campaigns.create(Campaign("second", "reading_comprehension", 7, "k" * 64, {}, now()))
    [later] = store.campaigns.offer("second", [PASSAGE], round_number=1, slots=1)
    made = [
        desk.submit(desk.accept(hit_id, "w1", f"r{number}")[0].id, "k1", context_id, payload())[0]
        for number, (hit_id, context_id) in enumerate([(hit, PASSAGE.id), (elsewhere, other.id), (later, PASSAGE.id)])
    ]
    assert [attempt.fooled for attempt in made] == [True, True, True]


def test_the_same_key_again_still_gets_the_stored_verdict(two: tuple[WritingDesk, str, str]) -> None:
    desk, mine, _ = two
    made, _ = ask(desk, mine, "k1")
    assert ask(desk, mine, "k1")[0] == made


def test_ones_own_question_stays_asked_when_it_is_taken_back(two: tuple[WritingDesk, str, str]) -> None:
    """Its verdict is known."""
    desk, mine, theirs = two
    made, _ = ask(desk, mine, "k1")
    desk.retract(mine, made.id)
    refused(desk, mine, "k2")
    assert ask(desk, theirs, "k1")[0].fooled


def test_what_was_discarded_with_its_writer_keeps_nobody_from_asking(
    store: Store, two: tuple[WritingDesk, str, str]
) -> None:
    desk, mine, theirs = two
    ask(desk, mine, "k1")
    refused(desk, theirs, "k1")
    Workforce(BoundCampaign.open(store, "pilot")).revoke("w1", "reviewer", "copies")
    assert ask(desk, theirs, "k1")[0].fooled


def test_whoever_has_a_hit_that_was_given_up_may_ask_what_was_asked_there(store: Store) -> None:
    desk = new_desk(store)
    [hit] = offer_hits(store)
    ask(desk, desk.accept(hit, "w1", "r1")[0].id, "k1")
    second = desk.accept(hit, "w2", "r2")[0].id
    assert ask(desk, second, "k1")[0].fooled
    desk.finish(second)


def test_of_two_who_ask_the_same_at_once_one_is_refused(store_url: str) -> None:
    """Over two operators, so that neither knows of the other but by the store."""
    stores = [open_store(store_url), open_store(store_url)]
    hits = offer_hits(stores[0], slots=8)
    for number in range(4):
        desks = [new_desk(store) for store in stores]
        pair = hits[2 * number : 2 * number + 2]
        mine = [desk.accept(hit, f"w{hit}", f"r{hit}")[0].id for desk, hit in zip(desks, pair, strict=True)]

        def submit(which: int, number: int = number, desks: list[WritingDesk] = desks, mine: list[str] = mine) -> str:
            try:
                ask(desks[which], mine[which], "k1", f"When did Rome fall to {number}?")
            except InvalidInput as error:
                return str(error)
            return "judged"

        told = at_once(2, submit)
        assert sorted(one == "judged" for one in told) == [False, True], told
    attempts = [row.attempt for row in stores[0].attempts.of_campaign("pilot")]
    assert len(attempts) == len({attempt.fingerprint for attempt in attempts}) == 4
    for store in stores:
        store.close()


def test_a_bonus_is_earned_once_a_question(two: tuple[WritingDesk, str, str]) -> None:
    desk = new_desk(two[0].store, outlook=CentsPerWin(15))
    ask(desk, two[1], "k1")
    for again in ("k2", "k3"):
        refused(desk, two[1], again)
        refused(desk, two[2], again)
    assert [desk.state(mine).prospect.cents for mine in two[1:]] == [15, 0]


def test_where_all_write_on_one_passage_each_is_compared_with_themselves_alone(store: Store) -> None:
    desk = WritingDesk(store, ReadingComprehension(), FakeModel(), Terms(), each_alone=True)
    first, second = offer_hits(store, slots=2)
    mine, theirs = desk.accept(first, "w1", "r1")[0].id, desk.accept(second, "w2", "r2")[0].id
    ask(desk, mine, "k1")
    ask(desk, theirs, "k1")
    refused(desk, mine, "k2")
