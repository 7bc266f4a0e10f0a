"""The records that the console's page is sent. Workers' text goes out unchanged: the page shows it as text only."""

from __future__ import annotations

from typing import Literal

from beat_the_ai.analysis.rounds import Counted
from beat_the_ai.review.views import Attempt, Context, StandingEvent, Verdicts
from beat_the_ai.rules.kind import Words
from beat_the_ai.rules.protocol import Moment, View
from beat_the_ai.rules.roles import Right, Role
from beat_the_ai.statistics.clustered import Bounded, Clustered
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.workforce import Standing

ANSWER_MS = (25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000)


class SignedOut(View):
    """Nobody has signed in."""

    reviewer: None = None


class Campaign(View):
    """A campaign of somebody who has signed in, under its key in addresses, with their role and its rights."""

    key: str
    id: str
    place: str
    role: Role
    rights: tuple[Right, ...]


class SignedIn(View):
    """The reviewer who has signed in, and the token that every change must carry. `may_start` a campaign here.

    `away` are the places of campaigns whose store does not answer, for those who may start one.
    """

    reviewer: str
    may_start: bool
    form_token: str
    campaigns: tuple[Campaign, ...]
    away: tuple[str, ...]


class Rate(View):
    """The `share` of `found` among `of`, with its 95% interval; null where there are none.

    An interval over clusters, such as writers, needs two of them.
    """

    found: int
    of: int
    share: float | None
    low: float | None
    high: float | None

    @classmethod
    def bounded(cls, found: float, of: float, share: Bounded | None) -> Rate:
        """Return a rate whose share and interval are known."""
        value, low, high = share or (None, None, None)
        return cls(found=round(found), of=round(of), share=value, low=low, high=high)

    @classmethod
    def clustered(cls, of: Clustered) -> Rate:
        """Return a rate with the interval over its clusters, as reports have it."""
        return cls.bounded(of.found, of.of, of.bounded)

    @classmethod
    def counted(cls, rate: Counted) -> Rate:
        """Return a rate by counts that stand alone, with its Wilson interval."""
        found, of = rate
        low, high = wilson(found, of)
        return cls(found=found, of=of, share=found / of if of else None, low=low, high=high)


class Step(View):
    """A step of time that begins `at`: the rates of the HITs submitted in it, and of all until its end."""

    at: Moment
    unverified: Rate
    verified: Rate
    unverified_until_then: Rate
    verified_until_then: Rate


class Course(View):
    """The model's error rates over time, in steps of `seconds`, and those of the whole campaign."""

    seconds: float
    steps: tuple[Step, ...]
    unverified: Rate
    verified: Rate


class Effort(View):
    """The tries and minutes for a win that others verified, in HITs that are decided."""

    wins: int
    tries_mean: float
    tries_median: float
    minutes_mean: float
    minutes_median: float


class Checked(View):
    """Works with a final status, how many of them are kept, and those that wait for votes."""

    works: str
    kept_as: str
    kept: Rate
    votes: int
    votes_saved: int
    waiting: int


class Review(View):
    """HITs in the review sample, and how many of them were judged and accepted."""

    sampled: int
    reviewed: int
    accepted: int


class Away(View):
    """A model of the pool whose server does not answer."""

    member: str
    since: Moment


class Screened(View):
    """The screenings that newcomers have begun, submitted and passed."""

    begun: int
    submitted: int
    passed: int


class Gone(View):
    """The operator of a stage that died though HITs are open. `stage` names round and share, too."""

    stage: str
    operator: str


class Held(View):
    """HITs that are not paid by themselves, why, and what they would cost, with fees."""

    what: str
    hits: int
    cents: int


class Needs(View):
    """The work that needs a person, by kind."""

    to_review: int
    candidates: int
    doubtful: int
    proposals: int
    letters: int
    letters_overdue: int
    payments_unknown: int
    models_away: tuple[Away, ...]
    operators_gone: tuple[Gone, ...]
    held: tuple[Held, ...]

    @property
    def all(self) -> int:
        """Return how much there is in all."""
        waiting = (self.to_review, self.candidates, self.doubtful, self.proposals, self.letters, self.payments_unknown)
        dead = len(self.models_away) + len(self.operators_gone)
        return sum(waiting) + dead + sum(each.hits for each in self.held)


class Money(View):
    """Amounts are US cents with fees. `reserved_cents` are set aside for the rewards of open HITs."""

    paid_cents: int
    owed_cents: int
    models_cents: int
    reserved_cents: int
    beside_cents: int
    cap_cents: int

    @property
    def used_cents(self) -> int:
        """Return what is spent, owed or set aside."""
        people = self.paid_cents + self.owed_cents + self.reserved_cents + self.beside_cents
        return people + self.models_cents


class Bin(View):
    """The assignments whose pay by the hour is at least `from_cents`, and below the next bin's."""

    from_cents: int
    assignments: int


class Pay(View):
    """The pay by the hour: quartiles and median over assignments, and their distribution. The last bin has no end."""

    assignments: int
    lower_cents: float
    median_cents: float
    upper_cents: float
    width_cents: int
    bins: tuple[Bin, ...]


class Arm(View):
    """An arm of the current round: the workers drawn into it, the HITs of theirs that count, and the error rate."""

    name: str
    workers: int
    hits: int
    unverified: Rate


class Progress(View):
    """The progress of a campaign, as `status` has it. `served` are stages; null where that cannot be told."""

    simulated: bool
    round: int
    closed_at: str | None
    paused_at: str | None
    served: tuple[str, ...] | None
    hits: int
    hits_submitted: int
    workers: int
    workers_revoked: int
    writers_discarded: int
    attempts: int
    retracted: int
    fooled: int
    models: tuple[str, ...]
    screened: Screened
    arms: tuple[Arm, ...]
    checked: Checked | None
    review: Review


class Stage(View):
    """A stage of a round that people have been told the terms of."""

    name: str
    since: Moment


class Split(View):
    """The progress of one part of a round. Attempts and works are without discarded ones; HITs are with them.

    `verified` of the `decided` works are kept; `waiting` ones want votes.
    """

    part: str
    contexts: int
    hits: int
    hits_at_work: int
    hits_submitted: int
    attempts: int
    fooled: int
    verified: int
    decided: int
    waiting: int


class Round(View):
    """A round of a campaign, its models by their names in the pool, and its progress by part."""

    number: int
    opened_at: Moment
    closed_at: Moment | None
    stages: tuple[Stage, ...]
    models: tuple[str, ...]
    validation_at_work: int
    splits: tuple[Split, ...]


class AnswerTimes(View):
    """The milliseconds for which writers waited, of so many answers, which took `sum` together.

    `within` counts the answers within each of `ANSWER_MS`.
    """

    median: float
    p95: float
    answers: int
    sum: int
    within: tuple[int, ...]


class Model(View):
    """A model of the pool: its `share` of all attempts, its error rates, failures and cost.

    `away_since`: its server does not answer; null where it does, or nobody serves the campaign.
    """

    member: str
    name: str
    hash: str
    attempts: int
    share: float | None
    unverified: Rate
    verified: Rate
    answer_ms: AnswerTimes | None
    failures: int
    cents: float
    away_since: Moment | None


class ForecastRow(View):
    """A figure that was forecast, with its 90% interval, and what came of it, in words.

    `outcome` is null before there is any; `is_within` says whether it lies within the interval.
    """

    what: str
    value: str
    interval: str
    outcome: str | None = None
    is_within: bool | None = None


class ForecastPart(View):
    """A part of a forecast, such as its cost."""

    title: str
    rows: tuple[ForecastRow, ...]


class ShownForecast(View):
    """A forecast in words. `target` is the reward that comes to the wished pay by the hour, in `target_cents`."""

    made: str
    parts: tuple[ForecastPart, ...]
    target: str | None
    target_cents: int | None
    assumptions: tuple[str, ...]


class Figures(View):
    """The figures of a campaign as they were `at` a moment. Newer ones are there `again_seconds` from now, if any.

    `unit` is that of all amounts. `needs` is null for somebody who settles nothing.
    """

    campaign: str
    at: Moment
    again_seconds: float | None
    words: Words
    unit: str
    progress: Progress
    rounds: tuple[Round, ...]
    models: tuple[Model, ...]
    needs: Needs | None
    course: Course
    effort: Effort | None
    money: Money
    pay: Pay | None
    forecast: ShownForecast | None


class Person(View):
    """A worker under a pseudonym; leads have the worker's id, too.

    `attempts` are all that count; `unverified` and `verified` are without what was taken back or discarded.
    """

    name: str
    worker: str | None
    attempts: int
    wins: int
    unverified: Rate
    verified: Rate
    minutes_per_win: float | None
    hourly_cents: float | None
    standing: Standing | None
    last_seen_at: Moment


class People(View):
    """A page of all workers, in the order that was asked for."""

    at: Moment
    again_seconds: float | None
    words: Words
    unit: str
    all: int
    page: int
    pages: int
    people: tuple[Person, ...]


class Coefficient(View):
    """A coefficient of agreement with its 95% interval, as the report has it; null where the votes say nothing."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    unit: str


class Validator(View):
    """A validator under a pseudonym; leads have the worker's id, too.

    `with_outcome` are the votes that say what the majority does. `counts`: so do the votes.
    """

    name: str
    worker: str | None
    hits: int
    votes: int
    with_outcome: Rate
    gold: Rate
    counts: bool


class VotesPerWork(View):
    """The works that have so many votes that count."""

    votes: int
    works: int


class NoAgreement(View):
    """Nobody checks what is written."""

    at: Moment
    again_seconds: float | None
    validators: None = None


class Agreement(View):
    """The agreement of validators, and a page of them. `waiting` works want more votes."""

    at: Moment
    again_seconds: float | None
    words: Words
    votes: int
    votes_saved: int
    kept: Rate
    kept_as: str
    waiting: int
    unreliable: int
    gold: Rate
    coefficients: tuple[Coefficient, ...]
    by_votes: tuple[VotesPerWork, ...]
    all: int
    page: int
    pages: int
    validators: tuple[Validator, ...]


class Balance(View):
    """The money at the crowd, asked `at` a moment; null where the crowd could not be asked, or has none.

    `away` says why it could not be asked.
    """

    cents: int | None
    at: Moment | None
    away: str | None


class Short(View):
    """The figures of a campaign in one line.

    `needs` counts what waits for a person, and is null for somebody who settles nothing.
    """

    round: int
    closed: bool
    hits: int
    hits_submitted: int
    attempts: int
    unverified: Rate
    used_cents: int
    cap_cents: int
    unit: str
    needs: int | None


class Line(View):
    """A campaign in the list of all; null figures are still being made."""

    key: str
    served: tuple[str, ...] | None
    figures: Short | None


class Lines(View):
    """The campaigns that somebody may see the console of."""

    lines: tuple[Line, ...]


class Verdict(View):
    """A verdict in the feed. `label` is the writer's, where the kind of task has labels; `category` is the context's.

    `worker` is a pseudonym for somebody who does not judge. `held`: it waits for a person. `divided`: the votes on it
    differ.
    """

    attempt: str
    at: Moment
    worker: str
    model: str
    member: str
    text: str
    title: str
    label: str | None
    category: str
    fooled: bool
    retracted: bool
    counts: bool
    held: bool
    votes: int
    divided: bool


class Feed(View):
    """Verdicts, the newest first. Older ones are those `before` that place, if there are any.

    `models`, `labels` and `categories` are what can be asked for.
    """

    verdicts: tuple[Verdict, ...]
    before: str | None
    words: Words
    models: tuple[str, ...]
    labels: tuple[str, ...]
    categories: tuple[str, ...]


class Tried(View):
    """A HIT with everything that its writer wrote and tried, and what became of it and of its writer.

    `shown` is the attempt that was asked for. `sampled`: reviewers judge the HIT. `edits` counts the drafts that the
    model has seen. Somebody who does not judge is shown the work alone: the worker under a pseudonym, without feedback,
    signs, reviews and decisions.
    """

    shown: str
    assignment: str
    worker: str
    words: Words
    context: Context
    accepted_at: Moment
    submitted_at: Moment | None
    state: Literal["counts", "set_aside", "not_handed_in", "not_confirmed"]
    feedback: str | None
    edits: int
    attempts: tuple[Attempt, ...]
    sampled: bool
    verdicts: Verdicts | None
    history: tuple[StandingEvent, ...]
