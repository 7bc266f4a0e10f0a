"""Language models as players of Quizbowl: asked after each sentence, understood by any name of the answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.responses import Response

from beat_the_ai.adversary.budget import most_microcents
from beat_the_ai.adversary.protocol import LoadOptions, NoAnswer
from beat_the_ai.adversary.registry import QUIZBOWL, open_adversary, open_streams
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.kinds.quizbowl.backends.openai import Beginning
from beat_the_ai.kinds.quizbowl.guesses import MOST_STRETCHES, Prediction, Query, stretches
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from tests.adversary.fakes import PATIENCE_SECONDS
from tests.kinds.quizbowl.questions import LOOM, PIECE
from tests.language_models.chat_server import ChatServer, body, dies, status
from tests.language_models.injections import INJECTIONS, check_is_data

PRICES = "cents_per_million_tokens_in=1000&cents_per_million_tokens_out=10000"
COST_MICROCENTS = 200_000  # of the 100 tokens in and 10 out that the server tells
SENTENCES = 4


def spec(chat: ChatServer, settings: str = "seed=3") -> str:
    return f"openai:{chat.address}?{settings}#tiny"


def loaded(chat: ChatServer, settings: str = "seed=3") -> Any:
    return open_adversary(spec(chat, settings), QUIZBOWL, LoadOptions())


def said(guesses: Mapping[str, float]) -> str:
    return json.dumps({"guesses": [{"answer": name, "confidence": sure} for name, sure in guesses.items()]})


def knows_from(beginning: str, name: str) -> Any:
    """Once the question says so much; before that it is a plough."""
    return lambda data: said({name if beginning in data["question"] else "Plough": 0.6, "Spinning wheel": 0.2})


def predicted(chat: ChatServer, name: str, query: Query) -> Prediction:
    chat.answer = lambda data: said({name: 0.5})
    [prediction] = loaded(chat).predict([query])
    assert isinstance(prediction, Prediction)
    return prediction


def test_it_is_asked_after_each_sentence_about_what_was_read_so_far(chat: ChatServer) -> None:
    chat.answer = knows_from("punched cards", "Loom")
    player = loaded(chat)
    tried = len(chat.requests)
    [prediction] = player.predict([Query(text=LOOM, answer="Loom")])
    asked = [json.loads(request["messages"][-1]["content"])["question"] for request in chat.requests[tried:]]
    assert sorted(asked, key=len) == [LOOM[: place.end] for place in stretches(LOOM)]
    assert len(asked) == SENTENCES
    words = [len(text.split()) for text in sorted(asked, key=len)]
    assert [(turn.word, turn.page) for turn in prediction.turns] == [(words[0], "Plough"), (words[1], "Loom")]
    assert prediction.right_from("Loom") == words[1]
    assert prediction.confidences == [0.0] * (words[0] - 1) + [0.6] * (len(LOOM.split()) - words[0] + 1)
    assert [(guess.page, guess.confidence) for guess in prediction.guesses] == [("Loom", 0.6), ("Spinning_wheel", 0.2)]
    assert (prediction.rank, prediction.saliency, prediction.evidence) == (1, [], [])


@pytest.mark.parametrize(
    ("name", "answer", "names", "page"),
    [
        ("the loom", "Loom", [], "Loom"),
        ("Power loom", "Loom", ["Loom", "Power-loom"], "Loom"),
        ("Loom (weaving)", "Loom", [], "Loom"),
        ("Emma", "Emma_(novel)", [], "Emma_(novel)"),
        ("Emma (novel)", "Emma_(novel)", [], "Emma_(novel)"),
        ("Emma (film)", "Emma_(novel)", [], "Emma_(film)"),
        ("EMILE, or on education", "Émile_(book)", ["Émile", "Emile, or On Education"], "Émile_(book)"),
        ("Schindlers List", "Schindler's_List", [], "Schindler's_List"),
        ("Schindler's Litst", "Schindler's_List", [], "Schindler's_Litst"),
        ("Schindlrr's List", "Schindler's_List", [], "Schindler's_List"),
        ("Loom of Life", "Loom", [], "Loom_of_Life"),
        ("...", "!!!", [], "..."),
    ],
)
def test_any_name_of_the_answer_stands_for_it(
    chat: ChatServer, name: str, answer: str, names: list[str], page: str
) -> None:
    prediction = predicted(chat, name, Query(text="A question.", answer=answer, names=names))
    assert [guess.page for guess in prediction.guesses] == [page]
    assert prediction.rank == (1 if page == answer else None)


def test_two_names_of_the_answer_are_one_guess(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Loom": 0.4, "Plough": 0.3, "Weaving loom": 0.2})
    [prediction] = loaded(chat).predict([Query(text=LOOM, answer="Loom", names=["Weaving loom"])])
    assert [(guess.page, round(guess.confidence, 6)) for guess in prediction.guesses] == [
        ("Loom", 0.6),
        ("Plough", 0.3),
    ]


def test_writers_are_judged_by_all_names_of_their_answer(chat: ChatServer) -> None:
    """Only where the model does not know it by any of them, or learns it too late."""
    writing = QuestionWriting()
    query = writing.query(Work(text=LOOM, answer="Loom"), PIECE)
    assert not writing.judge(Work(text=LOOM, answer="Loom"), predicted(chat, "power loom", query), PIECE).fooled
    assert writing.judge(Work(text=LOOM, answer="Loom"), predicted(chat, "Plough", query), PIECE).fooled


@pytest.mark.parametrize(("learnt_at", "fooled"), [(11, False), (68, False), (69, True), (91, True)])
def test_a_long_last_sentence_is_no_free_win(chat: ChatServer, learnt_at: int, fooled: bool) -> None:
    """91 words, of which the first nine make two sentences: what counts is who is right after three quarters."""
    rest = " ".join(f"w{number}" for number in range(10, 92))
    text = f"Name this thing now. It is a small device. {rest}"
    words = text.split()
    chat.answer = lambda data: said({("Loom" if len(data["question"].split()) >= learnt_at else "Plough"): 0.5})
    writing, work = QuestionWriting(), Work(text=text, answer="Loom")
    [prediction] = loaded(chat).predict([writing.query(work, PIECE)])
    assert len(words) == 91
    assert writing.judge(work, prediction, PIECE).fooled is fooled


def test_the_surest_guess_is_the_best_when_names_of_the_answer_are_added_up(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 0.4, "Loom": 0.35, "Weaving loom": 0.25})
    [prediction] = loaded(chat).predict([Query(text=LOOM, answer="Loom", names=["Weaving loom"])])
    assert [guess.page for guess in prediction.guesses] == ["Loom", "Plough"]
    assert prediction.rank == 1


@pytest.mark.parametrize(
    ("answer", "guesses"),
    [
        ('{"guesses": []}', []),
        (said({"Loom": 7, "Plough": -1}), [("Loom", 1.0), ("Plough", 0.0)]),
        (said({"Loom": 0.9, "Plough": 0.9}), [("Loom", 0.5), ("Plough", 0.5)]),
        (said({"Loom": 75, "Plough": 25}), [("Loom", 0.75), ("Plough", 0.25)]),
        (said({"": 1, "\u0000\n": 1, "Loom": 0.5}), [("Loom", 0.5)]),
        (said(dict.fromkeys("ABCDEFG", 0.1)), [(name, 0.1) for name in "ABCDE"]),
        (f"I think: ```{said({'Loom': 1})}```", [("Loom", 1.0)]),
    ],
)
def test_whatever_it_says_becomes_guesses_with_confidences(
    chat: ChatServer, answer: str, guesses: list[tuple[str, float]]
) -> None:
    chat.answer = lambda data: answer
    [prediction] = loaded(chat).predict([Query(text="One. Two.", answer="Loom")])
    assert [(guess.page, guess.confidence) for guess in prediction.guesses] == guesses


@pytest.mark.parametrize("answer", ["Loom", '{"guesses": [{"answer": "Loom"}]}', '{"guesses": [], "winner": "writer"}'])
def test_what_is_no_answer_as_asked_is_refused(chat: ChatServer, answer: str) -> None:
    chat.answer = lambda data: answer
    with pytest.raises(AdversaryError, match="no JSON object with guesses"):
        loaded(chat)


@pytest.mark.parametrize("text", INJECTIONS)
def test_what_people_wrote_reaches_the_player_as_data_that_no_text_leaves(chat: ChatServer, text: str) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    player = loaded(chat)
    for stretch in stretches(text):
        beginning = text[: stretch.end]
        [prediction] = player.predict([Query(text=beginning, answer="Loom")])
        check_is_data(chat, Beginning(question=beginning))
        assert prediction.rank is None


def test_a_draft_costs_what_is_new_in_it_whichever_stream_answers(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    streams: list[Any] = open_streams(spec(chat, PRICES), QUIZBOWL, LoadOptions(streams=2))
    first, second, *_ = streams
    first.predict([Query(text="One. Two.", answer="Loom")])
    assert first.microcents == 2 * COST_MICROCENTS
    second.predict([Query(text="One. Two. Three.", answer="Loom")])
    assert second.microcents == COST_MICROCENTS
    second.predict([Query(text="One. Two. ", answer="Kiln")])
    assert second.microcents == 0


def test_what_was_answered_before_a_failure_is_kept_and_counted(chat: ChatServer) -> None:
    """A server that was busy with one sentence has been paid for the others: nobody may say that it cost nothing."""
    chat.answer = lambda data: said({"Plough": 1})
    player = loaded(chat, PRICES)
    answered = threading.Event()

    async def busy_in_the_end() -> Response:
        await asyncio.to_thread(answered.wait, PATIENCE_SECONDS)
        return Response("", 429, {"Retry-After": "60"})

    def answer(data: dict[str, str]) -> str:
        answered.set()
        return said({"Plough": 1})

    chat.answer = answer
    chat.troubles += [busy_in_the_end]
    with pytest.raises(AdversaryError, match="Some of a question was answered") as raised:
        player.predict([Query(text=LOOM, answer="Loom")])
    assert not isinstance(raised.value, AdversaryBusy)
    assert 0 < player.microcents < SENTENCES * COST_MICROCENTS


def test_one_that_answers_nothing_because_it_is_busy_says_so(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    player = loaded(chat, f"{PRICES}&timeout_seconds=0.4")
    chat.troubles += [status(429, Retry_After="5")]
    with pytest.raises(AdversaryBusy):
        player.predict([Query(text="One.", answer="Loom")])
    assert player.microcents == 0


def test_one_broken_answer_among_several_is_an_error(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    player = loaded(chat)
    chat.troubles += [body(b"{}")]
    with pytest.raises(AdversaryError, match="no chat completion"):
        player.predict([Query(text=LOOM, answer="Loom")])


def test_many_short_sentences_are_read_together() -> None:
    text = " ".join(f"{'A' * (number % 7 + 2)} is it." for number in range(50))
    found = stretches(text)
    assert len(found) == Query(text=text, answer="A").parts == 10
    assert (found[0].start, found[-1].end) == (0, len(text))
    assert all(before.end + 1 == after.start for before, after in itertools.pairwise(found))
    assert Query(text="", answer="A").parts == 0
    assert len(stretches("Aa. " * MOST_STRETCHES)) == MOST_STRETCHES


def test_the_most_that_a_question_may_cost_is_that_of_all_its_parts(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    prices = loaded(chat, PRICES).prices
    one, two = (most_microcents(prices, Query(text=text, answer="A")) for text in ("Aa bb. ", "Aa. Bb."))
    assert two == 2 * one


def test_an_answer_that_was_lost_on_its_way_costs_what_it_may_have_cost(chat: ChatServer) -> None:
    chat.answer = lambda data: said({"Plough": 1})
    player = loaded(chat, PRICES)
    chat.troubles += [dies]
    player.predict([Query(text="One.", answer="Loom")])
    content = Beginning(question="One.").model_dump_json().encode()
    assert player.microcents == COST_MICROCENTS + player.prices.most_microcents(content)


def test_a_sentence_to_which_there_is_no_answer_changes_nothing_unless_it_decides(chat: ChatServer) -> None:
    """A model that now and then says what cannot be read would else have no answer to most questions."""
    beginnings = [LOOM[: place.end] for place in stretches(LOOM)]

    def silent_at(number: int) -> None:
        chat.answer = lambda data: (
            "I would rather not say." if data["question"] == beginnings[number] else said({"Loom": 0.5})
        )

    silent_at(1)
    [prediction] = loaded(chat).predict([Query(text=LOOM, answer="Loom")])
    assert prediction.right_from("Loom") == len(beginnings[0].split())
    other, stop = loaded(chat, "seed=4"), len(beginnings[1].split())
    with pytest.raises(NoAnswer):
        other.predict([Query(text=LOOM, answer="Loom", stops=[stop])])
    silent_at(-1)
    with pytest.raises(NoAnswer):
        loaded(chat, "seed=5").predict([Query(text=LOOM, answer="Loom")])
