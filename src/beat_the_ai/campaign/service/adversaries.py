"""The model in the loop of a stage: a pool of models that are loaded here, and of servers that run elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager

from beat_the_ai.adversary.client import AdversaryClient, ListedModel
from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import member_name
from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.service.current_round import ModelsAllowance
from beat_the_ai.campaign.service.model_server import LOADING_SECONDS, ModelServer
from beat_the_ai.campaign.service.model_watch import ModelWatch
from beat_the_ai.campaign.service.recorded_answers import RecordedAnswers
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import check_models
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.rules.adversary import MICROCENTS, Adversary
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.model_prices import check_cap, check_one_question, prices_of
from beat_the_ai.terms.round import ServerSettings

LISTING_SECONDS = 10


@contextmanager
def model_in_the_loop(
    planned: PlannedRound, stage: Stage, share: Partition = WHOLE
) -> Iterator[tuple[Adversary | None, int | None]]:
    """And its server's process, where one is started; neither for a stage that asks no model.

    Raises `AdversaryError` and `InvalidInput`.
    """
    if stage is Stage.VALIDATION:
        yield None, None
        return
    settings = planned.settings
    kind, section = settings.kind, settings.adversary
    members, identities, pid = list[Member](), dict[str, ModelIdentity](), None
    prices = {member_name(spec): charged for spec, charged in prices_of(settings.members).items()}
    with ExitStack() as servers:
        for name, elsewhere in section.servers.items():
            member = Member(name, elsewhere.address.rstrip("/"), _token(name, elsewhere))
            listed = _listed_model(member, kind.writing.query_type)
            identities[name] = listed.identity
            if listed.prices is not None:
                prices[name] = listed.prices
                check_cap(f"The model of adversary.servers.{name}", settings.pay.cap_cents)
            members.append(member)
        if settings.members:
            here = servers.enter_context(ModelServer(settings.members, section, kind.name))
            members += [Member(member_name(spec), here.address, here.token) for spec in settings.members]
            identities |= here.models
            pid = here.pid
        pool = Pool(members, settings.seed)
        check_models(planned, identities)
        model = ModelInTheLoop(pool, kind.writing.prediction_type, section.timeout_seconds, identities, prices)
        servers.enter_context(closing(model))
        asked_by = share.folder(run_name(stage, planned.number))
        servers.enter_context(ModelWatch(model, planned, asked_by))
        yield _with_recorded_answers(model, planned, identities, prices), pid


def _with_recorded_answers(
    model: ModelInTheLoop,
    planned: PlannedRound,
    identities: Mapping[str, ModelIdentity],
    prices: Mapping[str, Prices],
) -> Adversary:
    """Return the model with answers that are recorded, or as it is where it is certain to answer a query alike."""
    settings = planned.settings
    if all(identity.is_repeatable for identity in identities.values()):
        return model
    allowance = None
    if prices:
        allowance = ModelsAllowance(planned)
        check_one_question(prices.values(), settings.kind.writing.query_type, allowance() * MICROCENTS)
    prediction_type = settings.kind.writing.prediction_type
    return RecordedAnswers(model, prediction_type, planned.store, settings.name, prices, allowance)


def _token(name: str, server: ServerSettings) -> str | None:
    if server.token_variable is None:
        return None
    token = os.environ.get(server.token_variable, "").strip()
    if not (token and token.isascii() and token.isprintable()):
        raise InvalidInput(
            f"adversary.servers.{name}.token_variable",
            f"The environment variable {server.token_variable} is not set, or no line of ASCII: the token of the model "
            f"server {name!r} is expected there.",
        )
    return token


def _listed(client: AdversaryClient) -> dict[str, ListedModel]:
    """A server that is loading its models lists none."""
    deadline = time.monotonic() + LOADING_SECONDS
    while not (listed := client.models()) and time.monotonic() < deadline:
        time.sleep(1)
    return listed


def _listed_model(member: Member, query_type: type[Value]) -> ListedModel:
    """Raises `InvalidInput` for a server that has no model of that name, or one for another kind of task."""
    key = f"adversary.servers.{member.name}"
    try:
        with AdversaryClient(member.base_url, LISTING_SECONDS, member.token) as client:
            listed = _listed(client)
    except AdversaryError as error:
        raise AdversaryError(
            f"The model server of {key} cannot be used. {error}. Start it with `beat-the-ai adversary serve`, and give "
            f"{key}.address what it prints."
        ) from error
    if member.name not in listed:
        known = ", ".join(sorted(listed)) or "none"
        raise InvalidInput(key, f"{member.base_url} has no model {member.name!r}. It has: {known}.")
    found, wanted = listed[member.name].query, frozenset(query_type.model_fields)
    if found != wanted:
        raise InvalidInput(
            key,
            f"The model {member.name!r} at {member.base_url} is asked with {', '.join(sorted(found))}, and this task "
            f"asks with {', '.join(sorted(wanted))}. Name a model for this kind of task.",
        )
    return listed[member.name]
