"""Language models behind the chat completions of OpenAI's protocol, as players of Quizbowl.

One is asked after each sentence, and where the verdict depends on it, about what was read so far and nothing of what
follows: a right guess is right from there on. It says names: one of the answer's stands for the answer's page, so that
nobody is beaten by calling it otherwise, and any other for a page of its own. Confidences are those that it says.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.adversary.language_models import model
from beat_the_ai.adversary.language_models.completion import Completion
from beat_the_ai.adversary.language_models.model import Answer, LanguageModel, Questionnaire
from beat_the_ai.adversary.protocol import LoadOptions, NoAnswer
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.kinds.quizbowl import answers
from beat_the_ai.kinds.quizbowl.guesses import GUESSES, Prediction, Query, stop_ends, stretches
from beat_the_ai.kinds.quizbowl.reader import BEGINNINGS_KEPT, QuestionReader, Ranking, Reasons
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.text import printable


class Beginning(Value):
    """The query to a language model."""

    question: str


class NamedGuess(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answer: str
    confidence: Annotated[float, Field(allow_inf_nan=False)]


class GuessesAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid", title="answer")

    guesses: list[NamedGuess]


def load(source: str, options: LoadOptions) -> LanguageModelPlayer:
    """The model of the address, the settings and the name in `source`."""
    return LanguageModelPlayer(model.load(source, options, QUESTIONNAIRE))


def read(_beginning: Beginning, answer: Answer[GuessesAnswer]) -> Ranking:
    """Names in the order in which they were said, each once. Confidences that are more than 1 together are shares."""
    said: dict[str, float] = {}
    for guess in answer.value.guesses[:GUESSES]:
        name = printable(guess.answer, max_chars=answers.MAX_NAME_CHARS)
        if name:
            said.setdefault(name, max(0.0, guess.confidence))
    total = max(1.0, sum(said.values()))
    return Ranking(list(said), [confidence / total for confidence in said.values()])


class LanguageModelPlayer:
    """A loaded model. What it has said of a beginning is kept, for all streams: a draft costs what is new in it."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, asked: LanguageModel[Beginning, GuessesAnswer, Ranking], said: Said | None = None) -> None:
        self.identity = asked.identity
        self.prices = asked.prices
        self.microcents = 0
        self._asked = asked
        self._said = said or Said()

    def stream(self) -> LanguageModelPlayer:
        return LanguageModelPlayer(self._asked, self._said)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        """Raises `AdversaryError` for a server that does not answer, or not as it was asked to."""
        self.microcents = 0
        return [self._predict(query) for query in queries]

    def _predict(self, query: Query) -> Prediction:
        text = query.text.rstrip()
        read = partial(stretches, stops=query.stops)
        beginnings = [text[: stretch.end] for stretch in read(text)]
        said = self._said.of(beginnings)
        decisive = {text[:end] for end in stop_ends(text, query.stops)} | set(beginnings[-1:])
        said |= self._ask([beginning for beginning in beginnings if beginning not in said], decisive)
        silent = Ranking([], [])  # what follows a sentence to which there was no answer is as it was before
        guesser = Recalled({beginning: named(said.get(beginning, silent), query) for beginning in beginnings})
        [prediction] = QuestionReader(guesser, read).predict([query.model_copy(update={"text": text})])
        return prediction

    def _ask(self, texts: Sequence[str], decisive: Collection[str]) -> dict[str, Ranking]:
        """All at once. What was answered is kept and counted, also where others were not.

        Where nothing depends on it, what cannot be read is left out.
        """
        found, problems = dict[str, Ranking](), list[AdversaryError]()
        asked = [Beginning(question=text) for text in texts]
        for beginning, completion in zip(asked, self._asked.completions(asked), strict=True):
            try:
                found[beginning.question] = self._read(beginning, completion)
            except AdversaryError as error:
                if not isinstance(error, NoAnswer) or beginning.question in decisive:
                    problems.append(error)
        self._said.keep(found)
        if problems:
            raise self._worst(problems)
        return found

    def _read(self, beginning: Beginning, outcome: Completion | AdversaryError) -> Ranking:
        self.microcents += self._asked.price_microcents(beginning, outcome)
        if isinstance(outcome, AdversaryError):
            raise outcome
        return self._asked.read(beginning, outcome)

    def _worst(self, problems: Sequence[AdversaryError]) -> AdversaryError:
        """Only of what certainly has cost nothing it may be said that the server was busy."""
        problem = next((each for each in problems if not isinstance(each, AdversaryBusy)), problems[0])
        if isinstance(problem, AdversaryBusy) and self.microcents:
            return AdversaryError(f"Some of a question was answered, and some was not: {problem}")
        return problem


class Said:
    """The rankings of beginnings, the latest ones. Safe to use from threads."""

    def __init__(self) -> None:
        self._rankings: OrderedDict[str, Ranking] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Iterable[str]) -> dict[str, Ranking]:
        """Return the rankings of the texts that are known."""
        with self._lock:
            known = [text for text in texts if text in self._rankings]
            for text in known:
                self._rankings.move_to_end(text)
            return {text: self._rankings[text] for text in known}

    def keep(self, rankings: Mapping[str, Ranking]) -> None:
        with self._lock:
            self._rankings.update(rankings)
            while len(self._rankings) > BEGINNINGS_KEPT:
                self._rankings.popitem(last=False)


@dataclass(frozen=True)
class Recalled:
    """A guesser that has made its guesses before."""

    of: Mapping[str, Ranking]

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        return [self.of[text] for text in texts]

    def reasons(self, text: str, page: str) -> Reasons:
        return Reasons()


def named(said: Ranking, query: Query) -> Ranking:
    """Pages in the place of names, the surest first. Of two names of the answer the confidences are added."""
    found: dict[str, float] = {}
    for name, confidence in zip(said.pages, said.confidences, strict=True):
        page = page_of(name, query)
        found[page] = found.get(page, 0.0) + confidence
    ranked = sorted(found, key=lambda page: -found[page])
    return Ranking(ranked, [found[page] for page in ranked])


def page_of(name: str, query: Query) -> str:
    """The answer's page where it is called so, as a player may who says it; else one of its own.

    What tells pages from others, such as "(novel)", may be missing in either, and not differ.
    """
    full = query.answer.replace("_", " ")
    answer = answers.Answer.model_construct(page=query.answer, name=full, aliases=query.names, questions=[])
    said = [name] if answers.page_title(query.answer) != full else [name, answers.page_title(name)]
    is_called_so = any(answers.called([answer], each) is not None for each in said)
    return query.answer if is_called_so else "_".join(name.split())


QUESTIONNAIRE = Questionnaire(
    task=NAME,
    prompts=Path(__file__).resolve().parents[1] / "prompts",
    query_type=Beginning,
    answer_type=GuessesAnswer,
    read=read,
    example=Beginning(question="This novel about the hunt for a white whale was published in 1851."),
)
