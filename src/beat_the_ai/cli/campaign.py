"""A campaign in progress: model server, store, writing desk, operator and router, started and stopped together."""

from __future__ import annotations

import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.cli.accounts import crowd_label
from beat_the_ai.cli.configuration import CrowdSection, Settings, load_task
from beat_the_ai.cli.model_server import ModelServer, member_name
from beat_the_ai.cli.sections import terms_of
from beat_the_ai.mephisto.architect import ARCHITECT_TYPE
from beat_the_ai.mephisto.operator import CampaignOperator, MephistoDatabase
from beat_the_ai.payments import Exposure, Ledger, Tariff, check_launch, exposure
from beat_the_ai.rounds.contexts import draw_contexts
from beat_the_ai.rules import task_kind
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Campaign, Store, hit_id, now, open_store
from beat_the_ai.writing import WritingDesk

MTURK = "mturk"


@dataclass(frozen=True)
class Running:
    """What a started campaign consists of; `hits` maps the HITs on offer to their contexts."""

    campaign: Campaign
    store: Store
    desk: WritingDesk
    operator: CampaignOperator
    url: str
    hits: dict[str, str]
    contexts: list[Context]
    model_server_pid: int

    def is_closed(self) -> bool:
        return self.store.campaigns.get(self.campaign.id).closed_at is not None

    def all_submitted(self) -> bool:
        return self.store.attempts.submitted_hits(self.campaign.id) >= set(self.hits)


@contextmanager
def running(settings: Settings, *, page_dir: Path | None, pseudonym_key: str | None = None) -> Iterator[Running]:
    """Start a campaign, or take it up where it was left. On the way out the run is left as it is.

    SIGTERM counts as Ctrl-C: also what is only being started is put in order.
    """
    previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _running(settings, page_dir, pseudonym_key) as campaign:
            yield campaign
    finally:
        signal.signal(signal.SIGTERM, previous)


@contextmanager
def _running(settings: Settings, page_dir: Path | None, pseudonym_key: str | None) -> Iterator[Running]:
    kind = task_kind(settings.task.kind, **settings.task.options)
    contexts = load_contexts(settings)
    settings.out.mkdir(parents=True, exist_ok=True)
    store = open_store(settings.store.url)
    try:
        campaign = store.campaigns.create(_campaign(settings, pseudonym_key))
        hits = _offer(store, campaign, settings, contexts)
        with ModelServer(settings.adversary) as server:
            members = [Member(member_name(spec), server.address) for spec in settings.adversary.members]
            pool = Pool(members, settings.seed)
            model = ModelInTheLoop(pool, kind.prediction_type, settings.adversary.timeout_seconds, server.token)
            desk = WritingDesk(store, kind, model, terms_of(settings.round, settings.pay))
            operator = CampaignOperator(
                MephistoDatabase(settings.out / "mephisto" / "database.db"), settings.crowd.check_seconds
            )
            state = load_task(settings.task_dir).writing_state(desk, hits, task_config(settings))
            state.is_closed = partial(_is_closed, store, campaign.id)
            try:
                url = operator.launch(_mephisto_config(settings, page_dir, crowd_label(campaign)), state)
                yield Running(campaign, store, desk, operator, url, hits, contexts, server.pid)
            finally:
                operator.pause()
                model.close()
    finally:
        store.close()


def _campaign(settings: Settings, pseudonym_key: str | None) -> Campaign:
    key = pseudonym_key or secrets.token_hex(16)
    config = settings.model_dump(mode="json", exclude={"out", "task_dir"})
    return Campaign(settings.name, settings.task.kind, settings.seed, key, config, now())


def _offer(store: Store, campaign: Campaign, settings: Settings, contexts: list[Context]) -> dict[str, str]:
    """HITs in slot order: every context once before any of them twice. Raises `Refused` beyond the cap."""
    if campaign.closed_at is None:
        check_launch(worst_case(store, settings, contexts), settings.pay.cap_cents)
    slots, drawn = settings.round.hits_per_context, _drawn(settings, contexts)
    offered = store.campaigns.offer(campaign.id, drawn, round_number=settings.round.number, slots=slots)
    return dict(list(offered.items())[: number_of_hits(settings, contexts)])


def number_of_hits(settings: Settings, contexts: list[Context]) -> int:
    everything = len(contexts) * settings.round.hits_per_context
    return min(settings.round.max_hits or everything, everything)


def _drawn(settings: Settings, contexts: list[Context]) -> list[Context]:
    return draw_contexts(
        contexts, settings.seed, -(-number_of_hits(settings, contexts) // settings.round.hits_per_context)
    )


def worst_case(store: Store, settings: Settings, contexts: list[Context]) -> Exposure:
    """What the campaign would cost at most with the HITs that these settings offer."""
    slots = range(settings.round.hits_per_context)
    hits = {hit_id(settings.name, context.id, slot) for slot in slots for context in _drawn(settings, contexts)}
    ledger = Ledger(store.database, settings.name).payments()
    return exposure(store, settings.name, tariff(settings), ledger, new_hits=hits)


def tariff(settings: Settings) -> Tariff:
    return settings.pay.tariff(terms_of(settings.round, settings.pay))


def load_contexts(settings: Settings) -> list[Context]:
    return task_kind(settings.task.kind, **settings.task.options).load_contexts(settings.contexts)


def task_config(settings: Settings) -> dict[str, Any]:
    """What every page is told; nothing in it is secret."""
    return {
        "page": settings.task.page,
        "task_title": settings.task.title,
        "task_description": settings.task.description,
        **settings.task.options,
        **asdict(terms_of(settings.round, settings.pay)),
    }


def _mephisto_config(settings: Settings, page_dir: Path | None, label: str) -> Any:
    """The run configuration that Mephisto asks for."""
    task = load_task(settings.task_dir)
    return OmegaConf.create(
        {
            "blueprint": {"_blueprint_type": task.BLUEPRINT_TYPE},
            "provider": _provider(settings.crowd, label),
            "architect": {
                "_architect_type": ARCHITECT_TYPE,
                "host": settings.profile.host,
                "port": settings.profile.port,
                "page_dir": str(page_dir or ""),
                "absence_seconds": settings.profile.absence_seconds,
            },
            "task": {
                "task_name": settings.name,
                "task_title": settings.task.title,
                "task_description": settings.task.description,
                "task_tags": settings.task.keywords,
                "task_reward": settings.pay.reward_cents / 100,
                "assignment_duration_in_seconds": settings.round.time_limit_seconds,
                "submission_timeout": settings.round.time_limit_seconds,
                "allowed_concurrent": 0,
                "maximum_units_per_worker": 0,
                "max_num_concurrent_units": 0,
                "no_submission_patience": 10**9,
            },
        }
    )


def _provider(crowd: CrowdSection, label: str) -> dict[str, Any]:
    named = {"_provider_type": crowd.provider, "requester_name": crowd.requester}
    if crowd.provider != MTURK:
        return named
    given = crowd.model_dump(exclude={"provider", "requester", "check_seconds"})
    return {**named, **given, "campaign": label}


def _is_closed(store: Store, campaign_id: str) -> bool:
    return store.campaigns.get(campaign_id).closed_at is not None
