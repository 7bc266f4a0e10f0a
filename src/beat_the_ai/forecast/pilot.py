"""The work of a pilot, or of several: what each writer did, and how long validators and newcomers took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from beat_the_ai.terms.bonuses import Tried


@dataclass(frozen=True)
class PilotHit:
    """A paid HIT: its `attempts`, how many `beaten` the model and were not taken back, and the tries as pay has them.

    `seconds` go from acceptance to submission.
    """

    seconds: float
    attempts: int
    beaten: int
    tried: Sequence[Tried] = ()


@dataclass(frozen=True)
class PilotWriter:
    """A writer with at least one paid HIT.

    Of the works that beat the model, so many are in a part that is checked, others were `asked` about some and gave
    `votes`, and have `settled` and `kept` so many. `discarded`: all of the writer's work is; a writer who is revoked
    early is asked about no more.
    """

    hits: tuple[PilotHit, ...]
    checkable: int = 0
    asked: int = 0
    settled: int = 0
    kept: int = 0
    votes: int = 0
    discarded: bool = False


@dataclass(frozen=True)
class Pilot:
    """Everything that a forecast takes from a pilot.

    `checkers` holds for each validator the seconds of each validation HIT. Together these had room for `vote_places`
    votes on works.
    `newcomers` took the screening, `qualified` of them passed; `screening_seconds` are theirs. Of the HITs that were
    `taken`, `given_back` were never submitted. `wall_hours` go from the first acceptance to the last submission.
    `simulated`: no person was there.
    """

    writers: tuple[PilotWriter, ...]
    checkers: tuple[tuple[float, ...], ...] = ()
    vote_places: int = 0
    newcomers: int = 0
    qualified: int = 0
    screening_seconds: tuple[float, ...] = ()
    taken: int = 0
    given_back: int = 0
    wall_hours: float = 0.0
    simulated: bool = False

    def __add__(self, other: Pilot) -> Pilot:
        """Return both pilots as one."""
        return Pilot(
            self.writers + other.writers,
            self.checkers + other.checkers,
            self.vote_places + other.vote_places,
            self.newcomers + other.newcomers,
            self.qualified + other.qualified,
            self.screening_seconds + other.screening_seconds,
            self.taken + other.taken,
            self.given_back + other.given_back,
            self.wall_hours + other.wall_hours,
            self.simulated or other.simulated,
        )

    @property
    def hits(self) -> int:
        return sum(len(writer.hits) for writer in self.writers)

    @property
    def votes(self) -> int:
        return sum(writer.votes for writer in self.writers)

    @property
    def hours(self) -> float:
        """Return the hours of paid writing."""
        return sum(hit.seconds for writer in self.writers for hit in writer.hits) / 3600

    @property
    def at_once(self) -> float | None:
        """Return how many writers worked at a time on average; None where that was not measured."""
        return self.hours / self.wall_hours if self.wall_hours > 0 and not self.simulated else None

    def lasting(self, minutes: float) -> Pilot:
        """Return the same with HITs of this length."""
        seconds = minutes * 60
        writers = tuple(
            replace(writer, hits=tuple(replace(hit, seconds=seconds) for hit in writer.hits)) for writer in self.writers
        )
        checkers = tuple(tuple(seconds for _ in times) for times in self.checkers)
        return replace(self, writers=writers, checkers=checkers, screening_seconds=(seconds,) * self.newcomers)
