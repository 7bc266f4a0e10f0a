"""Joining by an invitation, and signing in by a link. Opening a link changes nothing: mail scanners open them, too."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import invitations, letters, mail, sign_in_links
from beat_the_ai.marketplace.people.person import MAY_WORK, Person
from beat_the_ai.marketplace.people.store import portal_address
from beat_the_ai.marketplace.portal.entering import HOME, enter
from beat_the_ai.marketplace.portal.postbox import Postbox
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said
from beat_the_ai.web.passwords import MIN_CHARACTERS
from beat_the_ai.web.throttle import Throttle

FIELDS = ("name", "email", "password")
ASKS_BY_NAME, ASKS_BY_ADDRESS = 5, 300  # a class sits behind one address


class Joining:
    """The pages behind invitations and links to sign in."""

    def __init__(self, postbox: Postbox) -> None:
        self._postbox = postbox
        self._throttle = Throttle(ASKS_BY_NAME, ASKS_BY_ADDRESS)

    def look(self, visit: Visit) -> Response:
        return self._invitation(visit)

    def join(self, visit: Visit) -> Response:
        token = visit.named("token")
        entered = {name: visit.field(name) for name in FIELDS}
        email = entered["email"].strip()
        if email and not self._may_ask(visit, email):
            return _too_often(visit)
        try:
            with visit.market.writing() as moment:
                sends = mail.usable_server(moment) is not None
                found, person = invitations.read(moment, token)
                if not entered["password"] and not (sends and (email if person is None else person.email)):
                    raise InvalidInput("password", said("portal_refusals.needs_password"))
                joined = invitations.join(moment, token, **entered, confirms=sends)
                asks = found.worker_id is None and joined.email is not None
                link = sign_in_links.new_link(moment, joined) if asks else None
                if not asks and joined.state == MAY_WORK:
                    return enter(visit, moment, joined.worker_id, HOME if joined.email else "/worker/account/welcome")
        except InvalidInput as problem:
            return self._invitation(visit, problem)
        if asks:
            self._send_link(visit, joined, link)
            shown: Response = visit.show("link_sent", email=joined.email, joins=True)
            return shown
        return _waiting(visit, joined)

    def _invitation(self, visit: Visit, problem: InvalidInput | None = None) -> Response:
        with visit.market.reading() as moment:
            found, person = invitations.read(moment, visit.named("token"))
            server = mail.usable_server(moment)
        shown: Response = visit.show(
            "join",
            status=400 if problem else 200,
            invitation=found,
            person=person,
            sends_mail=server is not None,
            problem=problem,
            entered={name: visit.field(name)[:300] for name in FIELDS if name != "password"},
            min_password=MIN_CHARACTERS,
        )
        return shown

    def look_at_link(self, visit: Visit) -> Response:
        with visit.market.reading() as moment:
            person = sign_in_links.read(moment, visit.named("token"))
        shown: Response = visit.show("link", person=person)
        return shown

    def use_link(self, visit: Visit) -> Response:
        with visit.market.writing() as moment:
            person = sign_in_links.use(moment, visit.named("token"))
            if person.state == MAY_WORK:
                return enter(visit, moment, person.worker_id)
        return _waiting(visit, person)

    def ask_for_link(self, visit: Visit) -> Response:
        """The answer is the same whether somebody has this e-mail address or nobody."""
        email = visit.field("email").strip().lower()[:300]
        if not self._may_ask(visit, email):
            return _too_often(visit)
        with visit.market.writing() as moment:
            person = sign_in_links.asked_for(moment, email)
            link = None if person is None else sign_in_links.new_link(moment, person)
        if person is not None:
            self._send_link(visit, person, link)
        shown: Response = visit.show("link_sent", email=email, joins=False)
        return shown

    def _may_ask(self, visit: Visit, email: str) -> bool:
        address = visit.request.client.host if visit.request.client else ""
        return self._throttle.admit(address, email.lower(), visit.market.clock.now())

    def _send_link(self, visit: Visit, person: Person, token: str | None) -> None:
        """The address in the letter is the requester's: this request may name any host."""
        with visit.market.reading() as moment:
            server, portal = mail.usable_server(moment), portal_address(moment)
        if server is not None and token is not None:
            self._postbox.post(server, letters.sign_in(visit.voice, person, letters.sign_in_address(portal, token)))


def _waiting(visit: Visit, person: Person) -> Response:
    shown: Response = visit.show("joined", person=person)
    return shown


def _too_often(visit: Visit) -> Response:
    refused: Response = visit.show(
        "problem", status=429, message=said("portal_refusals.links.too_often"), framed=False, inside=False
    )
    return refused
