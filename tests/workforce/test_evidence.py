"""Signs of cheating: what each finds, what it leaves alone, and that nothing is done about it."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.store import Store, Telemetry
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Signs, evidence_for
from beat_the_ai.workforce.evidence import Entry, copied_context, gibberish, typing, unfinished
from beat_the_ai.workforce.likeness import Likeness
from beat_the_ai.workforce.spelling import Spelling
from beat_the_ai.workforce.tokens import tokens
from tests.reading_comprehension import WORDS
from tests.store.builders import NEW_YEAR, attempt
from tests.workforce.builders import offer
from tests.workforce.copies import copies_among

SAMPLE = Path(__file__).parents[2] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
PASSAGE = (
    "The old lighthouse on Gull Rock was built by two brothers from the village in 1871. Its lamp burned whale oil "
    "until the harbour master bought a cheaper one in Bergen. Storms took the stairs twice, and each winter the keeper "
    "wrote down every ship that passed. His daughter later found those books in the cellar, dry and complete."
)
HONEST = (
    "Who put up the tower near the harbour?",
    "What fuel was used before the replacement came?",
    "Where did the less expensive light come from?",
    "What did the girl discover below the house?",
)


def question(text: str, number: int = 1, worker: str = "A1", context: str = "c1", answer: str = "oil") -> Entry:
    return Entry(f"q{number}", worker, context, text, answer)


def test_near_copies_are_told_apart_by_whose_they_are() -> None:
    questions = [
        question("What fuel was used before the replacement came?", 1, "A1", "c1", "whale oil"),
        question("What fuel was used before the replacement arrived", 2, "A1", "c2", "coal"),
        question("what fuel was used, before the replacement came?", 3, "A2", "c1", "Whale oil"),
        question("What fuel was used before the replacement came?", 4, "A3", "c9", "gas"),
        question("Which fuel did the keeper prefer?", 5, "A4", "c1", "whale oil"),
    ]
    found = copies_among(questions, WORDS)
    assert {name: {(item.kind, item.other) for item in items} for name, items in found.items()} == {
        "q2": {("repeats_own", "q1")},
        "q3": {("copies_account", "q1"), ("repeats_other", "q2")},
        "q4": {("repeats_other", "q1")},
    }
    assert found["q3"][0].strength == 1.0
    assert "“What fuel was used before the replacement came?”" in found["q3"][0].detail


def test_common_phrases_alone_make_nothing_alike() -> None:
    names = ["lamp", "keeper", "harbour", "village", "winter", "daughter", "cellar", "book", "storm", "ship"]
    questions = [question(f"What is the name of the {name}?", number) for number, name in enumerate(names)]
    assert copies_among(questions, WORDS) == {}


VOCABULARY = ("when", "what", "who", "the", "of", "in", "was", "built", "lamp", "oil", "ship", "keeper", "storm")
words = st.lists(st.sampled_from(VOCABULARY), max_size=8)


@given(st.lists(words, min_size=1, max_size=12), st.sampled_from([0.3, 0.6, 0.9]))
def test_the_search_finds_what_comparing_every_pair_finds(texts: list[list[str]], threshold: float) -> None:
    likeness = Likeness([" ".join(text) for text in texts])
    everything = likeness.like(len(texts) - 1, 1e-12)
    for other, similarity in likeness.like(len(texts) - 1, threshold):
        assert similarity >= threshold
        assert (other, similarity) in everything
    above = {other for other, similarity in everything if similarity >= threshold}
    assert {other for other, _ in likeness.like(len(texts) - 1, threshold)} == above


def test_likeness_is_the_weighted_jaccard_similarity() -> None:
    """Two words and a pair each; one word is shared: weights log(1 + 2/2) and log(1 + 2/1)."""
    common, rare = 0.6931471805599453, 1.0986122886681098
    [(other, similarity)] = Likeness(["red ship", "red lamp"]).like(1, 0.01)
    assert other == 0
    assert similarity == pytest.approx(common / (common + 4 * rare))


def test_a_stretch_of_the_passage_is_no_question_of_ones_own() -> None:
    [item] = copied_context(question("Until the harbour master bought a cheaper one in Bergen, what?"), PASSAGE, WORDS)
    assert item.kind == "copies_context"
    assert item.strength == pytest.approx(10 / 11)
    for text in HONEST:
        assert list(copied_context(question(text), PASSAGE, WORDS)) == []


def test_gibberish_is_told_from_words_and_from_names_in_the_passage() -> None:
    passages = [context.text for context in ReadingComprehension().load_contexts(SAMPLE)]
    spelling = Spelling.of(passages)
    rng = random.Random(1)
    mashed = [
        " ".join("".join(rng.choices("asdfghjklqwzxcvbnm", k=rng.randint(4, 9))) for _ in range(5)) + "?"
        for _ in range(50)
    ]
    caught = [text for text in mashed if list(gibberish(question(text), PASSAGE, spelling))]
    assert len(caught) >= 45
    for text in (*HONEST, "Xqzvwk?", "1871 or 1872?"):
        assert list(gibberish(question(text), f"{PASSAGE} Xqzvwk.", spelling)) == []


def test_gibberish_needs_enough_passages_to_compare_with() -> None:
    assert list(gibberish(question("asdfghjkl qwertz"), "", Spelling.of([PASSAGE]))) == []


@pytest.mark.parametrize(
    ("telemetry", "kinds"),
    [
        (Telemetry(0, 0, 45, 20.0, 1.0), []),
        (Telemetry(1, 40, 2, 20.0, 1.0), ["pasted"]),
        (Telemetry(1, 4, 40, 20.0, 1.0), []),
        (Telemetry(0, 0, 3, 20.0, 1.0), ["hardly_typed"]),
        (Telemetry(1, 40, 0, 0.5, None), ["pasted", "fast"]),
        (Telemetry(0, 0, 45, 1.0, 0.1), ["fast"]),
        (None, []),
    ],
)
def test_typing_tells_pasted_and_hasty_questions(telemetry: Telemetry | None, kinds: list[str]) -> None:
    found = list(typing(question("What fuel was used before the lamp was new?"), telemetry, WORDS))
    assert [item.kind for item in found] == kinds
    assert all(0 < item.strength <= 1 for item in found)


def test_evidence_of_hits_is_gathered_from_the_whole_campaign(store: Store) -> None:
    first, second, third = offer(store, 3)
    asked = [
        (first, "A1", "What fell in the year 476 for good?", 0),
        (second, "A2", "What fell in the year 476, for good?", 5),
        (third, "A3", "Quite another thing, was it not?", 9),
    ]
    made = {}
    for hit, worker, text, minute in asked:
        assignment = store.attempts.accept(hit, worker, f"r-{worker}", NEW_YEAR)[0]
        one = attempt(assignment.id, 1, created_at=NEW_YEAR + timedelta(minutes=minute))
        store.attempts.add(replace(one, work={**one.work, "question": text}), Telemetry(1, 99, 0, 60.0))
        made[worker] = assignment.id
    found = evidence_for(BoundCampaign.open(store, "pilot"), {made["A2"], made["A3"]})
    assert {name: [item.kind for item in items] for name, items in found.items()} == {
        made["A2"]: ["copies_account", "pasted"],
        made["A3"]: ["pasted"],
    }
    assert (
        evidence_for(BoundCampaign.open(store, "pilot"), {made["A1"]})[made["A1"]][0].kind == "pasted"
    )  # the first copies nobody
    assert store.reviews.of_campaign("pilot") == []
    assert store.standings.history("pilot") == []


def test_who_asks_again_and_again_learns_the_same_as_who_reads_everything(store: Store) -> None:
    """Attempts may become readable in another order than that in which they were made."""
    hits = offer(store, 12)
    rng, signs, made = random.Random(3), Signs(BoundCampaign.open(store, "pilot")), list[str]()
    for number, hit in enumerate(hits):
        assignment = store.attempts.accept(hit, f"A{number % 5}", f"r-{number}", NEW_YEAR)[0].id
        for ordinal in range(1, 4):
            at = NEW_YEAR + timedelta(minutes=number + rng.randint(-9, 9), seconds=ordinal)
            one = attempt(assignment, ordinal, created_at=at)
            text = f"{rng.choice(HONEST)} {rng.choice(('', 'really', 'in the end'))}"
            store.attempts.add(replace(one, work={**one.work, "question": text}))
        store.assignments.submit(assignment, None, NEW_YEAR + timedelta(hours=1))
        made.append(assignment)
        assert signs.of(made) == evidence_for(BoundCampaign.open(store, "pilot"), made)
    kinds = {item.kind for items in signs.of(made).values() for item in items}
    assert {"repeats_own", "copies_account"} <= kinds


def test_texts_that_are_added_one_by_one_are_found_as_those_added_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beat_the_ai.workforce.likeness.LATELY", 20)
    rng = random.Random(5)
    texts = [" ".join(rng.choices(VOCABULARY, k=6)) for _ in range(60)]
    grown = Likeness()
    for number, text in enumerate(texts, start=1):
        grown.add([text])
        whole = Likeness(texts[:number])
        assert grown.like(number - 1, 0.4) == whole.like(number - 1, 0.4)


def test_tokens_know_no_case_and_no_punctuation() -> None:
    assert tokens("Who’s THERE, in 1871?") == ["who", "s", "there", "in", "1871"]


def test_a_hit_without_a_question_and_one_that_nobody_could_read_so_fast_are_evidence(store: Store) -> None:
    slow, empty, fast = offer(store, 3)
    taken = [store.attempts.accept(hit, "A1", f"r-{hit}", NEW_YEAR)[0].id for hit in (slow, empty, fast)]
    for assignment_id in (taken[0], taken[2]):
        for number in range(1, 6):
            store.attempts.add(attempt(assignment_id, number))
    for assignment_id, seconds in zip(taken, (1200, 2, 3), strict=True):
        store.assignments.submit(assignment_id, None, NEW_YEAR + timedelta(seconds=seconds))
    found = evidence_for(BoundCampaign.open(store, "pilot"), set(taken))
    of_hit = [[(item.kind, item.detail) for item in found[one] if item.attempt_id is None] for one in taken]
    assert of_hit[:2] == [[], [("empty", "handed in after 2 s without a question")]]
    [(kind, detail)] = of_hit[2]
    assert (kind, detail.startswith("5 questions on a passage of"), detail.endswith("within 3 s")) == (
        "rushed",
        True,
        True,
    )


@pytest.mark.parametrize(("text", "signs"), [("Who built the", 1), ("Who built it?", 0), ("Name the river.", 0)])
def test_a_question_that_breaks_off_is_a_sign(text: str, signs: int) -> None:
    assert len(list(unfinished(question(text)))) == signs
