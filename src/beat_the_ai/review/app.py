"""The HTTP side of the review: the page's files and a JSON API."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Mount

from beat_the_ai.review import views
from beat_the_ai.review.accounts import SignedIn
from beat_the_ai.review.decisions import Change
from beat_the_ai.review.desk import ReviewDesk, Verdict
from beat_the_ai.review.people import PeopleApi
from beat_the_ai.review.visits import HEADERS, Doorkeeper, Guard, GuardedRoute, done, view
from beat_the_ai.review.visits import Visit as VisitOf
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.roles import Right
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.health import health_route
from beat_the_ai.web.page_faults import page_faults

Visit = VisitOf[SignedIn]


class Judgement(Value):
    assignment: str
    verdict: Verdict
    reason: str = ""


class StandingChange(Value):
    """`confirmation` is the worker's id once more: a revocation has to be typed."""

    worker: str
    change: Change
    reason: str = ""
    confirmation: str = ""


class Admission(Value):
    """A lead's word on a work that is doubted."""

    attempt: str
    admitted: bool
    reason: str = ""


class HeldDecision(Value):
    """A lead's decision on a HIT on hold. `category` is the crowd's name for a kind of rejection."""

    assignment: str
    pays: bool
    reason: str = ""
    category: str | None = None


class Answer(Value):
    """The answer to a letter; `upheld` decides an appeal, and is null for a message."""

    letter: str
    text: str
    upheld: bool | None = None


class Results(Value):
    """The verdicts that count in a reviewer's view of workers."""

    all: bool


def build_app(desk: ReviewDesk, door: Doorkeeper[SignedIn], page: Path, cookie: str = "") -> Starlette:
    """Return the application. `page` is the folder of the built page; with a `cookie` of its name others share it."""
    # Cookies do not know ports: two campaigns that are reviewed on one machine each have their own.
    guard = Guard(door, cookie or f"reviewer_session_{short_hash(desk.campaign.id)}", partial(_check, desk))
    routes = [
        Mount("/api", routes=_Api(desk, guard).routes()),
        health_route("review", desk.store.look),
        page_faults(),
        Mount("/", BuiltPage(page)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(AnswerHeaders, headers=HEADERS)])


class _Api:
    def __init__(self, desk: ReviewDesk, guard: Guard[SignedIn]) -> None:
        self._desk = desk
        self._guard = guard
        self._people = PeopleApi(desk.people)

    def routes(self) -> list[GuardedRoute]:
        shown, changed = self._guard.shown, self._guard.changed
        return [
            *self._guard.session_routes(self.session),
            shown("/overview", Right.JUDGE, self.overview),
            shown("/workers", Right.JUDGE, self.workers),
            shown("/worker", Right.JUDGE, self.worker),
            shown("/candidates", Right.JUDGE, self.candidates),
            shown("/requests", Right.JUDGE, self.requests),
            shown("/doubtful", Right.JUDGE, self.doubtful),
            shown("/held", Right.JUDGE, self.held),
            shown("/letters", Right.JUDGE, self.letters),
            shown("/edits", Right.JUDGE, self.edits),
            shown("/log", Right.JUDGE, self.log),
            changed("/judgements", Right.JUDGE, self.judge),
            changed("/answers", Right.JUDGE, self.answer_letter),
            changed("/results", Right.JUDGE, self.see_results),
            changed("/standings", Right.DECIDE, self.change_standing),
            changed("/admissions", Right.DECIDE, self.settle_doubts),
            changed("/pay-decisions", Right.DECIDE, self.decide_pay),
            *self._people.routes(self._guard),
        ]

    def session(self, visit: Visit) -> Response:
        """Return the reviewer who has signed in, and the token that every change must carry."""
        who = visit.visitor
        if who is None:
            return view(views.SignedOut())
        return view(
            views.SignedIn(
                campaign=self._desk.campaign.id,
                reviewer=who.reviewer.name,
                role=who.reviewer.role,
                rights=who.reviewer.role.rights,
                sees_all=who.sees_all,
                people=who.reviewer.may(Right.DECIDE) and self._desk.people.is_there,
                form_token=who.form_token,
                unit=self._desk.campaign.crowd.unit,
            )
        )

    def overview(self, visit: Visit) -> Response:
        return view(self._desk.overview(visit.signed_in().reviewer.name))

    def workers(self, visit: Visit) -> Response:
        who, after, sought = visit.signed_in(), visit.asked("after"), visit.asked("sought")
        return view(self._desk.workers(who.reviewer.name, sees_all=who.sees_all, after=after, sought=sought))

    def worker(self, visit: Visit) -> Response:
        who = visit.signed_in()
        return view(self._desk.worker(who.reviewer.name, visit.asked("id"), sees_all=who.sees_all))

    def candidates(self, visit: Visit) -> Response:
        visit.signed_in()
        return view(self._desk.candidates())

    def requests(self, visit: Visit) -> Response:
        """The only one that asks the marketplace: apart from the others, which a silent one must not hold up."""
        visit.signed_in()
        return view(self._desk.requests())

    def doubtful(self, visit: Visit) -> Response:
        visit.signed_in()
        return view(self._desk.doubtful())

    def held(self, visit: Visit) -> Response:
        visit.signed_in()
        return view(self._desk.held())

    def decide_pay(self, visit: Visit) -> Response:
        who, sent = visit.signed_in(), visit.content(HeldDecision)
        return view(
            self._desk.decide_pay(
                who.reviewer, sent.assignment, pays=sent.pays, reason=sent.reason, category=sent.category
            )
        )

    def letters(self, visit: Visit) -> Response:
        return view(self._desk.letters(visit.signed_in().reviewer))

    def answer_letter(self, visit: Visit) -> Response:
        who, sent = visit.signed_in(), visit.content(Answer)
        return view(self._desk.answer(who.reviewer, sent.letter, sent.text, upheld=sent.upheld))

    def edits(self, visit: Visit) -> Response:
        visit.signed_in()
        return view(self._desk.edits(visit.asked("assignment"), visit.number("after") or 0))

    def log(self, visit: Visit) -> Response:
        return view(self._desk.log(visit.signed_in().reviewer.name, visit.number("before")))

    def judge(self, visit: Visit) -> Response:
        who, given = visit.signed_in(), visit.content(Judgement)
        self._desk.judge(who.reviewer, given.assignment, given.verdict, given.reason)
        return view(self._desk.judged(who.reviewer.name, given.assignment, sees_all=who.sees_all))

    def change_standing(self, visit: Visit) -> Response:
        who, given = visit.signed_in(), visit.content(StandingChange)
        return view(
            self._desk.change_standing(who.reviewer, given.worker, given.change, given.reason, given.confirmation)
        )

    def settle_doubts(self, visit: Visit) -> Response:
        who, sent = visit.signed_in(), visit.content(Admission)
        return view(self._desk.settle_doubts(who.reviewer, sent.attempt, admitted=sent.admitted, reason=sent.reason))

    def see_results(self, visit: Visit) -> Response:
        who = visit.signed_in()
        self._desk.see_all(who.reviewer, who.session_id, sees_all=visit.content(Results).all)
        return done()


def _check(desk: ReviewDesk, visit: Visit, right: Right) -> None:
    request = visit.request
    change = request.url.path.rpartition("/api/")[2] if request.method == "POST" else ""
    desk.admit(visit.signed_in().reviewer, right, change)
