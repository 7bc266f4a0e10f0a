"""Joining by an invitation, and signing in by a link. Opening a link changes nothing: mail scanners open them, too."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import invitations, letters, mail, sign_in_links
from beat_the_ai.marketplace.people.person import MAY_WORK, Person
from beat_the_ai.marketplace.people.store import portal_address
from beat_the_ai.marketplace.portal.entering import enter
from beat_the_ai.marketplace.portal.postbox import Postbox
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.web.passwords import MIN_CHARACTERS
from beat_the_ai.web.throttle import Throttle

FIELDS = ("name", "email", "password")
TOO_OFTEN = "You have asked for many links. Please try again in a quarter of an hour."


class Joining:
    """The pages behind invitations and links to sign in."""

    def __init__(self, postbox: Postbox) -> None:
        self._postbox = postbox
        self._throttle = Throttle()

    def look(self, visit: Visit) -> Response:
        return self._invitation(visit)

    def join(self, visit: Visit) -> Response:
        token = visit.named("token")
        entered = {name: visit.field(name) for name in FIELDS}
        try:
            with visit.market.writing() as moment:
                _, person = invitations.read(moment, token)
                email = (person.email if person else None) or entered["email"].strip()
                if not entered["password"] and not (email and mail.mail_server(moment)):
                    raise InvalidInput("password", "Choose a password: you sign in with it the next time.")
                joined = invitations.join(moment, token, **entered)
                link = sign_in_links.new_link(moment, joined) if joined.state == "unconfirmed" else None
        except InvalidInput as problem:
            return self._invitation(visit, problem)
        if joined.state == MAY_WORK:
            return enter(visit, joined.worker_id)
        self._send_link(visit, joined, link)
        shown: Response = visit.show("joined", person=joined, has_password=bool(entered["password"]))
        return shown

    def _invitation(self, visit: Visit, problem: InvalidInput | None = None) -> Response:
        with visit.market.reading() as moment:
            found, person = invitations.read(moment, visit.named("token"))
            server = mail.mail_server(moment)
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
        return enter(visit, person.worker_id)

    def ask_for_link(self, visit: Visit) -> Response:
        """The answer is the same whether somebody has this e-mail address or nobody."""
        email = visit.field("email").strip().lower()[:300]
        address = visit.request.client.host if visit.request.client else ""
        if not self._throttle.admit(address, email, visit.market.clock.now()):
            refused: Response = visit.show("problem", status=429, message=TOO_OFTEN, framed=False, inside=False)
            return refused
        with visit.market.writing() as moment:
            person = sign_in_links.asked_for(moment, email)
            link = None if person is None else sign_in_links.new_link(moment, person)
        if person is not None:
            self._send_link(visit, person, link)
        shown: Response = visit.show("link_sent", email=email)
        return shown

    def _send_link(self, visit: Visit, person: Person, token: str | None) -> None:
        with visit.market.reading() as moment:
            server, portal = mail.mail_server(moment), portal_address(moment)
        if server is not None and token is not None:
            base = portal or str(visit.request.base_url)
            self._postbox.post(server, letters.sign_in(person, letters.sign_in_address(base, token)))
