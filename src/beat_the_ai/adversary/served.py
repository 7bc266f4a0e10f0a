"""A model that somebody else serves, asked as one that is loaded here: `http://HOST:PORT#NAME`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from beat_the_ai.adversary.budget import believed_microcents, failed_microcents
from beat_the_ai.adversary.claims import Claims
from beat_the_ai.adversary.client import AdversaryClient, ListedModel
from beat_the_ai.adversary.protocol import DeadlinePassed, NoAnswer
from beat_the_ai.adversary.wire import MAX_CHARACTERS_OF_ALL, MAX_QUERIES
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput, UnknownName
from beat_the_ai.rules.protocol import Value

TIMEOUT_SECONDS = 120.0


def is_address(spec: str) -> bool:
    return spec.startswith(("http://", "https://"))


class ServedModel:
    """`with ServedModel(...) as model`: it answers as any `Adversary` does, in as many requests as that takes.

    Raises `InvalidInput` for a server that has no such model, or one that is asked something else than `query_type`,
    and `AdversaryError` for one that cannot be used.
    """

    def __init__(
        self,
        address: str,
        query_type: type[Value],
        prediction_type: type[Value],
        token: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        url, _, self._name = address.partition("#")
        if not self._name:
            raise InvalidInput("MODEL", f"{address!r} names no model. Write http://HOST:PORT#NAME.")
        self.query_type = query_type
        self._url, self._prediction_type = url.rstrip("/"), prediction_type
        try:
            self._client = AdversaryClient(self._url, timeout_seconds, token)
        except ValueError as error:
            raise InvalidInput("MODEL", f"{url!r} is no address: {error}") from error
        self.microcents = 0
        self._claims = Claims(f"The model server at {self._url}")
        try:
            listed = self._listed()
            self.identity, self.prices = listed.identity, listed.prices
        except BaseException:
            self._client.close()
            raise

    def _listed(self) -> ListedModel:
        listed = self._client.models()
        if self._name not in listed:
            raise UnknownName("model", self._name, listed)
        found, wanted = listed[self._name].query, frozenset(self.query_type.model_fields)
        if found != wanted:
            raise InvalidInput(
                "MODEL",
                f"The model {self._name!r} at {self._url} is asked with {', '.join(sorted(found))}, and this kind of "
                f"task asks with {', '.join(sorted(wanted))}. Name another one, or --task.",
            )
        return listed[self._name]

    def predict(self, queries: Sequence[Value]) -> list[Any]:
        """Raises `AdversaryError` where the server gives no answers that can be used; the log has its own words."""
        self.microcents = 0
        self._claims.check()
        most = MAX_QUERIES if self.prices is None else 1  # what each costs is held against what it can cost
        return [prediction for batch in _requests(queries, most) for prediction in self._predict(batch)]

    def _predict(self, batch: Sequence[Value]) -> list[Any]:
        """In halves, where the server has no time for as many."""
        try:
            reply = self._client.predict(batch, self._prediction_type, model=self._name)
        except DeadlinePassed as error:
            if len(batch) == 1:
                self._charge_failure(batch[0], error)
                raise
            middle = len(batch) // 2
            return [*self._predict(batch[:middle]), *self._predict(batch[middle:])]
        except AdversaryError as error:
            self._charge_failure(batch[0], error)
            if isinstance(error, NoAnswer):
                raise
            raise AdversaryError(
                f"The model server at {self._url} gave no answer that can be used; the line above says why."
            ) from error
        if self.prices is not None:
            self.microcents += believed_microcents(
                self._claims, self.prices, batch[0], reply.microcents, is_new=reply.is_new
            )
        if reply.identity != self.identity:
            raise AdversaryError(f"{self._url} has another model {self._name!r} now: {reply.identity}")
        return reply.predictions

    def _charge_failure(self, query: Value, error: AdversaryError) -> None:
        """Count what a failed request cost: the most where the server does not say it."""
        if self.prices is not None and not isinstance(error, AdversaryBusy):
            self.microcents += failed_microcents(self._claims, self.prices, query, error)

    def __enter__(self) -> ServedModel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()


def _requests(queries: Sequence[Value], most: int) -> Iterator[list[Value]]:
    """As many of them together as a server takes at once, and no more than `most`, in order."""
    batch: list[Value] = []
    characters = 0
    for query in queries:
        length = sum(len(value) for _, value in query if isinstance(value, str))
        if batch and (len(batch) == most or characters + length > MAX_CHARACTERS_OF_ALL):
            yield batch
            batch, characters = [], 0
        batch.append(query)
        characters += length
    if batch:
        yield batch
