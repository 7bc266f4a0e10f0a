"""The model in the loop as the writing desk sees it: a seeded draw from the pool, then a call to its server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from threading import Lock
from types import MappingProxyType
from typing import Any

from beat_the_ai.adversary.budget import believed_microcents, failed_microcents
from beat_the_ai.adversary.claims import Claims
from beat_the_ai.adversary.client import AdversaryClient, not_answering
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.wire import Reply as ModelReply
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Value


class ModelInTheLoop:
    """An adversary that asks the member which the attempt's key draws. Safe to use from threads."""

    def __init__(
        self,
        pool: Pool,
        prediction_type: type[Value],
        timeout_seconds: float,
        identities: Mapping[str, ModelIdentity] = MappingProxyType({}),
        prices: Mapping[str, Prices] = MappingProxyType({}),
    ) -> None:
        """`identities` are those that the members have to have, as far as they are known; `prices` what they charge."""
        self._pool = pool
        self._identities = identities
        self._prices = prices
        self._claims = {member.name: Claims(f"The model server of {member.name!r}") for member in pool.members}
        self._prediction_type = prediction_type
        self._failures, self._counting = Counter[str](), Lock()
        servers = {(member.base_url, member.token) for member in pool.members}
        self._clients = {server: AdversaryClient(server[0], timeout_seconds, server[1]) for server in servers}

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        """A `patient` query lets others' go first.

        Raises `AdversaryError` or `AdversaryBusy` with a message for the worker.
        """
        member: Member = self._pool.draw(key, asker.members)
        try:
            return self._ask(member, query, asker, patient=patient)
        except AdversaryError:
            with self._counting:
                self._failures[member.name] += 1
            raise

    def _ask(self, member: Member, query: Value, asker: Asker, *, patient: bool) -> Reply:
        client = self._clients[member.base_url, member.token]
        self._check_claims(member)
        try:
            reply = client.predict(
                [query], self._prediction_type, model=member.name, requester=asker.requester, patient=patient
            )
        except InvalidInput as error:
            if error.field == "model":  # its server has another one now
                refusal = not_answering(str(error))
                refusal.microcents = 0
                raise refusal from error
            raise
        except AdversaryBusy:
            raise
        except AdversaryError as error:
            prices = self._prices.get(member.name)
            if prices is not None:
                error.microcents = failed_microcents(self._claims[member.name], prices, query, error)
            raise
        microcents = self._cost(member, query, reply)
        if self._identities.get(member.name, reply.identity) != reply.identity:
            refusal = not_answering(f"{member.base_url} has another model {member.name!r} now: {reply.identity}")
            refusal.microcents = microcents
            raise refusal
        return Reply(
            prediction=reply.predictions[0],
            member=member.name,
            model_name=reply.identity.name,
            model_hash=reply.identity.hash,
            model_precision=reply.identity.precision,
            microcents=microcents,
        )

    def _check_claims(self, member: Member) -> None:
        try:
            self._claims[member.name].check()
        except AdversaryError as error:
            refusal = not_answering(str(error))
            refusal.microcents = error.microcents
            raise refusal from error

    def _cost(self, member: Member, query: Value, reply: ModelReply[Any]) -> int:
        """Return the cost of an answer, in millionths of a US cent. A model without a price costs nothing."""
        prices = self._prices.get(member.name)
        if prices is None:
            return 0
        claims = self._claims[member.name]
        return believed_microcents(claims, prices, query, reply.microcents, is_new=reply.is_new)

    def drawn(self, key: str, asker: Asker) -> tuple[str, ModelIdentity | None]:
        """The member that this key draws for a worker, and which model it has to be, if that is known."""
        name = self._pool.draw(key, asker.members).name
        return name, self._identities.get(name)

    def taken_failures(self) -> Mapping[str, int]:
        """Return by member how many questions got no answer since this was asked last."""
        with self._counting:
            failures, self._failures = self._failures, Counter()
        return failures

    def silent_members(self, within_seconds: float) -> set[str]:
        """Return the members whose servers do not answer within this time. Each server is asked once."""
        silent = {server for server, client in self._clients.items() if not client.is_ready(within_seconds)}
        return {member.name for member in self._pool.members if (member.base_url, member.token) in silent}

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
