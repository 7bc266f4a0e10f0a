"""The feed of verdicts, the newest first, and the HIT of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.dataset.placement import uncounted
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.review import Reviewer
from beat_the_ai.review.views import Context, Fields, StandingEvent, Verdicts, attempts
from beat_the_ai.rules.adjudication import Outcome
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Asked, AttemptInCampaign, Place
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import are_divided, at_one_moment, results
from beat_the_ai.workforce.verdicts import standing_reviews

PAGE_OF_VERDICTS = 30
LOOKED_AT_ONCE = 200
MOST_LOOKED_AT = 2000  # for one page of a filter that the store does not know


@dataclass(frozen=True)
class Filters:
    """The verdicts that are asked for. `label` is the writer's; `divided`: the votes on it differ."""

    asked: Asked
    label: str | None = None
    category: str | None = None
    divided: bool = False

    @classmethod
    def read(cls, *, model: str, outcome: str, label: str, category: str, only: str) -> Filters:
        """Read the filters of an address; empty ones are none. Raises `InvalidInput`."""
        if outcome not in ("", "beaten", "right"):
            raise InvalidInput("outcome", "outcome must be beaten or right.")
        if only not in ("", "held", "divided"):
            raise InvalidInput("only", "only must be held or divided.")
        asked = Asked(
            model=model or None,
            fooled=outcome == "beaten" if outcome else None,
            held=only == "held",
            voted=2 if only == "divided" else 0,
        )
        return cls(asked, label or None, category or None, divided=only == "divided")

    def take(self, verdict: views.Verdict) -> bool:
        """Return whether a verdict is asked for, as far as the store does not tell."""
        is_named = self.label in (None, verdict.label) and self.category in (None, verdict.category)
        return is_named and (verdict.divided or not self.divided)

    @property
    def leaves_some_out(self) -> bool:
        """Return whether the store gives more than is asked for."""
        return self.label is not None or self.category is not None or self.divided


def feed(watched: Watched, filters: Filters, before: str, who: Reviewer) -> views.Feed:
    """Return verdicts before a place, which the page before ended with, as somebody may see them.

    Raises `InvalidInput`.

    There may be fewer than a page has, and older ones all the same: one look goes back only so far.
    """
    with at_one_moment(watched.desk.campaign) as campaign:
        found, end = _found(campaign, filters, _place(before))
    return views.Feed(
        verdicts=tuple(found) if who.may(Right.JUDGE) else tuple(_without_name(one, campaign) for one in found),
        before=None if end is None else f"{end.at.isoformat()} {end.attempt_id}",
        words=campaign.kind.words,
        models=tuple(sorted({model["name"] for each in campaign.rounds.values() for model in each.record.models})),
        labels=campaign.kind.labels,
        categories=watched.categories(campaign),
    )


def _found(campaign: BoundCampaign, filters: Filters, before: Place | None) -> tuple[list[views.Verdict], Place | None]:
    """Return the verdicts of a page, and where it ends; None where nothing is behind it."""
    found: list[views.Verdict] = []
    size = LOOKED_AT_ONCE if filters.leaves_some_out else PAGE_OF_VERDICTS
    for _ in range(MOST_LOOKED_AT // size):
        rows = campaign.store.verdict_feed.newest(campaign.id, filters.asked, size, before)
        for row, verdict in zip(rows, _verdicts(campaign, rows), strict=True):
            if len(found) == PAGE_OF_VERDICTS:
                return found, before
            before = Place(row.attempt.created_at, row.attempt.id)
            if filters.take(verdict):
                found.append(verdict)
        if len(rows) < size:
            return found, None
        if len(found) == PAGE_OF_VERDICTS:
            break
    return found, before


def tried(watched: Watched, attempt_id: str, who: Reviewer) -> views.Tried:
    """Return the HIT of an attempt, as somebody may see it. Raises `UnknownName`."""
    campaign = watched.bound()
    store = campaign.store
    row = store.verdict_feed.attempt(campaign.id, attempt_id)
    if row is None:
        raise UnknownName("attempt", attempt_id, [])
    assignment = row.assignment
    made = store.attempts.of_assignment(assignment.id)
    names = [each.id for each in made]
    reviews = standing_reviews(store.reviews.of_campaign(campaign.id, assignment.id)).get(assignment.id, {})
    telemetry, votes = store.attempts.telemetry_of(names), store.validations.votes_on(names)
    events = store.standings.history(campaign.id, assignment.worker)
    shown = views.Tried(
        shown=attempt_id,
        assignment=assignment.id,
        worker=assignment.worker,
        words=campaign.kind.words,
        context=Context.model_validate(row.hit.context),
        accepted_at=assignment.accepted_at,
        submitted_at=assignment.submitted_at,
        state=uncounted(assignment) or "counts",  # type: ignore[arg-type]  # the placement has no other words
        feedback=assignment.feedback,
        edits=store.edits.counts([assignment.id]).get(assignment.id, 0),
        attempts=attempts(made, telemetry, (), votes, campaign.kind.reading),
        sampled=store.reviews.is_drawn(campaign.id, assignment.id),
        verdicts=Verdicts.of(reviews, who.name),
        history=tuple(StandingEvent.model_validate(event) for event in events),
    )
    return shown if who.may(Right.JUDGE) else _without_people(shown, campaign)


def _without_name(one: views.Verdict, campaign: BoundCampaign) -> views.Verdict:
    return one.model_copy(update={"worker": pseudonym(one.worker, campaign.record)})


def _without_people(one: views.Tried, campaign: BoundCampaign) -> views.Tried:
    """Return the work alone, as it is released."""
    unseen = {"flag": None, "telemetry": None, "doubts": (), "appeal": None, "admitted": None}
    return one.model_copy(
        update={
            "worker": pseudonym(one.worker, campaign.record),
            "feedback": None,
            "sampled": False,
            "verdicts": None,
            "history": (),
            "attempts": tuple(
                each.model_copy(update={**unseen, "votes": _votes_without_names(each.votes, campaign)})
                for each in one.attempts
            ),
        }
    )


def _votes_without_names(votes: Sequence[Fields], campaign: BoundCampaign) -> tuple[Fields, ...]:
    return tuple({**vote, "worker": pseudonym(vote["worker"], campaign.record)} for vote in votes)


def _verdicts(campaign: BoundCampaign, rows: Sequence[AttemptInCampaign]) -> list[views.Verdict]:
    outcomes = _outcomes(campaign, [row.attempt.id for row in rows])
    return [_verdict(campaign, row, outcomes.get(row.attempt.id)) for row in rows]


def _outcomes(campaign: BoundCampaign, names: Sequence[str]) -> Mapping[str, Outcome]:
    """Return what other people say of attempts. All votes are counted."""
    if not campaign.checking:
        return {}
    store = campaign.store
    some = store.validations.snapshot(campaign.id, only_asked=True, among=names)
    return results(some, campaign.checking, store.standings.discarded(campaign.id))


def _verdict(campaign: BoundCampaign, row: AttemptInCampaign, outcome: Outcome | None) -> views.Verdict:
    attempt, kind = row.attempt, campaign.round(row.hit.round).kind
    votes = () if outcome is None else outcome.votes
    has_label = kind.labels and kind.checking is not None
    return views.Verdict(
        attempt=attempt.id,
        at=attempt.created_at,
        worker=row.assignment.worker,
        model=attempt.model_name,
        member=attempt.member,
        text=kind.writing.typed(attempt.work),
        title=row.hit.context.title,
        label=kind.checking.author_label(attempt.work) if has_label and kind.checking else None,
        category=kind.genre(row.hit.context),
        fooled=attempt.fooled,
        retracted=attempt.retracted,
        counts=row.assignment.counts,
        held=attempt.on_hold,
        votes=len(votes),
        divided=kind.checking is not None and are_divided(votes, kind.checking),
    )


def _place(text: str) -> Place | None:
    """Return the place that a page ended with. Raises `InvalidInput`."""
    if not text:
        return None
    moment, _, attempt_id = text.partition(" ")
    wrong = InvalidInput("before", "before must be the place that the last page ended with.")
    try:
        at = datetime.fromisoformat(moment)
        if at.tzinfo is None:
            raise wrong
        return Place(at.astimezone(timezone.utc), attempt_id)
    except (ValueError, OverflowError):
        raise wrong from None
