"""A stage of a campaign in progress: model server, store, desk, operator and router, started and stopped together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.campaign.money.crowd import check_fees, connected
from beat_the_ai.campaign.money.payables import crowd_label, run_name
from beat_the_ai.campaign.service.adversaries import model_in_the_loop
from beat_the_ai.campaign.service.failed_start import FailedStartCleanup
from beat_the_ai.campaign.service.lease import only_one
from beat_the_ai.campaign.service.recording import recording
from beat_the_ai.campaign.service.run_configuration import mephisto_config
from beat_the_ai.campaign.service.stages.offer import offer_of
from beat_the_ai.campaign.service.stages.preparation import Preparation
from beat_the_ai.campaign.service.withdrawals import withdrawn_from
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.settings.configuration import Settings, load_task
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.campaign.settings.partition import Partition, operator_lease, share_of
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.qualification import judged_by_people, requirement_set
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import Refused
from beat_the_ai.files.permissions import PRIVATE, private_files
from beat_the_ai.forms import FormDesk, notices
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator, check_not_served
from beat_the_ai.process.signals import interrupted
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import keep_store_record, private_folder
from beat_the_ai.workforce import MTurkGate
from beat_the_ai.workforce.requirements import requirements

# Settings of a crowd that its provider in Mephisto is not told.
NOT_THE_PROVIDERS = {
    *("provider", "requester", "recruiter", "prolific", "unit"),
    *("check_seconds", "charges_fees", "requirements"),
}


@dataclass(frozen=True)
class Running:
    """The parts of a started stage. `done()` tells whether everything was submitted; `paid` is where payments are made.

    `entrance` is where workers are sent, if that is known. `is_asking()` tells whether somebody may be at a form that
    comes after their HIT.

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
    is_asking: Callable[[], bool]
    entrance: str | None = None

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
    share = share_of(settings, stage, given)
    private_folder(settings.out)
    store = open_store(settings.store.url)
    try:
        run, folder = run_name(stage, settings.round.number), served_folder(settings, stage, share)
        planned = PlannedRound(store, settings)
        _check_folder(planned, folder.parent)
        check_not_served(folder)  # before the lease: whoever takes that stops the process that has it
        with (
            only_one(store, operator_lease(settings.name, run, share), stopped),
            FailedStartCleanup(planned, folder) as cleanup,
            ExitStack() as parts,
        ):
            entrance = None
            if not share.is_whole:
                cleanup.keep()  # another operator may have begun meanwhile
            asked_of, forms = requirement_set(settings), campaign_forms(settings)
            campaign = begin_or_resume(planned, pseudonym_key, stage)
            keep_store_record(settings.out, settings.store.url, campaign.id)
            on_crowd = settings.crowd.is_marketplace
            gated = on_crowd and asked_of.asks_for_own
            if on_crowd:
                parts.enter_context(crowd_of(settings.crowd).running(settings.crowd))
                with connected(campaign, settings.crowd.endpoint_url) as requester:
                    check_fees(requester, settings.pay.fees)
            closed = gated or judged_by_people(settings, campaign)
            with (
                model_in_the_loop(planned, stage, share) as (model, model_server_pid),
                workforce_of(campaign, settings.crowd.endpoint_url, needs_qualification=closed) as workforce,
                withdrawn_from(campaign, settings.out, notices(forms.after)) as has_withdrawn,
            ):
                task = load_task(settings.task_dir)
                desk = FormDesk(campaign, forms.before, has_withdrawn=has_withdrawn, after=forms.after)
                made = offer_of(stage, Preparation(settings, task, campaign, model, workforce, desk, share))
                provider: dict[str, Any] = {
                    "_provider_type": settings.crowd.provider,
                    "requester_name": settings.crowd.requester,
                }
                if on_crowd:
                    own = workforce.gate.type_id if gated and isinstance(workforce.gate, MTurkGate) else ""
                    provider |= settings.crowd.model_dump(exclude=NOT_THE_PROVIDERS)
                    label = crowd_label(campaign.record, stage, settings.round.number)
                    is_for_once = stage is Stage.SCREENING
                    entrance = crowd_of(settings.crowd).entrance(settings.crowd, label, made.title, once=is_for_once)
                    provider |= {
                        "campaign": label,
                        "requirements": requirements(asked_of, own, made.hit_kind),
                    }
                database = MephistoDatabase(folder / "database.db")
                operator = CampaignOperator(database, settings.crowd.check_seconds, stopped)
                frozen = (made.pays, made.round_number, stage.value)
                is_first = store.rounds.freeze(*frozen, now())
                try:
                    url = operator.launch(mephisto_config(settings, made, provider, stage, page_dir), made.state)
                    store.letters.keep_address(campaign.id, settings.crowd.page_url or url)
                    with recording(campaign):
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
                            desk.is_expecting,
                            entrance,
                        )
                finally:
                    try:
                        if operator.has_offered:
                            cleanup.keep()
                        elif is_first and share.is_whole:
                            store.rounds.thaw(*frozen)
                    finally:
                        operator.pause()
    finally:
        store.close()


def served_folder(settings: Settings, stage: Stage, share: Partition) -> Path:
    """Return the folder of Mephisto's database for a stage or a share of it."""
    return settings.out / PRIVATE / "mephisto" / share.folder(run_name(stage, settings.round.number))


def _check_folder(planned: PlannedRound, served: Path) -> None:
    """Raise `Refused` for a new campaign where `served` holds the served files of another one."""
    settings = planned.settings
    if planned.campaign is None and served.is_dir() and any(served.iterdir()):
        raise Refused(
            f"{settings.out} is the folder of another campaign, which was served there; {settings.name!r} would be a "
            "new one. Choose another --out for it, or take the name that the other one has."
        )
