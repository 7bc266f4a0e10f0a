"""Letters to the requester, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.store import Letter, LetterAnswer, Store
from beat_the_ai.store.letters import MOST_A_DAY, MOST_OPEN
from tests.store.builders import NEW_YEAR, accepted, at_once, campaign


def letter(name: str = "a", kind: str = "message", subject: str = "", worker: str = "w1") -> Letter:
    return Letter(name, "pilot", worker, kind, subject, f"Text {name}", NEW_YEAR, NEW_YEAR + timedelta(days=7))


def answer(letter: Letter, *, upheld: bool | None = None) -> LetterAnswer:
    return LetterAnswer("ann", f"About {letter.id}", upheld, NEW_YEAR + timedelta(days=1))


def test_a_letter_is_kept_once_and_answered_once(store: Store) -> None:
    store.campaigns.create(campaign())
    first = store.letters.write(letter())
    assert store.letters.write(replace(letter(), text="another")) == first
    assert store.letters.waiting("pilot") == [first]
    answered = store.letters.answer(first, answer(first))
    assert answered.is_open
    with pytest.raises(Refused):
        store.letters.answer(first, answer(first))
    done = store.letters.finish(answered, NEW_YEAR, told=True)
    assert not done.is_open
    assert store.letters.waiting("pilot") == []
    assert store.letters.of_worker("pilot", "w1") == store.letters.of_campaign("pilot") == [done]
    assert done.answer == LetterAnswer("ann", "About a", None, NEW_YEAR + timedelta(days=1), NEW_YEAR, told=True)
    with pytest.raises(UnknownName):
        store.letters.get("pilot", "b")


def test_one_appeal_is_about_a_thing_however_many_are_sent_at_once(store: Store) -> None:
    store.campaigns.create(campaign())

    def appeal(number: int) -> str:
        try:
            return store.letters.write(letter(f"n{number}", "rejection", "hit")).text[:4]
        except Refused as refused:
            return str(refused)

    assert sorted(at_once(6, appeal)) == ["Text", *[said("elsewhere.letters.appealed")] * 5]
    store.letters.write(letter("other", "rejection", "another hit"))
    [first, _] = store.letters.waiting("pilot")
    assert not store.letters.is_upheld("pilot", "rejection", "hit")
    store.letters.answer(first, answer(first, upheld=True))
    assert store.letters.is_upheld("pilot", first.kind, first.subject)


def test_a_worker_may_not_write_without_end(store: Store) -> None:
    store.campaigns.create(campaign())
    for number in range(MOST_OPEN):
        store.letters.write(letter(f"n{number}"))
    with pytest.raises(Refused, match=said("elsewhere.letters.open", count=MOST_OPEN)):
        store.letters.write(letter("more"))
    store.letters.write(letter("others", worker="w2"))
    store.letters.write(letter("appeal", "standing", "1"))
    for number in range(MOST_OPEN, MOST_A_DAY):
        first = next(one for one in store.letters.waiting("pilot") if one.id.startswith("n"))
        store.letters.finish(store.letters.answer(first, answer(first)), NEW_YEAR, told=False)
        store.letters.write(letter(f"n{number}"))
    first = next(one for one in store.letters.waiting("pilot") if one.id.startswith("n"))
    store.letters.answer(first, answer(first))
    with pytest.raises(Refused, match=said("elsewhere.letters.a_day", count=MOST_A_DAY)):
        store.letters.write(letter("more"))
    store.letters.write(replace(letter("tomorrow"), at=NEW_YEAR + timedelta(days=1)))


def test_only_those_who_did_something_are_known(store: Store) -> None:
    accepted(store)
    store.standings.add("pilot", "w2", "revoked", by="ann", reason="why", at=NEW_YEAR)
    assert [store.letters.is_known("pilot", name) for name in ("w1", "w2", "w3")] == [True, True, False]


def test_the_last_address_counts(store: Store) -> None:
    store.campaigns.create(campaign())
    assert store.letters.address("pilot") is None
    for address in ("http://one", "http://two"):
        store.letters.keep_address("pilot", address)
    assert store.letters.address("pilot") == "http://two"


def test_letters_go_with_their_writer(store: Store) -> None:
    store.campaigns.create(campaign())
    for worker in ("w1", "w2"):
        one = store.letters.write(letter(worker, worker=worker))
        store.letters.answer(one, answer(one))
        store.audit.add(NEW_YEAR, "ann", "answer", one.id, f"to {worker}")
    assert store.erasure.holdings("w1").rows == {"letters": 1, "letter_answers": 1}
    assert store.erasure.erase("w1", "gone-0000000000000000", NEW_YEAR)
    [left] = store.letters.of_campaign("pilot")
    assert left.worker == "w2"
    assert left.answer is not None
    assert "w1" not in [entry.subject for entry in store.audit.entries(None, 10)]
