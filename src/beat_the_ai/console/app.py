"""The HTTP side of the console: its page, its JSON API, and the reviewers' page of each campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount

from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.console import feed, views
from beat_the_ai.console.acts import ActsApi
from beat_the_ai.console.agreement import KnownAgreement, agreement_page, known_agreement
from beat_the_ai.console.balance import Balance
from beat_the_ai.console.campaigns import NoMore, Sources, Watched, key_of
from beat_the_ai.console.changes import Listeners
from beat_the_ai.console.data_files import DataFilesApi
from beat_the_ai.console.doors import Doors, Guest
from beat_the_ai.console.figures import figures_of
from beat_the_ai.console.growing import Growing
from beat_the_ai.console.kept import Kept
from beat_the_ai.console.lines import line_of
from beat_the_ai.console.metrics import CampaignMetrics, metrics_route
from beat_the_ai.console.people import KnownPeople, known_people, people_page
from beat_the_ai.console.starts import StartsApi, check_may_start, may_start
from beat_the_ai.errors import UnknownName
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.app import build_app as build_review
from beat_the_ai.review.visits import HEADERS, Guard, GuardedRoute, Visit, view
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Store, now
from beat_the_ai.web.bearer import is_bearer
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.health import health_route
from beat_the_ai.web.page_faults import page_faults


@dataclass(frozen=True)
class Pages:
    """The folders of the built pages."""

    console: Path
    review: Path


@dataclass(frozen=True)
class Boards:
    """All that is kept of one campaign for those who watch it."""

    figures: Kept[views.Figures]
    people: Kept[KnownPeople]
    agreement: Kept[KnownAgreement]
    balance: Balance

    @classmethod
    def of(cls, watched: Watched, executor: Executor) -> Boards:
        return cls(
            Kept(watched, figures_of, executor),
            Kept(watched, known_people, executor),
            Kept(watched, known_agreement, executor),
            Balance(watched),
        )

    def close(self) -> None:
        """Give the connections back that look for changes."""
        for kept in (self.figures, self.people, self.agreement):
            kept.close()


class Site:
    """The console of some campaigns, by their keys. `executor` makes their figures.

    Scripts read the metrics and the API with the `token`. `sources` has the campaigns that appear later. With a
    `ground`, requesters start campaigns there.
    """

    def __init__(
        self,
        campaigns: Mapping[str, Watched],
        pages: Pages,
        executor: Executor,
        clock: Callable[[], datetime] = now,
        token: str | None = None,
        sources: Sources | None = None,
        ground: Ground | None = None,
    ) -> None:
        self._token = token
        self._campaigns = Growing(campaigns)
        self.pages = pages
        self._executor = executor
        self._sources = sources or NoMore()
        self._ground = ground
        self._growing = Lock()
        self._doors = Doors(self._stores, clock, self.look)
        self._let_in_of_folder()
        self.boards = Growing({key: Boards.of(each, executor) for key, each in campaigns.items()})
        self.figures = Growing({key: boards.figures for key, boards in self.boards.items()})
        self.listeners = Listeners(self._stores)
        # Cookies do not know ports: two consoles on one machine each have their own.
        self._cookie = f"console_session_{short_hash(*campaigns)}"
        self._app = self._built()

    @property
    def campaigns(self) -> Mapping[str, Watched]:
        """The campaigns by key. More may appear."""
        return self._campaigns

    def app(self) -> Starlette:
        """Return the application."""
        return self._app

    def _built(self) -> Starlette:
        given = (self._campaigns, self.boards, self.listeners, self._doors, self._cookie, self._script)
        api = _Api(*given, self.look, self._away)
        routes = [
            Mount("/api", routes=api.routes(self._ground)),
            health_route("console", self._check_stores),
            metrics_route(CampaignMetrics(self._campaigns, self.figures), self._token),
            *(self._review(key, each) for key, each in self._campaigns.items()),
            page_faults(),
            Mount("/", BuiltPage(self.pages.console)),
        ]
        return Starlette(routes=routes, middleware=[Middleware(AnswerHeaders, headers=HEADERS)])

    def _review(self, key: str, watched: Watched) -> Mount:
        door = self._doors.of(watched.store)
        return Mount(f"/review/{key}", build_review(watched.desk, door, self.pages.review, self._cookie))

    def look(self) -> bool:
        """Take up the campaigns that have appeared. Return whether there is any."""
        with self._growing:
            known = len(self._campaigns)
            self._let_in_of_folder()
            for watched in self._sources.more():
                self._add(key_of(watched, self._campaigns), watched)
            return len(self._campaigns) > known

    def _let_in_of_folder(self) -> None:
        """Let in those with an account of the folder."""
        accounts = self._sources.accounts
        if accounts is not None:
            self._doors.add(accounts)

    def _add(self, key: str, watched: Watched) -> None:
        if watched.store not in self._stores:
            self._doors.add(watched.store)
            self.listeners.add(watched.store)
        boards = Boards.of(watched, self._executor)
        self.boards.add(key, boards)
        self.figures.add(key, boards.figures)
        router = self._app.router
        router.routes = [self._review(key, watched), *router.routes]
        self._campaigns.add(key, watched)  # last: whoever finds it there finds all of it
        boards.figures.renew()

    @property
    def _stores(self) -> list[Store]:
        return list(dict.fromkeys(each.store for each in self._campaigns.values()))

    def _script(self, headers: Headers) -> Guest | None:
        """Return whom the token lets in; None for whoever does not show it."""
        is_known = self._token is not None and is_bearer(headers, self._token)
        return self._doors.script() if is_known else None

    def _away(self) -> list[str]:
        """Return the places of campaigns whose store does not answer."""
        away = self._doors.away
        gone = [each.shown_place for each in self._campaigns.values() if each.store in away]
        return [*gone, *self._sources.unopened]

    def _check_stores(self) -> None:
        for store in self._stores:
            store.look()

    def close(self) -> None:
        """Give the connections back that look for changes."""
        for boards in self.boards.values():
            boards.close()


class _Api:
    def __init__(
        self,
        campaigns: Mapping[str, Watched],
        boards: Mapping[str, Boards],
        listeners: Listeners,
        doors: Doors,
        cookie: str,
        script: Callable[[Headers], Guest | None],
        look: Callable[[], bool],
        away: Callable[[], list[str]],
    ) -> None:
        self._campaigns = campaigns
        self._boards = boards
        self._listeners = listeners
        self._guard = Guard(doors, cookie, self.check, script)
        self._look = look
        self._away = away
        self._starts = False

    def routes(self, ground: Ground | None) -> list[GuardedRoute]:
        """Return all routes; those of campaigns that are started with a `ground` alone."""
        shown = self._guard.shown
        starts = [] if ground is None else StartsApi(ground, self._campaigns, self._guard, self._look).routes()
        self._starts = ground is not None
        return [
            *self._guard.session_routes(self.session),
            shown("/lines", None, self.lines),
            shown("/figures", Right.WATCH, self.figures),
            shown("/people", Right.WATCH, self.people),
            shown("/agreement", Right.WATCH, self.agreement),
            shown("/balance", Right.WATCH, self.balance),
            shown("/feed", Right.WATCH, self.feed),
            shown("/attempt", Right.WATCH, self.attempt),
            self._guard.streamed("/changes", Right.WATCH, self.changes),
            *ActsApi(self._watched, self._guard).routes(),
            *DataFilesApi(self._watched, self._guard).routes(),
            *starts,
        ]

    def session(self, visit: Visit[Guest]) -> Response:
        """Return who has signed in, and the campaigns whose stores know them, new ones too."""
        guest = visit.visitor
        if guest is None:
            return view(views.SignedOut())
        if self._look():
            guest = self._guard.let_in(visit.request, None).signed_in()
        campaigns = tuple(
            views.Campaign(key=key, id=each.id, place=each.shown_place, role=role, rights=role.rights)
            for key, each in self._campaigns.items()
            if (role := guest.role(each.store)) is not None
        )
        return view(
            views.SignedIn(
                reviewer=guest.name,
                may_start=self._starts and may_start(guest),
                form_token=guest.form_token,
                campaigns=campaigns,
                away=tuple(self._away()) if may_start(guest) else (),
            )
        )

    def figures(self, visit: Visit[Guest]) -> Response:
        figures, again_seconds = self._of(visit).figures.now()
        shown = figures.model_copy(update={"again_seconds": again_seconds})
        return view(shown if self._judges(visit) else shown.model_copy(update={"needs": None}))

    def lines(self, visit: Visit[Guest]) -> Response:
        """Return a line for each campaign whose console the visitor may see. Raises `NotSignedIn`."""
        guest = visit.signed_in()
        seen = [
            line_of(key, each, self._boards[key].figures.last, has_needs=role.may(Right.JUDGE))
            for key, each in self._campaigns.items()
            if (role := guest.role(each.store)) is not None and role.may(Right.WATCH)
        ]
        return view(views.Lines(lines=tuple(seen)))

    def people(self, visit: Visit[Guest]) -> Response:
        known = self._of(visit).people.now()
        return view(people_page(*known, visit.asked("sort"), visit.number("page"), has_ids=self._judges(visit)))

    def agreement(self, visit: Visit[Guest]) -> Response:
        known = self._of(visit).agreement.now()
        return view(agreement_page(*known, visit.number("page"), has_ids=self._judges(visit)))

    def balance(self, visit: Visit[Guest]) -> Response:
        return view(self._of(visit).balance.now())

    def feed(self, visit: Visit[Guest]) -> Response:
        watched, who = self._watched(visit)
        filters = feed.Filters.read(
            **{name: visit.asked(name) for name in ("model", "outcome", "label", "category", "only")}
        )
        return view(feed.feed(watched, filters, visit.asked("before"), who))

    def attempt(self, visit: Visit[Guest]) -> Response:
        watched, who = self._watched(visit)
        return view(feed.tried(watched, visit.asked("id"), who))

    def changes(self, visit: Visit[Guest], is_let_in: Callable[[], bool]) -> Response:
        """Server-sent events: one at each change of the campaign's store."""
        watched, who = self._watched(visit)
        self._listeners.check(who.name)
        events = self._listeners.stream(watched.store, who.name, is_let_in)
        return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    def check(self, visit: Visit[Guest], right: Right) -> None:
        """Raise for a visitor without a right in the campaign that is asked for. A start is of none that is there."""
        if right is Right.START:
            check_may_start(visit.signed_in())
        else:
            self._watched(visit)[1].check(right)

    def _of(self, visit: Visit[Guest]) -> Boards:
        """Return what is kept of the campaign that is asked for. Raises as `_watched` does."""
        self._watched(visit)
        return self._boards[visit.asked("campaign")]

    def _judges(self, visit: Visit[Guest]) -> bool:
        """Return whether the visitor sees workers' ids, and what waits for a person."""
        return self._watched(visit)[1].may(Right.JUDGE)

    def _watched(self, visit: Visit[Guest]) -> tuple[Watched, Reviewer]:
        """Return the campaign that is asked for, and who the visitor is in it.

        Raises `NotSignedIn`, and `UnknownName` for a campaign whose store does not know the visitor, too.
        """
        guest, key = visit.signed_in(), visit.asked("campaign")
        watched = self._campaigns.get(key)
        session = None if watched is None else guest.sessions.get(watched.store)
        if watched is None or session is None:
            raise UnknownName("campaign", key, [])
        return watched, session.reviewer
