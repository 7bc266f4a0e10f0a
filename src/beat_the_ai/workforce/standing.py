"""Standing: candidate ──> qualified ──> revoked, and back; or blocked. Every change is an event that is never changed.

An event rules here as soon as it is written: that is where work is let in, whatever HIT type it came by. It is also the
intent of what the crowd has to do. Then the crowd is asked, what it holds is looked up, and its answer is written down
beside the event. When the reply is lost, or the process dies, `reconcile` finds the difference and mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from beat_the_ai.errors import Declined, InvalidInput, PaymentError, Refused, Unanswered
from beat_the_ai.messages import said
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import StandingEvent, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.gate import Gate, GateRequest

CROWD = "crowd"  # who stands as `by` where the marketplace itself, and no reviewer, is the source
SCREENING = "screening"
MAX_REASON_CHARS = 1000
MAX_NAME_CHARS = 80
SETTLING_ROUNDS = 3


class Standing(str, Enum):
    """Blocked workers may not work, as revoked ones; but only the work of revoked ones is discarded."""

    CANDIDATE = "candidate"
    QUALIFIED = "qualified"
    REVOKED = "revoked"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Difference:
    """A disagreement of the crowd and the store about a worker.

    `kind` is one of these:

    - "missing": qualified here, not there.
    - "surplus": there, not here.
    - "blocked": there, not here.
    - "unconfirmed": they agree, but the crowd's answer was never written down.
    - "unknown": qualified there, never heard of here. It is left alone, since it lets nobody in.
    - "withheld": a HIT that would be paid there.

    `mended` tells whether it is gone now; `note` says more, for example the reason why it is not.
    """

    worker: str
    kind: str
    mended: bool
    note: str | None = None


class Workforce:
    """The standings of one campaign.

    With `needs_qualification` only the qualified may write and validate; otherwise all but the revoked and blocked.
    Without a `gate` (a crowd that knows no qualifications) standing is a matter of this store alone.
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        gate: Gate | None = None,
        *,
        needs_qualification: bool = False,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._standings = campaign.store.standings
        self._campaign_id = campaign.id
        self._told = campaign.told
        self.gate = gate
        self._needs_qualification = needs_qualification
        self._clock = clock

    def may_work(self, worker: str, stage: Stage) -> bool:
        """Return whether a worker may take HITs of a stage. The screening is open to those who were never here."""
        last = self._standings.last(self._campaign_id, worker)
        if stage is Stage.SCREENING:
            return last is None
        if self._needs_qualification:
            return last is not None and last.standing == Standing.QUALIFIED
        return last is None or last.standing not in (Standing.REVOKED, Standing.BLOCKED)

    def enter_screening(self, worker: str, registration: str) -> StandingEvent:
        """A worker takes the screening. The same registration again is the same page; another raises `Refused`."""
        for event in self.history(worker):
            if event.registration == registration:
                return event

        def only_newcomers(last: StandingEvent | None) -> None:
            if last is not None:
                raise Refused(said("refusals.screening.taken"))

        reason = "entered the screening"
        return self._add(worker, Standing.CANDIDATE, SCREENING, reason, only_newcomers, registration=registration)

    def qualify(self, worker: str, by: str, reason: str = "") -> StandingEvent:
        """Let a worker in, after a person saw the work. Raises `Refused` for the revoked and the blocked."""

        def check(last: StandingEvent | None) -> StandingEvent | None:
            if last is not None and last.standing in (Standing.REVOKED, Standing.BLOCKED):
                raise Refused(f"Worker {worker!r} is {last.standing}. Reinstate them, if that is what you want.")
            return _same(last, Standing.QUALIFIED)

        return self._settled(self._add(worker, Standing.QUALIFIED, by, reason, check))

    def revoke(self, worker: str, by: str, reason: str, *, settles: int | None = None) -> StandingEvent:
        """Let a worker in no more and discard all that the worker did; also how a candidate is turned down.

        `settles` is the proposal that it carries out. Raises `Refused` when that waits no more.
        """
        return self._shut_out(worker, Standing.REVOKED, by, reason, {Standing.REVOKED}, settles)

    def block(self, worker: str, by: str, reason: str) -> StandingEvent:
        """Let a worker in no more, without a word about the work that is there: of the revoked it stays discarded."""
        return self._shut_out(worker, Standing.BLOCKED, by, reason, {Standing.REVOKED, Standing.BLOCKED})

    def _shut_out(
        self,
        worker: str,
        standing: Standing,
        by: str,
        reason: str,
        unless: Collection[Standing],
        settles: int | None = None,
    ) -> StandingEvent:
        needed = _line("reason", reason, MAX_REASON_CHARS)
        event = self._add(worker, standing, by, needed, lambda last: _same(last, *unless), settles=settles)
        return self._settled(event)

    def requests(self) -> list[GateRequest]:
        """Return the requests of workers to be let in. Raises `PaymentError` when the crowd's list cannot be read."""
        return [] if self.gate is None else self.gate.requests()

    def turn_down(self, request: GateRequest) -> None:
        """Say no to a request, without a word about the worker's standing. Raises `PaymentError`."""
        if self.gate is not None:
            self.gate.reject(request)

    def tell(self, worker: str, subject: str, text: str) -> bool:
        """Send a worker a message through the crowd, in the campaign's language, and return whether it took it."""
        if self.gate is None:
            return False
        try:
            return self.gate.tell(worker, self._told(subject), self._told(text))
        except PaymentError:
            return False

    def reinstate(self, worker: str, by: str, reason: str) -> StandingEvent:
        """Take a revocation or a block back: the standing from before it counts again, and so does the work."""
        needed = _line("reason", reason, MAX_REASON_CHARS)
        before = self._before_shut_out(worker)

        def check(last: StandingEvent | None) -> None:
            if last is None or last.standing not in (Standing.REVOKED, Standing.BLOCKED):
                raise Refused(f"Worker {worker!r} is neither revoked nor blocked; there is nothing to take back.")

        return self._settled(self._add(worker, before, by, needed, check))

    def _before_shut_out(self, worker: str) -> Standing:
        """Qualified, too, for those who worked without a gate and had no standing before."""
        held = [Standing(event.standing) for event in self.history(worker)]
        inside = [standing for standing in held if standing in (Standing.CANDIDATE, Standing.QUALIFIED)]
        return inside[-1] if inside else Standing.QUALIFIED

    def standing(self, worker: str) -> Standing | None:
        """None for a worker who never had any."""
        last = self._standings.last(self._campaign_id, worker)
        return None if last is None else Standing(last.standing)

    def history(self, worker: str) -> list[StandingEvent]:
        """Every change of a worker's standing, oldest first."""
        return self._standings.history(self._campaign_id, worker)

    def candidates(self) -> list[StandingEvent]:
        """Return the candidates who wait for a person to look at their screening, in the order in which they came."""
        current = self._standings.current(self._campaign_id)
        return [event for event in current.values() if event.standing == Standing.CANDIDATE]

    def _last(self, worker: str) -> StandingEvent:
        """Return the last event of a worker who has a standing."""
        return self.history(worker)[-1]

    def _add(
        self,
        worker: str,
        standing: Standing,
        by: str,
        reason: str,
        check: Callable[[StandingEvent | None], StandingEvent | None],
        *,
        registration: str | None = None,
        settles: int | None = None,
    ) -> StandingEvent:
        if not worker:
            raise InvalidInput("worker", "No worker was named. Give the crowd's id of one.")
        return self._standings.add(
            self._campaign_id,
            worker,
            standing.value,
            by=_line("reviewer", by, MAX_NAME_CHARS),
            reason=_line("reason", reason, MAX_REASON_CHARS) if reason.strip() else "",
            at=self._clock(),
            registration=registration,
            settles=settles,
            check=check,
        )

    def _settled(self, event: StandingEvent) -> StandingEvent:
        """The event with the crowd's answer. A crowd that refuses or is silent does not undo it: see `reconcile`."""
        if self.gate is None:
            return event
        try:
            self._settle(self.gate, event.worker)
        except Unanswered as error:
            self._standings.answer(event.id, "unanswered", str(error), self._clock())
        except Declined as error:
            self._standings.answer(event.id, "declined", str(error), self._clock())
        return next(one for one in self.history(event.worker) if one.id == event.id)

    def _settle(self, gate: Gate, worker: str) -> None:
        """Bring the crowd to what stands here, and look whether it is so; again, if the standing changed meanwhile."""
        for _ in range(SETTLING_ROUNDS):
            event = self._last(worker)
            wanted = event.standing == Standing.QUALIFIED
            if gate.holds(worker) != wanted:
                (gate.grant if wanted else gate.withdraw)(worker)
            if gate.holds(worker) == wanted and self._last(worker).id == event.id:
                self._standings.answer(event.id, "confirmed", None, self._clock())
                return
        raise Unanswered(f"The crowd does not show what it was asked for worker {worker!r}.")

    def reconcile(self, *, mend: bool = True) -> list[Difference]:
        """Compare every standing with what the crowd holds, in the order of worker ids, and put it right.

        Without a gate there is nothing to compare. Raises `PaymentError` when the crowd's lists cannot be read.
        """
        if self.gate is None:
            return []
        holders, blocked, current = self.gate.holders(), self.gate.blocked(), self._standings.current(self._campaign_id)
        found = []
        for worker in sorted(holders | blocked | current.keys()):
            kind = _difference(current.get(worker), holds=worker in holders, blocked=worker in blocked)
            if kind is not None:
                found.append(self._mended(worker, kind) if mend else Difference(worker, kind, mended=False))
        return found

    def _mended(self, worker: str, kind: str) -> Difference:
        if kind == "unknown":
            return Difference(worker, kind, mended=False, note="Qualify or revoke this worker here to settle it.")
        if kind == "blocked":
            event = self.block(worker, CROWD, "is blocked on the marketplace")
        else:
            event = self._settled(self._last(worker))
        return Difference(worker, kind, event.answer == "confirmed", event.answer_note)


def _difference(last: StandingEvent | None, *, holds: bool, blocked: bool) -> str | None:
    """Return the kind of one worker's difference, or None."""
    shut_out = last is not None and last.standing in (Standing.REVOKED, Standing.BLOCKED)
    if blocked and not shut_out:
        return "blocked"
    if last is None:
        return "unknown" if holds else None
    wanted = last.standing == Standing.QUALIFIED
    if wanted != holds:
        return "missing" if wanted else "surplus"
    asked = last.standing != Standing.CANDIDATE
    return "unconfirmed" if asked and last.answer != "confirmed" else None


def _same(last: StandingEvent | None, *standings: Standing) -> StandingEvent | None:
    """The last event, where it says one of these already."""
    return last if last is not None and last.standing in standings else None


def _line(field: str, text: str, max_chars: int) -> str:
    return clean_line(field, text, max_chars=max_chars)
