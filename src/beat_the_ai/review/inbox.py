"""Workers' letters as reviewers answer them. A lead decides an appeal: another one than who decided before, if any.

The answer is kept first, once. What follows from it is done until it is done: an upheld appeal takes the decision
back by the rules of reviews and standings, and the worker is told as far as the crowd takes messages.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.letters.address import address_of
from beat_the_ai.letters.words import clean_text, day
from beat_the_ai.messages import said
from beat_the_ai.review import views
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.decisions import Decisions
from beat_the_ai.review.journal import Journal
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Letter, LetterAnswer, now
from beat_the_ai.store.letters import ANSWERED, REJECTION, STANDING
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, Workforce
from beat_the_ai.workforce.reviewing import MAX_REASON_CHARS
from beat_the_ai.workforce.verdicts import REJECT, standing_reviews

MOST_ANSWERED = 50
UPHELD = "Appeal upheld: "


class Inbox:
    """The letters of one campaign."""

    def __init__(
        self,
        campaign: BoundCampaign,
        workforce: Workforce,
        reviewing: Reviewing,
        decisions: Decisions,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._campaign = campaign
        self._store = campaign.store
        self._workforce = workforce
        self._reviewing = reviewing
        self._decisions = decisions
        self._clock = clock
        self._journal = Journal(campaign.store, clock)

    def waiting(self, reviewer: str) -> list[Letter]:
        """Return the open letters that a reviewer may answer, those with the earliest deadline first."""
        account = self._store.accounts.get(reviewer)
        decides = account is None or account.role.may(Right.DECIDE)  # a name without an account is of the command line
        return [one for one in self._store.letters.waiting(self._campaign.id) if decides or not one.is_appeal]

    def view(self, who: Reviewer) -> views.Inbox:
        """Return the letters that a reviewer may answer, and the last that were answered."""
        every, decides = self._store.letters.of_campaign(self._campaign.id), who.may(Right.DECIDE)
        letters = [one for one in every if decides or not one.is_appeal]
        answered = [(one.answer.at, one) for one in letters if one.answer is not None and not one.is_open]
        last = [one for _, one in sorted(answered, key=lambda pair: pair[0], reverse=True)]
        return views.Inbox(
            waiting=tuple(self._view(who, one) for one in letters if one.is_open),
            answered=tuple(self._view(who, one) for one in last[:MOST_ANSWERED]),
        )

    def answer(self, who: Reviewer, letter_id: str, text: str, *, upheld: bool | None) -> None:
        """Answer a letter. `upheld` decides an appeal, and is None for a message.

        A letter whose answer had not taken effect, because a process died, is done to the end with that answer.

        Raises `NotAllowed`; `Refused` for a letter that was answered, and for a second decision by the same person;
        `InvalidInput` for a text that is not allowed; `UnknownName`.
        """
        letter = self._store.letters.get(self._campaign.id, letter_id)
        cleaned = clean_text(text)
        action = {None: "answer", True: "uphold", False: "not_uphold"}[upheld]
        with self._journal.entry(who, action, letter.id, _note(letter)):
            self._check(who, letter, upheld)
            if letter.answer is None:
                letter = self._store.letters.answer(letter, LetterAnswer(who.name, cleaned, upheld, self._clock()))
            self._carry_out(who, letter)

    def _check(self, who: Reviewer, letter: Letter, upheld: bool | None) -> None:
        if not letter.is_open:
            raise Refused(ANSWERED)
        who.check(Right.DECIDE if letter.is_appeal else Right.JUDGE)
        if letter.is_appeal != (upheld is not None):
            raise InvalidInput("upheld", "An appeal is upheld or not upheld; a message is only answered.")
        if (reason := self._not_by(who, letter)) is not None:
            raise Refused(reason)

    def _not_by(self, who: Reviewer, letter: Letter) -> str | None:
        """Return why somebody else has to decide an appeal; None if this person may."""
        before = self._decided_by(letter)
        if who.name not in before:
            return None
        leads = (one for one in self._store.accounts.all() if one.role.may(Right.DECIDE) and one.removed_at is None)
        others = sorted(one.name for one in leads if one.name not in before)
        return f"You decided this before. Another lead decides the appeal: {', '.join(others)}." if others else None

    def _decided_by(self, letter: Letter) -> dict[str, str]:
        """Return who took the decision that is appealed, and their reasons."""
        if letter.kind == REJECTION:
            events = self._store.reviews.of_campaign(self._campaign.id, letter.subject)
            reviews = standing_reviews(events).get(letter.subject, {})
            return {name: one.reason for name, one in reviews.items() if one.verdict == REJECT}
        if letter.kind != STANDING:
            return {}
        history = self._workforce.history(letter.worker)
        decided = {event.by: event.reason for event in history if str(event.id) == letter.subject}
        proposals = self._store.proposals.of_campaign(self._campaign.id, letter.worker)
        return {**{one.by: one.reason for one in proposals if one.outcome == "revoked"}, **decided}

    def _carry_out(self, who: Reviewer, letter: Letter) -> None:
        """Do what follows from an answer. Done again, it changes nothing more."""
        answer = letter.answer
        assert answer is not None, "it was kept"
        if answer.upheld:
            self._take_back(who, letter, f"{UPHELD}{' '.join(answer.text.split())}"[:MAX_REASON_CHARS])
        told = self._workforce.tell(letter.worker, _subject(letter, answer), self._message(letter, answer))
        self._store.letters.finish(letter, self._clock(), told=told)

    def _take_back(self, who: Reviewer, letter: Letter, reason: str) -> None:
        if letter.kind == REJECTION:
            self._reviewing.overturn(letter.subject, who.name, reason)
        elif str(self._workforce.history(letter.worker)[-1].id) == letter.subject:
            self._decisions.decide(who, letter.worker, "reinstate", reason)

    def _message(self, letter: Letter, answer: LetterAnswer) -> str:
        base = self._store.letters.address(self._campaign.id)
        link = "" if base is None else f"\n\n{address_of(self._campaign.record, letter.worker, base)}"
        about = self._campaign.told(said("notices.answer.about", day=day(letter.at)))
        return f"{about}\n\n{answer.text}{link}"

    def _view(self, who: Reviewer, letter: Letter) -> views.Letter:
        answer = None if letter.answer is None else views.LetterAnswer.model_validate(letter.answer)
        return views.Letter(
            id=letter.id,
            worker=letter.worker,
            kind=letter.kind,  # type: ignore[arg-type]  # the table holds no other
            assignment=letter.subject if letter.kind == REJECTION else None,
            text=letter.text,
            at=letter.at,
            due_at=letter.due_at,
            overdue=letter.is_open and self._clock() > letter.due_at,
            decided_by=tuple(views.Decided(by=by, reason=reason) for by, reason in self._decided_by(letter).items()),
            not_yours=self._not_by(who, letter) if letter.is_open else None,
            answer=answer,
        )


def _note(letter: Letter) -> str:
    about = {REJECTION: f"appeal about HIT {letter.subject}", STANDING: "appeal"}.get(letter.kind, "message")
    return f"{about} of {letter.worker}"


def _subject(letter: Letter, answer: LetterAnswer) -> str:
    if not letter.is_appeal:
        return said("notices.answer")
    return said("notices.answer.upheld" if answer.upheld else "notices.answer.not_upheld")
