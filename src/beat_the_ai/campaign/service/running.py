"""A stage of a campaign in progress: model server, store, desk, operator and router, started and stopped together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from beat_the_ai.campaign.money.crowd import check_fees, requester_of
from beat_the_ai.campaign.money.payables import crowd_label, run_name
from beat_the_ai.campaign.service.adversaries import model_in_the_loop
from beat_the_ai.campaign.service.failed_start import FailedStartCleanup
from beat_the_ai.campaign.service.stages.offer import offer_of
from beat_the_ai.campaign.service.stages.preparation import Offer, Preparation
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.settings.addresses import frame_ancestors, hosts
from beat_the_ai.campaign.settings.configuration import Settings, load_task
from beat_the_ai.campaign.settings.partition import Partition, share_of
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.qualification import judged_by_people, requirement_set
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import LeaseLost, Refused
from beat_the_ai.files.permissions import PRIVATE, private_files
from beat_the_ai.mephisto.architect import ARCHITECT_TYPE
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import AlreadyServed, CampaignOperator, check_not_served
from beat_the_ai.process.signals import interrupted
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import LeaseHeld, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.workforce import MTurkGate
from beat_the_ai.workforce.requirements import requirements


@dataclass(frozen=True)
class Running:
    """The parts of a started stage. `done()` tells whether everything was submitted; `paid` is where payments are made.

    Validation asks no model, and has no server.
    """

    stage: Stage
    campaign: BoundCampaign
    round_number: int
    store: Store
    operator: CampaignOperator
    url: str
    done: Callable[[], bool]
    paid: str
    model_server_pid: int | None

    def is_closed(self) -> bool:
        """Return whether nothing is offered any more; validation ends by itself."""
        return self.stage is not Stage.VALIDATION and self.store.rounds.is_closed(self.paid, self.round_number)


@contextmanager
def running(
    settings: Settings,
    *,
    page_dir: Path | None,
    stage: Stage = Stage.WRITING,
    pseudonym_key: str | None = None,
    share: Partition | None = None,
) -> Iterator[Running]:
    """Start a stage or a share of it, or take it up where it was left. On the way out the run is left as it is.

    SIGTERM counts as Ctrl-C: also what is only being started is put in order.
    """
    with (
        interrupted() as stopped,
        private_files(),
        _running(settings, page_dir, stage, pseudonym_key, share, stopped) as campaign,
    ):
        yield campaign


@contextmanager
def _running(
    settings: Settings,
    page_dir: Path | None,
    stage: Stage,
    pseudonym_key: str | None,
    given: Partition | None,
    stopped: threading.Event,
) -> Iterator[Running]:
    share, run = share_of(settings, stage, given), run_name(stage, settings.round.number)
    private_folder(settings.out)
    store = open_store(settings.store.url)
    try:
        folder = settings.out / PRIVATE / "mephisto" / share.folder(run)
        planned = PlannedRound(store, settings)
        _check_folder(planned, folder.parent)
        check_not_served(folder)  # before the lease: whoever takes that stops the process that has it
        with (
            _only_one(store, f"{settings.name} {run} {share}", stopped),
            FailedStartCleanup(planned, folder) as cleanup,
        ):
            if not share.is_whole:
                cleanup.keep()  # another operator may have begun meanwhile
            asked_of = requirement_set(settings)
            campaign = begin_or_resume(planned, pseudonym_key, stage)
            on_crowd = settings.crowd.is_marketplace
            gated = on_crowd and asked_of.asks_for_own
            if on_crowd:
                with closing(requester_of(campaign, settings.crowd.endpoint_url)) as requester:
                    check_fees(requester, settings.pay.fees)
            closed = gated or judged_by_people(settings, campaign)
            with (
                model_in_the_loop(planned, stage) as (model, model_server_pid),
                workforce_of(campaign, settings.crowd.endpoint_url, needs_qualification=closed) as workforce,
            ):
                task = load_task(settings.task_dir)
                made = offer_of(stage, Preparation(settings, task, campaign, model, workforce, share))
                provider: dict[str, Any] = {
                    "_provider_type": settings.crowd.provider,
                    "requester_name": settings.crowd.requester,
                }
                if on_crowd:
                    own = workforce.gate.type_id if gated and isinstance(workforce.gate, MTurkGate) else ""
                    provider |= settings.crowd.model_dump(exclude={"provider", "requester", "check_seconds"})
                    provider |= {
                        "campaign": crowd_label(campaign.record, stage, settings.round.number),
                        "requirements": requirements(asked_of, own, made.hit_kind),
                    }
                database = MephistoDatabase(folder / "database.db")
                operator = CampaignOperator(database, settings.crowd.check_seconds, stopped)
                frozen = (made.pays, made.round_number, stage.value)
                is_first = store.rounds.freeze(*frozen, now())
                try:
                    url = operator.launch(_mephisto_config(settings, made, provider, stage, page_dir), made.state)
                    yield Running(
                        stage,
                        campaign,
                        made.round_number,
                        store,
                        operator,
                        url,
                        made.done,
                        made.pays,
                        model_server_pid,
                    )
                finally:
                    if operator.has_offered:
                        cleanup.keep()
                    elif is_first and share.is_whole:
                        store.rounds.thaw(*frozen)
                    operator.pause()
    finally:
        store.close()


def _check_folder(planned: PlannedRound, served: Path) -> None:
    """Raise `Refused` for a new campaign where `served` holds the served files of another one."""
    settings = planned.settings
    if planned.campaign is None and served.is_dir() and any(served.iterdir()):
        raise Refused(
            f"{settings.out} is the folder of another campaign, which was served there; {settings.name!r} would be a "
            "new one. Choose another --out for it, or take the name that the other one has."
        )


@contextmanager
def _only_one(store: Store, name: str, stopped: threading.Event) -> Iterator[None]:
    """Hold the lease on these HITs, which two operators would offer twice.

    Raises `AlreadyServed`, also when the lease is lost.
    """
    try:
        with store.leases.holding(name, stopped.set):
            yield
    except LeaseHeld as error:
        raise AlreadyServed(f"Another process serves this campaign already: {error}. Stop that one first.") from error
    except LeaseLost as error:
        raise AlreadyServed(
            "This process was away for so long that another one serves the campaign by now. It has stopped, and has "
            "saved nothing since. `status` shows how the campaign stands."
        ) from error


def _mephisto_config(
    settings: Settings, made: Offer, provider: dict[str, Any], stage: Stage, page_dir: Path | None
) -> Any:
    """The run configuration that Mephisto asks for."""
    return OmegaConf.create(
        {
            "blueprint": {"_blueprint_type": made.blueprint_type},
            "provider": provider,
            "architect": {
                "_architect_type": ARCHITECT_TYPE,
                "host": settings.profile.host,
                "port": settings.profile.port,
                "page_dir": str(page_dir or ""),
                "absence_seconds": _absence_seconds(settings, made.time_limit_seconds),
                "frame_ancestors": " ".join(frame_ancestors(settings)),
                "hosts": " ".join(hosts(settings)),
                "proxies": " ".join(settings.profile.proxies),
                "connections_per_address": settings.profile.connections_per_address,
                "registrations_per_minute": settings.profile.registrations_per_minute,
            },
            "task": {
                "task_name": f"{settings.name}-{run_name(stage, settings.round.number)}",
                "task_title": made.title,
                "task_description": made.description,
                "task_tags": made.keywords,
                "task_reward": made.reward_cents / 100,
                "assignment_duration_in_seconds": made.time_limit_seconds,
                "submission_timeout": made.time_limit_seconds,
                "allowed_concurrent": 0,
                "maximum_units_per_worker": 0,
                "max_num_concurrent_units": 0,
                "no_submission_patience": 10**9,
            },
        }
    )


def _absence_seconds(settings: Settings, time_limit_seconds: int) -> float:
    """Return how long a page may be away: the time limit of its HIT, after which the crowd takes the HIT back.

    Without a crowd nobody takes a HIT back, and the requester may choose a shorter time.
    """
    chosen = None if settings.crowd.is_marketplace else settings.profile.absence_seconds
    return chosen or time_limit_seconds + HAND_IN_GRACE.total_seconds()
