"""A language model as an opponent: a kind's prompt and one query as JSON go in, a prediction of that kind comes out.

What people wrote stands in the user's turn alone, as one JSON object in which nothing can pass for a mark of the chat.
What comes back is data: it is read by the kind's schema, whatever it says, and anything else is an error.

What a server can do is found out once, when the model is loaded, with an example question: a schema for the answer,
probabilities of its tokens, the name of the limit. It is part of the model's hash, as prompt and settings are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.adversary.claims import Claims
from beat_the_ai.adversary.language_models.completion import Completion, Usage, read_completion
from beat_the_ai.adversary.language_models.connection import Connection, NotUnderstood
from beat_the_ai.adversary.language_models.source import LanguageModelSource, read_source
from beat_the_ai.adversary.language_models.tries import TRIES
from beat_the_ai.adversary.prices import fewest_tokens
from beat_the_ai.adversary.protocol import UNKNOWN_PRECISION, LoadOptions, ModelIdentity, NoAnswer
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.rules.protocol import Value

QueryT = TypeVar("QueryT", bound=Value)
PredictionT = TypeVar("PredictionT")
AnswerT = TypeVar("AnswerT", bound=BaseModel)

TOP_LOGPROBS = 5  # the most that all known servers allow
# What the marks of chats begin and end with (<|im_end|>, [/INST]): written by their numbers, as JSON allows.
ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>[]"}


@dataclass(frozen=True)
class Answer(Generic[AnswerT]):
    """A model's answer, parsed; `start` is where its JSON begins in the completion's content."""

    value: AnswerT
    start: int
    completion: Completion


@dataclass(frozen=True)
class Questionnaire(Generic[QueryT, AnswerT, PredictionT]):
    """The way in which a kind of task asks language models.

    `prompts` holds the versions of the prompt, `VERSION.md`. `answer_type` is the type of the model's JSON. `read`
    makes a prediction of an answer and its query. A server is tried with the question `example`.
    """

    task: str
    prompts: Path
    query_type: type[QueryT]
    answer_type: type[AnswerT]
    read: Callable[[QueryT, Answer[AnswerT]], PredictionT]
    example: QueryT

    def prompt(self, version: str) -> str:
        """Raises `UnknownName`."""
        versions = {path.stem: path for path in self.prompts.glob("*.md")}
        if version not in versions:
            raise UnknownName("prompt", version, versions)
        return versions[version].read_text(encoding="utf-8")


@dataclass(frozen=True)
class Dialect:
    """As much of the protocol as a server understands."""

    limit: str
    schema: bool
    logprobs: bool


DIALECTS = [
    Dialect(limit, schema, logprobs)
    for schema, logprobs, limit in product((True, False), (True, False), ("max_tokens", "max_completion_tokens"))
]


@dataclass(frozen=True)
class Chat:
    """One model on one server, asked by one prompt. All streams share it."""

    source: LanguageModelSource
    connection: Connection
    instructions: str
    schema: Mapping[str, Any]
    claims: Claims

    def ask(self, query: Value, dialect: Dialect) -> Completion:
        """Raises as `Connection.ask`, and `AdversaryError` for what is no completion."""
        return read_completion(*self.begin(query, dialect).result())

    def most_microcents(self, query: Value) -> int:
        """Return the most that one call about a query can cost."""
        prices = self.source.prices
        return 0 if prices is None else prices.most_microcents(query.model_dump_json().encode())

    def microcents(self, query: Value, completion: Completion) -> int:
        """Return what an answer cost, as far as the server's count of tokens can be true.

        Answers that were lost before it may have been charged, and count as the most.
        """
        prices, usage = self.source.prices, completion.usage or Usage(prompt_tokens=0)
        if prices is None:
            return 0
        sent = f"{self.instructions} {as_data(query)}"
        most_in = prices.most_tokens_in(query.model_dump_json().encode())
        is_possible = (
            fewest_tokens(sent) <= usage.prompt_tokens <= most_in
            and fewest_tokens(completion.content) <= usage.completion_tokens <= prices.max_answer_tokens
        )
        claimed, most = prices.microcents(usage.prompt_tokens, usage.completion_tokens), self.most_microcents(query)
        return completion.lost * most + self.claims.believed(claimed, most, is_possible=is_possible)

    def begin(self, query: Value, dialect: Dialect) -> Future[tuple[bytes, int]]:
        """As `Connection.begin`."""
        body: dict[str, Any] = {
            "model": self.source.model,
            "messages": [
                {"role": "system", "content": self.instructions},
                {"role": "user", "content": as_data(query)},
            ],
            "temperature": self.source.temperature,
            "seed": self.source.seed,
            dialect.limit: self.source.max_answer_tokens,
        }
        if dialect.schema:
            schema = {"name": "answer", "strict": True, "schema": self.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if dialect.logprobs:
            body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        return self.connection.begin(body, self.most_microcents(query))


@dataclass(frozen=True)
class Trial:
    """The result of trying a server."""

    dialect: Dialect
    model: str
    tells_probabilities: bool


class LanguageModel(Generic[QueryT, AnswerT, PredictionT]):
    """A loaded model. `microcents` is what the last `predict` has cost, also where it failed."""

    def __init__(self, chat: Chat, trial: Trial, questionnaire: Questionnaire[QueryT, AnswerT, PredictionT]) -> None:
        self.query_type = questionnaire.query_type
        self.identity = identity_of(chat, trial, questionnaire.task)
        self._chat = chat
        self._trial = trial
        self._questionnaire = questionnaire
        self.prices = chat.source.prices
        self.microcents = 0

    def predict(self, queries: Sequence[QueryT]) -> list[PredictionT]:
        """Raises `AdversaryError` for a server that does not answer, or not as it was asked to."""
        self.microcents = 0
        found = []
        for query in queries:
            [outcome] = self.completions([query])
            self.microcents += self.price_microcents(query, outcome)
            if isinstance(outcome, AdversaryError):
                raise outcome
            found.append(self.read(query, outcome))
        return found

    def completions(self, queries: Sequence[QueryT]) -> list[Completion | AdversaryError]:
        """Ask all queries at once and return the server's outcome for each. Every outcome may have to be paid for.

        Raises `AdversaryError` for a server that has claimed impossible costs too often.
        """
        self._chat.claims.check()
        return [_outcome(begun) for begun in [self._chat.begin(query, self._trial.dialect) for query in queries]]

    def price_microcents(self, query: QueryT, outcome: Completion | AdversaryError) -> int:
        """Return the cost of a call, also of one that failed."""
        if not isinstance(outcome, AdversaryError):
            return self._chat.microcents(query, outcome)
        return TRIES * self._chat.most_microcents(query) if outcome.microcents is None else outcome.microcents

    def read(self, query: QueryT, completion: Completion) -> PredictionT:
        """The prediction. Raises `AdversaryError`, also for what another model has answered."""
        if completion.model != self._trial.model:
            raise AdversaryError(
                f"{completion.model[:80]!r} answered for {self._chat.source.model!r}, and {self._trial.model[:80]!r} "
                "did when it was loaded. A round keeps its models."
            )
        return self._questionnaire.read(query, read_answer(completion, self._questionnaire.answer_type))


def _outcome(begun: Future[tuple[bytes, int]]) -> Completion | AdversaryError:
    try:
        return read_completion(*begun.result())
    except AdversaryError as error:
        return error


def load(
    source: str, options: LoadOptions, questionnaire: Questionnaire[QueryT, AnswerT, PredictionT]
) -> LanguageModel[QueryT, AnswerT, PredictionT]:
    """The model of a source (`source`), tried with the example. Raises `InvalidInput` and `AdversaryError`."""
    if options.precision is not None:
        raise InvalidInput(
            "precision", f"{options.precision!r} was given; a language model's is its server's. Use null."
        )
    place = read_source(source)
    instructions = questionnaire.prompt(place.prompt)
    return LanguageModel(*_tried(place, instructions, questionnaire), questionnaire)


@cache
def _tried(
    source: LanguageModelSource, instructions: str, questionnaire: Questionnaire[Any, Any, Any]
) -> tuple[Chat, Trial]:
    """Once for all streams of a process. The first of the dialects in which the example is answered."""
    schema = questionnaire.answer_type.model_json_schema()
    claims = Claims(f"The server of {source.model!r} at {source.address}")
    chat = Chat(source, Connection(source), instructions, schema, claims)
    try:
        dialect, completion = _first_answered(chat, questionnaire)
        _check_counts(chat, questionnaire.example, completion)
    except AdversaryError as error:
        raise AdversaryError(
            f"The language model {source.model!r} at {source.address} cannot be used. {error}"
        ) from error
    return chat, Trial(dialect, completion.model, tells_probabilities=bool(completion.tokens))


def _first_answered(chat: Chat, questionnaire: Questionnaire[Any, Any, Any]) -> tuple[Dialect, Completion]:
    """Return the first answer of a few tries: a model sometimes says something that is no answer."""
    for _ in range(TRIES - 1):
        with suppress(NoAnswer):
            return _answered(chat, questionnaire)
    return _answered(chat, questionnaire)


def _answered(chat: Chat, questionnaire: Questionnaire[Any, Any, Any]) -> tuple[Dialect, Completion]:
    """The example, once. Raises `NoAnswer`."""
    dialect, completion = _first_understood(chat, questionnaire.example)
    questionnaire.read(questionnaire.example, read_answer(completion, questionnaire.answer_type))
    return dialect, completion


def _first_understood(chat: Chat, example: Value) -> tuple[Dialect, Completion]:
    refusal: NotUnderstood | None = None
    for dialect in DIALECTS:
        try:
            return dialect, chat.ask(example, dialect)
        except NotUnderstood as error:
            refusal = error
    assert refusal is not None, "there are dialects"
    raise refusal


def identity_of(chat: Chat, trial: Trial, task: str) -> ModelIdentity:
    """The hash is over all that decides about answers and is known: the weights of another's server are not."""
    source = chat.source
    decisive = {
        "model": [source.model, trial.model],
        "prompt": hashlib.sha256(chat.instructions.encode()).hexdigest(),
        "schema": chat.schema,
        "settings": [source.temperature, source.seed, source.max_answer_tokens],
        "dialect": [asdict(trial.dialect), trial.tells_probabilities],
    }
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
    return ModelIdentity(source.model, task, digest, UNKNOWN_PRECISION)


def as_data(query: Value) -> str:
    """One JSON object on one line, which no text in it can leave."""
    return json.dumps(query.model_dump(), ensure_ascii=False).translate(ESCAPED)


def read_answer(completion: Completion, answer_type: type[AnswerT]) -> Answer[AnswerT]:
    """The last JSON object of that type in the answer: servers without schemas put words or fences around it.

    Raises `NoAnswer`, without the text: it may be anything.
    """
    if completion.is_cut:
        raise NoAnswer("The answer was cut off at its limit. Raise max_answer_tokens in the model's source.")
    decoder, found, position = json.JSONDecoder(), None, 0
    content = completion.content
    while (position := content.find("{", position)) >= 0:
        try:
            _, end = decoder.raw_decode(content, position)
            found = Answer(answer_type.model_validate_json(content[position:end]), position, completion)
        except (ValidationError, ValueError, RecursionError):
            position += 1
        else:
            position = end
    if found is None:
        fields = ", ".join(answer_type.model_fields)
        raise NoAnswer(f"Its answer of {len(content):,} characters holds no JSON object with {fields}.")
    return found


def _check_counts(chat: Chat, query: Value, completion: Completion) -> None:
    """Raise `AdversaryError` for a model with a price whose server counts no tokens, or impossible numbers of them."""
    if chat.source.prices is None:
        return
    usage = completion.usage
    if usage is None:
        raise AdversaryError(
            "The server does not tell how many tokens it has used, so a price cannot be counted. Ask another one, or "
            "leave the prices out where none are charged."
        )
    before = chat.claims.false
    chat.microcents(query, completion)
    if chat.claims.false > before:
        raise AdversaryError(
            f"The server claims {usage.prompt_tokens} tokens in and {usage.completion_tokens} out for the example, "
            f"which is impossible with max_answer_tokens={chat.source.max_answer_tokens}. Ask another one, or "
            "leave the prices out where none are charged."
        )
