"""The arms of a campaign's rounds with the figures of their writers, as a report compares them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from beat_the_ai.analysis.arms import ArmWriter, ComparedArms, arms_section
from beat_the_ai.analysis.rounds import by_hit
from beat_the_ai.dataset.records import Placed
from beat_the_ai.payments import PaymentKey
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import Assignment
from beat_the_ai.terms.campaign import BoundCampaign

Writers = Mapping[str, ArmWriter]


class ArmFigures:
    """The figures of writers by round and arm. It is filled while the attempts of a campaign go by."""

    def __init__(self, campaign: BoundCampaign) -> None:
        self._campaign = campaign
        self._writers: defaultdict[tuple[int, str], defaultdict[str, ArmWriter]] = defaultdict(
            lambda: defaultdict(ArmWriter)
        )
        self._made_in: dict[str, Assignment] = {}
        self._edited: dict[tuple[str, int], bool] = {}  # tries made of a suggestion, by assignment and ordinal

    def _of(self, assignment: Assignment) -> ArmWriter | None:
        """Return the figures of an assignment's writer; None for a writer without an arm."""
        if assignment.arm is None:
            return None
        return self._writers[assignment.round, assignment.arm][assignment.worker]

    def attempt(self, placed: Placed) -> None:
        """Count the votes on an attempt, and whether it is an example; remember what it was made of."""
        assignment = placed.row.assignment
        writer = self._of(assignment)
        if writer is None:
            return
        self._made_in[assignment.id] = assignment
        if (suggestion := placed.row.attempt.suggestion) is not None:
            self._edited[assignment.id, placed.row.attempt.ordinal] = bool(suggestion["edited"])
        if placed.context_part is not None and placed.validity in (Validity.VALID, Validity.INVALID):
            writer.voted += 1
            writer.kept += placed.validity is Validity.VALID
        writer.examples += placed.example is not None and placed.dropped is None and placed.example.fooled

    def trials(self, trials: Iterable[Trial]) -> None:
        """Count tries and errors, by HIT."""
        for hit in by_hit(trials):
            made_in = self._made_in.get(hit[0].assignment)
            if made_in is not None and (writer := self._of(made_in)) is not None:
                writer.errors.add(hit)
                places = [(one.assignment, one.ordinal) for one in hit if not one.discarded]
                edited = [self._edited[place] for place in places if place in self._edited]
                writer.assisted += len(places) if self._suggests(made_in) else 0
                writer.suggested += len(edited)
                writer.unchanged += edited.count(False)

    def _suggests(self, assignment: Assignment) -> bool:
        """Return whether the writers of an assignment's arm have suggestions."""
        arms = self._campaign.rounds[assignment.round].terms.arms
        return assignment.arm is not None and arms[assignment.arm].suggestions is not None

    def hits(self, discarded: Collection[str]) -> None:
        """Count the HITs that count, without those of discarded writers, and the time in them."""
        for one in self._campaign.store.assignments.confirmed(self._campaign.id, Stage.WRITING):
            writer = None if one.worker in discarded else self._of(one)
            if writer is not None and one.submitted_at is not None:
                writer.hits += 1
                writer.seconds += (one.submitted_at - one.accepted_at).total_seconds()

    def earned(self, cents: Mapping[PaymentKey, int], assignments: Iterable[Assignment]) -> None:
        """Count what was earned in these assignments, with fees."""
        made_in = {(one.worker, one.crowd_assignment): one for one in assignments}
        for key, amount in cents.items():
            one = made_in.get((key.worker, key.assignment))
            if one is not None and (writer := self._of(one)) is not None:
                writer.cents += amount

    def sections(self) -> list[Section]:
        """Return a section for each round with arms."""
        drawn = Counter(
            (number, arm) for (number, _), arm in self._campaign.store.arms.drawn(self._campaign.id).items()
        )
        kind = self._campaign.kind
        return [
            arms_section(
                ComparedArms(
                    number,
                    {name: list(self._writers[number, name].values()) for name in each.terms.arms},
                    {name: drawn[number, name] for name in each.terms.arms},
                    kind.words,
                    "" if kind.checking is None else kind.checking.text.kept,
                    self._campaign.crowd.unit,
                    any(arm.suggestions is not None for arm in each.terms.arms.values()),
                )
            )
            for number, each in self._campaign.rounds.items()
            if each.terms.arms
        ]
