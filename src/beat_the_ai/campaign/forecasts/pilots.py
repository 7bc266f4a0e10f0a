"""A campaign as a pilot: the work that is paid, what others say of it, and the time that it took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.pilot import Pilot, PilotHit, PilotWriter
from beat_the_ai.forecast.records import Source
from beat_the_ai.payments import PaidWork
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Standing


def pilot_of(campaign: BoundCampaign) -> Pilot:
    """Return a campaign as a pilot, as it is at one moment."""
    with CampaignOutcomes.at_one_moment(campaign) as outcomes:
        return _pilot(outcomes)


def joined(campaigns: Iterable[BoundCampaign], settings: Settings) -> tuple[Pilot, list[Source]]:
    """Return these campaigns as one pilot. Raises `InvalidInput` for one of another kind of task, and for none."""
    pilots, sources = [], []
    for campaign in campaigns:
        if campaign.kind.name != settings.kind.name:
            raise InvalidInput("--from", f"{campaign.id} is {campaign.kind.name}, not {settings.kind.name}.")
        pilots.append(pilot_of(campaign))
        sources.append(_source(campaign, pilots[-1]))
    if not pilots:
        raise InvalidInput("--from", "No campaign is there yet.")
    return reduce(add, pilots), sources


def _source(campaign: BoundCampaign, pilot: Pilot) -> Source:
    """Return what a forecast says of the campaign that it comes from."""
    return Source(campaign=campaign.id, simulated=pilot.simulated, writers=len(pilot.writers), hits=pilot.hits)


@dataclass(frozen=True)
class _Written:
    """Counts of attempts: of all and of those that beat the model by assignment, of what others checked by writer."""

    attempts: Counter[str]
    beaten: Counter[str]
    checkable: Counter[str]
    asked: Counter[str]
    settled: Counter[str]
    kept: Counter[str]
    votes: Counter[str]


def _pilot(outcomes: CampaignOutcomes) -> Pilot:
    campaign, work = outcomes.campaign, PaidWork.read(outcomes.campaign)
    written, hits = _written(outcomes), defaultdict[str, list[PilotHit]](list)
    of_writers, of_checkers = work.writing.assignments, work.validation.assignments
    for each in of_writers:
        tried = work.attempts.get(each.id, ())
        hits[each.worker].append(PilotHit(_seconds(each), written.attempts[each.id], written.beaten[each.id], tried))
    discarded = outcomes.validation.discarded_workers
    newcomers, qualified, screening_seconds = _screening(campaign)
    taken, given_back = _taken(campaign)
    return Pilot(
        writers=tuple(
            PilotWriter(
                tuple(hits[worker]),
                written.checkable[worker],
                written.asked[worker],
                written.settled[worker],
                written.kept[worker],
                written.votes[worker],
                worker in discarded,
            )
            for worker in sorted(hits)
        ),
        checkers=_times(of_checkers),
        vote_places=sum(campaign.round(one.round).terms.validation.terms.works_per_hit for one in of_checkers),
        newcomers=newcomers,
        qualified=qualified,
        screening_seconds=screening_seconds,
        taken=taken,
        given_back=given_back,
        wall_hours=_wall_hours(of_writers),
        simulated=campaign.record.simulated,
    )


def _written(outcomes: CampaignOutcomes) -> _Written:
    found = _Written(*(Counter() for _ in range(7)))
    checked = outcomes.validation.parts
    for placed in outcomes.placement.attempts():
        attempt, assignment = placed.row.attempt, placed.row.assignment
        beaten = attempt.fooled and not attempt.retracted
        found.attempts[assignment.id] += 1
        found.beaten[assignment.id] += beaten
        found.checkable[assignment.worker] += beaten and placed.context_part in checked.get(placed.row.hit.round, ())
        if placed.outcome is not None and placed.outcome.cast:
            found.asked[assignment.worker] += 1
            found.votes[assignment.worker] += len(placed.outcome.cast)
            found.settled[assignment.worker] += placed.validity is not Validity.UNDECIDED
            found.kept[assignment.worker] += placed.validity is Validity.VALID
    return found


def _seconds(assignment: Assignment) -> float:
    """Return the seconds from acceptance to submission."""
    end = assignment.submitted_at
    return max(0.0, (end - assignment.accepted_at).total_seconds()) if end is not None else 0.0


def _times(assignments: Sequence[Assignment]) -> tuple[tuple[float, ...], ...]:
    by_worker = defaultdict[str, list[float]](list)
    for each in assignments:
        by_worker[each.worker].append(_seconds(each))
    return tuple(tuple(by_worker[worker]) for worker in sorted(by_worker))


def _wall_hours(assignments: Sequence[Assignment]) -> float:
    """Return the hours from the first acceptance to the last submission."""
    ends = [each.submitted_at for each in assignments if each.submitted_at is not None]
    if not ends:
        return 0.0
    return (max(ends) - min(each.accepted_at for each in assignments)).total_seconds() / 3600


def _screening(campaign: BoundCampaign) -> tuple[int, int, tuple[float, ...]]:
    """Return how many took the screening, how many of them qualified, and the seconds that each took."""
    samples = campaign.samples
    if samples is None:
        return 0, 0, ()
    taken = samples.store.assignments.confirmed(samples.id)
    newcomers = {each.worker for each in taken}
    let_in = {
        event.worker
        for event in campaign.store.standings.history(campaign.id)
        if event.standing == Standing.QUALIFIED.value
    }
    return len(newcomers), len(newcomers & let_in), tuple(_seconds(each) for each in taken)


def _taken(campaign: BoundCampaign) -> tuple[int, int]:
    """Return how many HITs of the writing were taken, and how many of them given back or never submitted."""
    assignments = campaign.store.assignments
    confirmed = len(assignments.confirmed(campaign.id, Stage.WRITING))
    others = assignments.uncounted(campaign.id, Stage.WRITING)
    left = [each for each in others if each.submitted_at is None and each.place is None]
    return confirmed + len(others), len(left)
