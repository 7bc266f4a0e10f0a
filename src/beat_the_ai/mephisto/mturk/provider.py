"""Mephisto's `mturk` provider for whatever speaks the protocol, with its faults corrected.

A HIT stands for one assignment and belongs to no unit before a worker accepts it: the worker gets a unit that is free,
and from then on unit, HIT and assignment go together. So a run needs as many HITs as it has unfinished units.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any, ClassVar

from omegaconf import OmegaConf

from beat_the_ai.crowds.registry import CROWDS
from beat_the_ai.errors import InvalidInput, PaymentError, Refused
from beat_the_ai.mephisto.hand_ins import HandInDesk
from beat_the_ai.mephisto.mturk.confirmation import Confirmation
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.mturk.identity import HELD, NOT_ACCEPTED, OVER, Claim, read_claim
from beat_the_ai.mephisto.mturk.people import CampaignRequester, CampaignWorker
from beat_the_ai.mephisto.mturk.survey import OfferedHit, as_offered, expire_all
from beat_the_ai.mephisto.mturk.unit import CampaignAgent, CampaignUnit, external_question
from beat_the_ai.mephisto.shim import (
    Agent,
    AgentState,
    AssignmentState,
    LiveTaskRun,
    MTurkProvider,
    MTurkProviderArgs,
    TaskRun,
    Unit,
    register_mephisto_abstraction,
)
from beat_the_ai.messages import said
from beat_the_ai.requester import Label
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.terms.crowd import CrowdTerms

PROVIDER_TYPE = "mturk"
DAY_SECONDS = 86_400
FREE_SECONDS = 5
NOT_YET_OFFERED = (
    "HITs that are not offered yet: %d, since the crowd says: %s. The campaign is served without them, and they are "
    "offered as soon as the crowd takes them. Deposit money there if it lacks; `launch --stop` ends the round."
)

log = logging.getLogger(__name__)


@dataclass
class CampaignProviderArgs(MTurkProviderArgs):  # type: ignore[misc]  # Mephisto is untyped
    """The terms under which HITs are offered. Keys are never among them: boto3 finds them."""

    _provider_type: str = PROVIDER_TYPE
    requester_name: str = "requester"
    endpoint_url: str | None = field(default=None, metadata={"help": "The marketplace; else AWS_ENDPOINT_URL_MTURK"})
    people: str | None = field(default=None, metadata={"help": "The store of a crowd of one's own"})
    page_url: str | None = field(
        default=None, metadata={"help": "Where workers reach the router (https); else its own address"}
    )
    campaign: str | None = field(default=None, metadata={"help": "Stands on every HIT; else the task's name"})
    requirements: list[Any] = field(
        default_factory=list, metadata={"help": "QualificationRequirements as in the protocol; none are added"}
    )
    auto_approval_seconds: int = field(default=30 * DAY_SECONDS, metadata={"help": "Unreviewed work is paid then"})
    lifetime_seconds: int = field(default=30 * DAY_SECONDS, metadata={"help": "A HIT can be accepted for so long"})
    frame_height: int = field(default=800, metadata={"help": "Height of the page in the marketplace, pixels"})


@register_mephisto_abstraction()
class CampaignProvider(MTurkProvider):  # type: ignore[misc]
    """Takes the place of Mephisto's own under the same name."""

    PROVIDER_TYPE = PROVIDER_TYPE
    ArgsClass = CampaignProviderArgs
    UnitClass: ClassVar[type] = CampaignUnit
    RequesterClass: ClassVar[type] = CampaignRequester
    WorkerClass: ClassVar[type] = CampaignWorker
    AgentClass: ClassVar[type] = CampaignAgent

    datastore: CampaignDatastore
    _confirmation: Confirmation | None = None

    def initialize_provider_datastore(self, storage_path: str) -> CampaignDatastore:
        return CampaignDatastore(storage_path, self.PROVIDER_TYPE)

    @classmethod
    def get_wrapper_js_path(cls) -> str:
        return str(Path(__file__).parent / "wrap_crowd_source.js")

    def setup_resources_for_task_run(self, task_run: TaskRun, args: Any, shared_state: Any, server_url: str) -> None:
        """Register the run's HIT type, once; for a run that is taken up, find what it has offered."""
        options, run_id = _options(args), task_run.db_id
        self.datastore.crowd = CrowdTerms(
            provider=self.PROVIDER_TYPE, endpoint_url=options.endpoint_url, people=options.people
        )
        self.datastore.offered[run_id] = {}
        signs = "signs" if self.datastore.signs_frames else "does not sign"
        log.info("the marketplace %s the addresses of workers' pages", signs)
        shared_state.identity_verified = self.datastore.signs_frames
        shared_state.accepted_at = self._accepted_at
        if self.datastore.is_registered(run_id):
            for hit in self._hits(task_run):
                self.datastore.offered[run_id][hit.label.unit] = hit.id
                self._keep(task_run, hit.id, hit.label)
            return
        tags = args.task.task_tags
        hit_type_id = self.datastore.requester.hit_type(
            Title=args.task.task_title,
            Description=args.task.task_description,
            Keywords=tags if isinstance(tags, str) else ",".join(tags),
            Reward=f"{args.task.task_reward:.2f}",
            AssignmentDurationInSeconds=_duration_seconds(args.task),
            AutoApprovalDelayInSeconds=options.auto_approval_seconds,
            QualificationRequirements=options.requirements,
        )
        self.datastore.register_run(run_id, hit_type_id, "", options.frame_height)

    def _accepted_at(self, agent: Agent) -> float:
        """Return when the HIT was accepted, by its signed deadline; without a signature, now: when its page comes."""
        deadline = self.datastore.deadline(agent.get_unit().get_mturk_assignment_id())
        if not deadline:
            return time.time()
        duration = _duration_seconds(agent.get_task_run().get_task_args())
        return min(time.time(), deadline + 1 - duration)  # it was rounded down

    def _label(self, task_run: TaskRun, unit: str) -> Label:
        campaign = _options(task_run.args).campaign or task_run.get_task().task_name
        return Label(campaign, self.datastore.run_key(task_run.db_id), unit)

    def _hits(self, task_run: TaskRun) -> list[OfferedHit]:
        """The run's HITs as the marketplace has them."""
        wanted = self._label(task_run, "")
        found = self.datastore.requester.labelled_hits()
        return [
            as_offered(label, hit)
            for label, hit in found
            if (label.campaign, label.run) == (wanted.campaign, wanted.run)
        ]

    def is_held(self, live_run: LiveTaskRun) -> bool:
        """Return whether a HIT of the run has yet to be submitted by its worker, or confirmed by the crowd."""
        if self._hand_ins(live_run).waiting():
            return True
        holders = self.datastore.holders()
        return any(hit.state == "accepted" and hit.id in holders for hit in self._hits(live_run.task_run))

    def offer(self, task_run: TaskRun, unit: str, server_url: str) -> None:
        """One HIT with this label, whatever happened before."""
        options, run = _options(task_run.args), task_run.db_id
        label, registered = self._label(task_run, unit), self.datastore.get_run(run)
        hit_id = self.datastore.offered[run].get(unit)
        if hit_id is None:
            question = external_question(options.page_url or server_url, registered["frame_height"])
            hit_id = self.datastore.requester.create_hit(
                label, registered["hit_type_id"], question, options.lifetime_seconds
            )
        self._keep(task_run, hit_id, label)

    def has_offered_nothing(self, task_run: TaskRun) -> bool:
        return self.datastore.number_of_hits(task_run.db_id) == 0

    def _is_offered(self, task_run: TaskRun, hit_id: str) -> bool:
        """Also a HIT that is being created: workers may accept it before this side has heard of it."""
        if self.datastore.has_hit(task_run.db_id, hit_id):
            return True
        hit = self.datastore.requester.hit(hit_id)
        label = None if hit is None else Label.of(hit)
        return label is not None and label == self._label(task_run, label.unit)

    def _keep(self, task_run: TaskRun, hit_id: str, label: Label) -> None:
        seconds = task_run.get_task_args().assignment_duration_in_seconds
        self.datastore.keep_hit(hit_id, label, seconds, task_run.db_id)

    def admit(self, live_run: LiveTaskRun, page: Mapping[str, Any], *, is_known: bool) -> None:
        """Raises `InvalidInput` or `Refused` for a page that does not speak for a worker who holds a HIT of this run.

        `is_known`: it has registered before. May ask the marketplace, and raise `PaymentError` then.
        """
        claim = read_claim(page)
        is_signed = self.datastore.signs_frames
        if is_signed:
            claim.check_signature(self.datastore.requester.secret_key, may_be_over=is_known)
        if not self._is_offered(live_run.task_run, claim.hit_id):
            raise InvalidInput("hit_id", said("refusals.other_batch"))
        if not is_known:
            self._take_over(live_run, claim) if is_signed else self._check_free(live_run, claim)

    def _take_over(self, live_run: LiveTaskRun, claim: Claim) -> None:
        """Give a HIT with two signed acceptances to the later one: the earlier one was returned."""
        holder = self.datastore.holder(claim.hit_id)
        if holder is not None and holder.assignment_id != claim.assignment_id:
            if holder.deadline > claim.deadline:
                raise Refused(said(OVER))
            agent = _agent_of(live_run, holder.unit_id)
            if agent is not None and not _has_handed_in(agent):
                log.info("%s has returned its HIT, which somebody else has accepted", agent)
                agent.update_status(AgentState.STATUS_RETURNED)
                _wait_until_free(agent.get_unit())

    def _check_free(self, live_run: LiveTaskRun, claim: Claim) -> None:
        """Check that a HIT without a signature is free, whatever the page says: nobody holds it or has submitted it."""
        holder = self.datastore.holder(claim.hit_id)
        if holder is not None and _agent_of(live_run, holder.unit_id) is not None:
            raise Refused(said(HELD))
        is_another_hits = self.datastore.accepted_hit(claim.assignment_id) not in (None, claim.hit_id)
        if is_another_hits or claim.hit_id in self._hits_to_confirm(live_run):
            raise Refused(said(HELD))
        hit = self.datastore.requester.hit(claim.hit_id)
        if hit is None or hit["NumberOfAssignmentsPending"] < 1:
            raise Refused(said(NOT_ACCEPTED))

    def _hits_to_confirm(self, live_run: LiveTaskRun) -> set[str | None]:
        """Return the HITs submitted on a page. No other page gets one of them before the crowd has confirmed it."""
        return {self.datastore.accepted_hit(each.crowd_assignment) for each in self._hand_ins(live_run).waiting()}

    def start_confirming(self, live_run: LiveTaskRun, longest_seconds: float) -> Confirmation:
        """Compare hand-ins with what the crowd has, until it is stopped."""
        self._confirmation = Confirmation(self._hand_ins(live_run), self.datastore, longest_seconds)
        live_run.task_runner.shared_state.on_hand_in = self._confirmation.look_soon
        self._confirmation.start()
        return self._confirmation

    @staticmethod
    def _hand_ins(live_run: LiveTaskRun) -> HandInDesk:
        desk: HandInDesk = live_run.task_runner.shared_state.hand_ins
        return desk

    def cleanup_resources_from_task_run(self, task_run: TaskRun, _server_url: str) -> None:
        """Nobody can accept anything of this run any more."""
        wanted = self._label(task_run, "")
        expire_all(self.datastore.requester, wanted.campaign, wanted.run)

    def reconcile(self, live_run: LiveTaskRun, server_url: str) -> None:
        """Bring units and HITs together again.

        Whoever has returned a HIT, or let its time run out, gives the unit free; what was submitted is taken over;
        missing HITs are offered and superfluous ones expire; all of them while the campaign is closed.
        """
        agents = _at_work(live_run.worker_pool.agents.values())  # before the list: each holds its HIT by then
        waiting = self._hand_ins(live_run).waiting()
        hits = {hit.id: hit for hit in self._hits(live_run.task_run)}
        for hit in hits.values():
            self._keep(live_run.task_run, hit.id, hit.label)
        for unit, hit_id in self.datastore.accepted_hits(agents).items():
            self._settle(agents[unit], hits.get(hit_id))
        if self._confirmation is not None:
            self._confirmation.give_up(waiting, hits)
        units = set() if live_run.task_runner.shared_state.is_closed() else _unfinished(live_run.task_run)
        self._balance(live_run.task_run, units, list(hits.values()), server_url)
        if self._confirmation is not None:
            self._confirmation.keep_unseen(hits.values())

    def _settle(self, agent: Agent, hit: OfferedHit | None) -> None:
        if _has_handed_in(agent):  # meanwhile: that is compared with what the crowd has
            return
        if hit is None or hit.state in ("open", "expired"):
            log.info("%s has returned its HIT", agent)
            agent.update_status(AgentState.STATUS_RETURNED)
        elif hit.state != "accepted":
            try:
                agent.attempt_to_reconcile_submitted_data(hit.id)
            except InvalidInput as error:
                log.warning("%s has submitted nothing: %s", agent, error)
                agent.update_status(AgentState.STATUS_RETURNED)

    def _balance(self, task_run: TaskRun, units: set[str], hits: list[OfferedHit], server_url: str) -> None:
        holders = self.datastore.holders()
        serving = [hit for hit in hits if _serves(hit, holders.get(hit.id), units)]
        for offered in range(missing := max(0, len(units) - len(serving))):
            try:
                self.offer(task_run, f"extra-{self.datastore.number_of_hits(task_run.db_id)}", server_url)
            except PaymentError as error:  # whoever has a HIT is served meanwhile
                log.warning(NOT_YET_OFFERED, missing - offered, error)
                break
        superfluous = [hit for hit in serving if hit.state == "open"][: max(0, len(serving) - len(units))]
        for hit in superfluous:
            self.datastore.requester.expire(hit.id)


def provider_of(name: str) -> type[CampaignProvider]:
    """Return the provider of a crowd of this name, with classes of its own: Mephisto keeps each under its provider."""

    def of(base: Any, register: str) -> type:
        def new(db: Any, *described: Any) -> Any:
            return getattr(base, register)(db, *described, name)

        return type(f"{base.__name__}Of{name.title()}", (base,), {"PROVIDER_TYPE": name, "new": staticmethod(new)})

    arguments = make_dataclass(
        f"CampaignProviderArgsOf{name.title()}", [("_provider_type", str, name)], bases=(CampaignProviderArgs,)
    )
    classes = {
        "PROVIDER_TYPE": name,
        "ArgsClass": arguments,
        "UnitClass": of(CampaignUnit, "_register_unit"),
        "RequesterClass": of(CampaignRequester, "_register_requester"),
        "WorkerClass": of(CampaignWorker, "_register_worker"),
        "AgentClass": of(CampaignAgent, "_register_agent"),
    }
    return type(f"CampaignProviderOf{name.title()}", (CampaignProvider,), classes)


for _name in CROWDS:
    if _name != PROVIDER_TYPE:
        register_mephisto_abstraction()(provider_of(_name))


def _duration_seconds(task: Any) -> int:
    """Return the duration of a HIT at the crowd: its time limit, and some time to submit it."""
    return int(task.assignment_duration_in_seconds + HAND_IN_GRACE.total_seconds())


def _serves(hit: OfferedHit, holder: str | None, unfinished: set[str]) -> bool:
    """Return whether an unfinished unit can count on this HIT: it is open, or its worker is not done here."""
    if hit.state == "accepted":
        return holder is None or holder in unfinished
    return hit.state == "open" or (hit.state != "expired" and holder in unfinished)


def _unfinished(task_run: TaskRun) -> set[str]:
    return {unit.db_id for unit in task_run.get_units() if _is_unfinished(unit)}


def _is_unfinished(unit: Unit) -> bool:
    """Only of one that somebody has, the status in the database may be an old one."""
    status = unit.get_status() if unit.db_status == AssignmentState.ASSIGNED else unit.db_status
    return status in AssignmentState.incomplete()


def _at_work(agents: Iterable[Agent]) -> dict[str, Agent]:
    """Return the agents at work, by unit."""
    return {agent.unit_id: agent for agent in list(agents) if agent.get_status() not in AgentState.complete()}


def _agent_of(live_run: LiveTaskRun, unit_id: str) -> Agent | None:
    """Return the agent that works on a unit."""
    agents = [agent for agent in list(live_run.worker_pool.agents.values()) if agent.unit_id == unit_id]
    return next((agent for agent in agents if agent.get_status() not in AgentState.complete()), None)


def _has_handed_in(agent: Agent) -> bool:
    return agent.get_status() in AgentState.complete() or agent.state.saved.is_set()


def _wait_until_free(unit: Unit) -> None:
    """Wait until whoever serves the unit has let go of it."""
    deadline = time.monotonic() + FREE_SECONDS
    while unit.get_db_status() == AssignmentState.ASSIGNED and time.monotonic() < deadline:
        time.sleep(0.02)


def _options(args: Any) -> CampaignProviderArgs:
    """From a run's configuration, as it is or as Mephisto's database has kept it."""
    given: Any = OmegaConf.to_container(args.provider, resolve=True)
    return CampaignProviderArgs(**{name: value for name, value in given.items() if value is not None})
