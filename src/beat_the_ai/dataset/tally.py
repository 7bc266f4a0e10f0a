"""The counts of an export on its way through a campaign: the figures of the data card."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256

from beat_the_ai.dataset.balance import Balance
from beat_the_ai.dataset.names import DISCARDED
from beat_the_ai.dataset.records import Placed
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.store import AttemptInCampaign
from beat_the_ai.terms.division import EXCLUSIVE, PARTS


@dataclass
class ArmTally:
    """The writers of an arm, their attempts, and the examples among these."""

    writers: set[str] = field(default_factory=set)
    attempts: int = 0
    examples: int = 0


@dataclass
class Tally:
    """Counts by part, and of the exclusive writers' share of test: of attempts, of the `examples` among them, and the
    texts of these examples' `contexts`, as digests; of these, other people have confirmed the `valid_examples` and
    not the `unchecked_wins`, and `model_right` did not beat the model. `beaten` has the attempts that were not taken
    back, by writer, and those among them that beat the model.

    `by_round` has the examples of each round. `outcomes` count every work that other people have checked by the part of
    its context, before writers are discarded for what others say of their work; `kept` has the decided ones by writer.
    `excluded` attempts, by reason, belong to no part and are in no other figure. `discarded_writers` wrote some of
    these, and all their work is left out. `balances` are by round and part. `arms` are by round and name. The `voters`
    gave the `votes`, of which the `uncounted_votes` do not count.
    """

    balances: Mapping[tuple[int, str], Balance] = field(default_factory=dict)
    examples: Counter[str] = field(default_factory=Counter)
    by_round: Counter[tuple[int, str]] = field(default_factory=Counter)
    valid_examples: Counter[str] = field(default_factory=Counter)
    unchecked_wins: Counter[str] = field(default_factory=Counter)
    model_right: Counter[str] = field(default_factory=Counter)
    contexts: defaultdict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    attempts: Counter[str] = field(default_factory=Counter)
    beaten: defaultdict[str, Clustered] = field(default_factory=lambda: defaultdict(Clustered))
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    outcomes: Counter[tuple[str, Validity]] = field(default_factory=Counter)
    kept: defaultdict[str, Clustered] = field(default_factory=lambda: defaultdict(Clustered))
    writers: set[str] = field(default_factory=set)
    models: set[tuple[str, str, str]] = field(default_factory=set)
    rounds: set[int] = field(default_factory=set)
    arms: defaultdict[tuple[int, str], ArmTally] = field(default_factory=lambda: defaultdict(ArmTally))
    first_at: datetime | None = None
    last_at: datetime | None = None
    excluded: Counter[str] = field(default_factory=Counter)
    discarded_writers: set[str] = field(default_factory=set)
    voters: set[str] = field(default_factory=set)
    votes: int = 0
    uncounted_votes: int = 0

    @property
    def last_day(self) -> date | None:
        """Return the day of the last attempt, in UTC."""
        return None if self.last_at is None else self.last_at.date()

    @property
    def all_attempts(self) -> int:
        """Return how many attempts belong to a part."""
        return sum(self.attempts[part] for part in PARTS)

    def kept_wins(self, part: str) -> int:
        """Return how many examples of a part beat the model by their final labels."""
        return self.examples[part] - self.model_right[part]

    def count(self, placed: Placed) -> None:
        """Count an attempt."""
        row, example, dropped, validity = placed.row, placed.example, placed.dropped, placed.validity
        for vote in placed.outcome.cast if placed.outcome is not None else ():
            self.voters.add(vote.worker)
            self.votes += 1
            self.uncounted_votes += not vote.counts
        if validity is not None and placed.context_part is not None:
            for part in (placed.context_part, EXCLUSIVE) if placed.exclusive else (placed.context_part,):
                self.outcomes[part, validity] += 1
                if validity is not Validity.UNDECIDED:
                    self.kept[part].add(row.assignment.worker, validity is Validity.VALID)
        if example is None:
            self._exclude(row, str(dropped))
            return
        attempt, text = row.attempt, sha256(example.context.text.encode(errors="surrogatepass")).digest()
        for part in (example.part, EXCLUSIVE) if example.exclusive else (example.part,):
            self.attempts[part] += 1
            if not attempt.retracted:
                self.beaten[part].add(row.assignment.worker, attempt.fooled)
            if dropped is None:
                self.examples[part] += 1
                self.by_round[row.hit.round, part] += 1
                self.valid_examples[part] += validity is Validity.VALID
                self.unchecked_wins[part] += example.fooled and validity is not Validity.VALID
                self.model_right[part] += not example.fooled
                self.contexts[part].add(text)
            else:
                self.dropped[part, dropped] += 1
        self.writers.add(row.assignment.worker)
        if row.assignment.arm is not None:
            arm = self.arms[row.hit.round, row.assignment.arm]
            arm.writers.add(row.assignment.worker)
            arm.attempts += 1
            arm.examples += dropped is None
        self.models.add((attempt.model_name, attempt.model_hash, attempt.model_precision))
        self.rounds.add(row.hit.round)
        self.first_at = min(self.first_at or attempt.created_at, attempt.created_at)
        self.last_at = max(self.last_at or attempt.created_at, attempt.created_at)

    def _exclude(self, row: AttemptInCampaign, reason: str) -> None:
        self.excluded[reason] += 1
        if reason == DISCARDED:
            self.discarded_writers.add(row.assignment.worker)
