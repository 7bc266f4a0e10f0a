"""The endpoints of campaigns that are being started: guarded as all changes are, and launched once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.console import start_views as views
from beat_the_ai.console.acts import with_file
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.doors import Guest
from beat_the_ai.review.accounts import NotAllowed
from beat_the_ai.review.visits import Guard, GuardedRoute, Visit, done, view
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Account, AccountSession, Store, now

if TYPE_CHECKING:
    from beat_the_ai.campaign.starting.drafts import Draft
    from beat_the_ai.campaign.starting.planning import Plan
    from beat_the_ai.console.start_deeds import Plans


class StartsApi:
    """The endpoints of drafts in the folder that a console serves. `look` finds the campaigns that are new in it."""

    def __init__(
        self, ground: Ground, campaigns: Mapping[str, Watched], guard: Guard[Guest], look: Callable[[], object]
    ) -> None:
        self._ground = ground
        self._campaigns = campaigns
        self._guard = guard
        self._look = look

    def routes(self) -> list[GuardedRoute]:
        shown, changed = self._guard.shown, self._guard.changed
        return [
            shown("/starts", Right.START, self.starts),
            changed("/starts", Right.START, self.begin),
            shown("/starts/draft", Right.START, self.draft),
            changed("/starts/draft", Right.START, self.change),
            changed("/starts/discarded", Right.START, self.discard),
            changed("/starts/jobs", Right.START, self.start_job),
            changed("/starts/stops", Right.START, self.stop_job),
            changed("/starts/forecasts", Right.START, self.forecast),
            changed("/starts/estimates", Right.START, self.estimate),
            changed("/starts/launches", Right.START, self.launch),
            with_file(self._guard, "/starts/contexts", Right.START, self.keep_contexts),
        ]

    def starts(self, visit: Visit[Guest]) -> Response:
        listed = self._ground.drafts.listed()
        drafts = tuple(
            views.DraftLine(
                id=each.id,
                name=each.name,
                task=each.choices.task,
                by=each.by,
                changed_at=each.changed_at,
                campaign=self._key_of(each.campaign),
            )
            for each in listed.drafts
        )
        unreadable = tuple(map(views.UnreadableDraft.model_validate, listed.unreadable))
        return view(views.Starts(drafts=drafts, unreadable=unreadable, tasks=tuple(self._ground.tasks)))

    def begin(self, visit: Visit[Guest]) -> Response:
        return self._shown(visit, _deeds().begun(self._ground, _actor(visit), visit.content(views.SentStart)))

    def draft(self, visit: Visit[Guest]) -> Response:
        return self._shown(visit, self._draft(visit))

    def change(self, visit: Visit[Guest]) -> Response:
        sent = visit.content(views.SentChoices)
        return self._shown(visit, _deeds().changed(self._ground, _actor(visit), visit.asked("draft"), sent))

    def discard(self, visit: Visit[Guest]) -> Response:
        self._ground.drafts.discard(visit.asked("draft"))
        return done()

    def start_job(self, visit: Visit[Guest]) -> Response:
        draft, sent = self._draft(visit), visit.content(views.SentJob)
        _deeds().with_job(self._ground, _actor(visit), draft, self._plan(visit, draft), sent)
        return self._shown(visit, draft)

    def stop_job(self, visit: Visit[Guest]) -> Response:
        draft, sent = self._draft(visit), visit.content(views.SentStop)
        _deeds().without_job(self._ground, _actor(visit), draft, sent, _holder(visit.signed_in())[0])
        return self._shown(visit, draft)

    def forecast(self, visit: Visit[Guest]) -> Response:
        draft = self._draft(visit)
        _deeds().with_forecast(self._ground, draft, self._plan(visit, draft), self._pilots(visit))
        return self._shown(visit, draft)

    def estimate(self, visit: Visit[Guest]) -> Response:
        draft = self._draft(visit)
        draft.check_revision(visit.content(views.SentLook).revision)
        return view(_deeds().estimated(self._plan(visit, draft)))

    def launch(self, visit: Visit[Guest]) -> Response:
        draft_id, sent = visit.asked("draft"), visit.content(views.SentLaunch)
        given = (self._ground, _actor(visit), draft_id, sent, *_holder(visit.signed_in())[1:])
        name, told = _deeds().launched(*given)
        self._look()
        return view(views.Launched(campaign=self._key_of(name) or name, told=told))

    def keep_contexts(self, visit: Visit[Guest], file: Path) -> Response:
        revision = visit.number("revision") or 0
        kept = _deeds().with_contexts(self._ground, _actor(visit), self._draft(visit), revision, file)
        return view(kept)

    def _shown(self, visit: Visit[Guest], draft: Draft) -> Response:
        folders = [each.folder for each in self._campaigns.values() if each.folder is not None]
        plan, key = self._plan(visit, draft), self._key_of(draft.campaign)
        given = (self._ground, _actor(visit), draft, plan, self._pilots(visit), folders, key)
        return view(_deeds().shown(*given))

    def _draft(self, visit: Visit[Guest]) -> Draft:
        return self._ground.drafts.get(visit.asked("draft"))

    def _plan(self, visit: Visit[Guest], draft: Draft) -> Plan:
        return self._plans.of(draft, _actor(visit))

    @cached_property
    def _plans(self) -> Plans:
        plans: Plans = _deeds().Plans(self._ground)
        return plans

    def _pilots(self, visit: Visit[Guest]) -> list[Any]:
        """Return the campaigns that the visitor may watch."""
        guest = visit.signed_in()
        return [
            _deeds().Pilot(key, each.bound())
            for key, each in self._campaigns.items()
            if (role := guest.role(each.store)) is not None and role.may(Right.WATCH)
        ]

    def _key_of(self, campaign: str | None) -> str | None:
        """Return the key of a campaign that was launched from a draft."""
        out = None if campaign is None else self._ground.out(campaign).resolve()
        return next((key for key, each in self._campaigns.items() if out is not None and each.folder == out), campaign)


def may_start(guest: Guest) -> bool:
    """Return whether somebody may start a campaign beside those of which they are a requester."""
    return any(session.reviewer.may(Right.START) for session in guest.sessions.values())


def check_may_start(guest: Guest) -> None:
    """Raise `NotAllowed` unless somebody may start a campaign."""
    if not may_start(guest):
        raise NotAllowed(f"{guest.name} is no requester here. {Right.START.sentence}")


def _holder(guest: Guest) -> tuple[Store, Account, AccountSession]:
    """Return the account and the session with which somebody may start a campaign, and their store.

    Raises `NotAllowed`.
    """
    for store, session in guest.sessions.items():
        found = _account(store, guest.name, session.session_id) if session.reviewer.may(Right.START) else None
        if found is not None:
            return store, *found
    raise NotAllowed(f"{guest.name} is no requester here. {Right.START.sentence}")


def _account(store: Store, name: str, session_id: str) -> tuple[Account, AccountSession] | None:
    account, session = store.accounts.get(name), store.accounts.session(session_id, now())
    return None if account is None or session is None else (account, session)


def _actor(visit: Visit[Guest]) -> Actor:
    return Actor(visit.signed_in().name)


def _deeds() -> ModuleType:
    """Return the module that loads Mephisto, which takes a second: whoever only watches does not wait for it."""
    from beat_the_ai.console import start_deeds

    return start_deeds
