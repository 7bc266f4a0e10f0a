"""The rules of bonuses, and the words in which everybody reads them. Amounts are US cents.

Adversarial NLI paid a bonus for every model error that other people verified (Nie et al. 2019, "Annotation details").
"Beat the AI" paid USD 2.00 a HIT and no bonus (Bartolo et al. 2020, §3.2). Streaks are an addition of this suite.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, Protocol

from beat_the_ai.errors import InvalidInput
from beat_the_ai.messages import Said, said
from beat_the_ai.rules.amounts import show
from beat_the_ai.terms.prospect import Prospect
from beat_the_ai.terms.purposes import ADMITTED_WIN, VERIFIED_WIN, WINS, streak_purpose
from beat_the_ai.terms.writing import Terms

LONGEST_STREAK = 1000


class Tried(Protocol):
    """An attempt, as far as money depends on it."""

    @property
    def id(self) -> str: ...

    @property
    def ordinal(self) -> int: ...

    @property
    def won(self) -> bool: ...

    @property
    def doubted(self) -> bool: ...


@dataclass(frozen=True)
class Bonus:
    """One payment that an assignment earned on top of its reward. `because` is a message for its worker."""

    purpose: str
    cents: int
    because: Said


@dataclass(frozen=True)
class BonusTerm:
    """A bonus as page, launch and guide tell of it. `needs_check`: it depends on what other people confirm.

    `kind` names its message in `words/page/LANGUAGE/bonuses.json`; `length` is a streak's.
    """

    kind: Literal["win", "verified_win", "streak", "verified_streak"]
    cents: int
    length: int
    needs_check: bool

    def words(self, unit: str) -> str:
        """Return what a worker reads of it, its amount in this unit."""
        return said(f"bonuses.{self.kind}", amount=show(self.cents, unit), length=self.length)


@dataclass(frozen=True)
class BonusRules:
    """Cents for each win, for each win that other people verified (in addition), for so many wins in a row.

    `streak_cents` maps lengths to amounts: an assignment earns each of them once, if it has a run of that length. A
    retracted attempt is no win and ends a run. With `verified_streaks` only verified wins make runs.
    """

    cents_per_win: int = 0
    cents_per_verified_win: int = 0
    streak_cents: Mapping[int, int] = field(default_factory=dict)
    verified_streaks: bool = False

    def __post_init__(self) -> None:
        amounts = {"cents_per_win": self.cents_per_win, "cents_per_verified_win": self.cents_per_verified_win}
        amounts |= {f"streak_cents.{length}": cents for length, cents in self.streak_cents.items()}
        for name, cents in amounts.items():
            if cents < 0:
                raise InvalidInput(name, f"{name}={cents} was given; it must not be negative.")
        for length in self.streak_cents:
            if not 2 <= length <= LONGEST_STREAK:
                raise InvalidInput(
                    "streak_cents", f"streak_cents.{length} was given; a streak is 2 to {LONGEST_STREAK} wins in a row."
                )

    @property
    def ask_for_verification(self) -> bool:
        """Return whether anything is paid for works that other people have confirmed."""
        return bool(self.cents_per_verified_win or (self.verified_streaks and self.streak_cents))

    def earned(self, attempts: Sequence[Tried], verified: Collection[str]) -> list[Bonus]:
        """The bonuses of one submitted assignment, all of its attempts given in order; `verified` holds their ids.

        What undoubted wins earn when the HIT counts never changes after that, so it is one payment. A reviewer may
        admit a doubted win at any time, and other people may verify a win at any time: each is a payment of its own.
        """
        wins = [attempt for attempt in attempts if attempt.won]
        admitted = [attempt for attempt in wins if attempt.doubted]
        confirmed = [attempt for attempt in wins if attempt.id in verified]
        run = _longest_run([a.won and (a.id in verified or not self.verified_streaks) for a in attempts])
        undoubted = len(wins) - len(admitted)
        bonuses = [Bonus(WINS, self.cents_per_win * undoubted, _because("wins", undoubted))]
        for win in admitted:
            because = _because("admitted", win.ordinal)
            bonuses.append(Bonus(f"{ADMITTED_WIN}{win.ordinal}", self.cents_per_win, because))
        for win in confirmed:
            because = _because("verified", win.ordinal)
            bonuses.append(Bonus(f"{VERIFIED_WIN}{win.ordinal}", self.cents_per_verified_win, because))
        bonuses += self._streaks(run)
        return [bonus for bonus in bonuses if bonus.cents > 0]

    def terms(self) -> list[BonusTerm]:
        """Every bonus with what it depends on."""
        terms = [
            BonusTerm("win", self.cents_per_win, 1, needs_check=False),
            BonusTerm("verified_win", self.cents_per_verified_win, 1, needs_check=True),
        ]
        for length, cents in sorted(self.streak_cents.items()):
            kind: Literal["verified_streak", "streak"] = "verified_streak" if self.verified_streaks else "streak"
            terms.append(BonusTerm(kind, cents, length, needs_check=self.verified_streaks))
        return [term for term in terms if term.cents]

    def prospect(self, attempts: Sequence[Tried], *, is_checked: bool) -> Prospect:
        """Return the prospect of a HIT in progress: its earnings so far, and what confirmed wins may add."""
        cents = _total(self.earned(attempts, ()))
        most_cents = _total(self.earned(attempts, {attempt.id for attempt in attempts})) if is_checked else cents
        return Prospect(cents, most_cents - cents)

    def largest(self, terms: Terms, admitted: int = 0) -> list[int]:
        """Return the cents of each bonus of the HIT that earns most: as many wins as allowed, in a row and verified.

        So many of the wins were doubted and `admitted`.
        """
        amounts = [self.cents_per_win * (terms.max_wins - admitted), *[self.cents_per_win] * admitted]
        amounts += [self.cents_per_verified_win] * terms.max_wins
        amounts += [bonus.cents for bonus in self._streaks(terms.max_wins)]
        return [cents for cents in amounts if cents > 0]

    def _streaks(self, run: int) -> list[Bonus]:
        return [
            Bonus(streak_purpose(length), cents, _because("streak", length))
            for length, cents in sorted(self.streak_cents.items())
            if length <= run
        ]


def _total(bonuses: Sequence[Bonus]) -> int:
    return sum(bonus.cents for bonus in bonuses)


def _longest_run(wins: Sequence[bool]) -> int:
    longest = run = 0
    for won in wins:
        run = run + 1 if won else 0
        longest = max(longest, run)
    return longest


@cache
def _because(kind: Literal["wins", "admitted", "verified", "streak"], number: int) -> Said:
    return said(f"notices.bonus.{kind}", number=number)
