"""The routes by which leads manage people."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from beat_the_ai.review.accounts import SignedIn
from beat_the_ai.review.people import views
from beat_the_ai.review.people.desk import MAX_LIST_BYTES, TOO_LONG, PeopleDesk
from beat_the_ai.review.visits import Guard, GuardedRoute, Visit, view
from beat_the_ai.rules.roles import Right

MAX_BODY_BYTES = MAX_LIST_BYTES * 4 // 3 + 4096  # in base64, with the names of file and group


class PeopleApi:
    """The acts of leads on people."""

    def __init__(self, desk: PeopleDesk) -> None:
        self._desk = desk

    def routes(self, guard: Guard[SignedIn]) -> list[GuardedRoute]:
        """Return the routes. Lists are long, all else is short."""
        shown, changed, right = guard.shown, guard.changed, Right.DECIDE
        return [
            shown("/people", right, self.page),
            shown("/people/crowd", right, self.crowd),
            changed("/people/invitations", right, self.invite),
            changed("/people/open-links", right, self.open_link),
            changed("/people/closed-links", right, self.close_link),
            changed("/people/groups", right, self.change_groups),
            changed("/people/states", right, self.change_states),
            changed("/people/sign-in-links", right, self.sign_in_link),
            changed("/people/previews", right, self.preview, most=MAX_BODY_BYTES, too_long=TOO_LONG),
            changed("/people/lists", right, self.import_list, most=MAX_BODY_BYTES, too_long=TOO_LONG),
        ]

    def page(self, visit: Visit[SignedIn]) -> Response:
        asked = {name: visit.asked(name) for name in ("after", "group", "state", "words")}
        return view(self._desk.page(**asked))

    def crowd(self, _visit: Visit[SignedIn]) -> Response:
        return view(self._desk.crowd())

    def invite(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.invite(visit.signed_in().reviewer, visit.content(views.Invitation)))

    def open_link(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.open_link(visit.signed_in().reviewer, visit.content(views.OpenLinkTerms)))

    def close_link(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.close_link(visit.signed_in().reviewer, visit.content(views.ClosedLink).id))

    def preview(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.preview(visit.content(views.SentList)))

    def import_list(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.import_list(visit.signed_in().reviewer, visit.content(views.SentList)))

    def change_groups(self, visit: Visit[SignedIn]) -> Response:
        changed = self._desk.change_groups(visit.signed_in().reviewer, visit.content(views.GroupMembers))
        return JSONResponse([one.sent() for one in changed])

    def change_states(self, visit: Visit[SignedIn]) -> Response:
        changed = self._desk.change_states(visit.signed_in().reviewer, visit.content(views.StateChange))
        return JSONResponse([one.sent() for one in changed])

    def sign_in_link(self, visit: Visit[SignedIn]) -> Response:
        return view(self._desk.sign_in_link(visit.signed_in().reviewer, visit.content(views.LinkFor).worker))
