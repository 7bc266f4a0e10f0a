"""A lead's view of the people of the crowd, and the acts of `beat-the-ai people`, each logged first.

The log has worker ids, groups and numbers: neither names nor addresses, because it outlives them, and no link.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timedelta

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.marketplace import identifiers, withdrawals
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import (
    changes,
    directory,
    enrolment,
    invitations,
    letters,
    mail,
    mailing,
    person,
    roster,
    sign_in_links,
    store,
    studies,
)
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.journal import Journal
from beat_the_ai.review.people import views
from beat_the_ai.rules.text import clean_line
from beat_the_ai.store import now
from beat_the_ai.terms.campaign import BoundCampaign

PAGE_OF_PEOPLE = 50
MAX_WORDS_CHARS = 200
MAX_LIST_BYTES = 2_000_000
FIRST_SHOWN = 3
TOO_LONG = "At most 2 MB can be imported here. `beat-the-ai people import` takes longer lists."
NO_PEOPLE = "This campaign has no people of its own: its crowd is {crowd}."
NO_MAIL = "No e-mail can be sent from here. Set a mail server: beat-the-ai people mail-server"


class PeopleDesk:
    """The people of one campaign's crowd. Their store is opened for each act: the portal may run beside."""

    def __init__(self, campaign: BoundCampaign, clock: Callable[[], datetime] = now) -> None:
        self._crowd = campaign.crowd
        self._journal = Journal(campaign.store, clock)

    @property
    def is_there(self) -> bool:
        """Return whether the campaign's crowd has people who can be managed."""
        return self._crowd.people is not None

    @contextmanager
    def _market(self) -> Iterator[Market]:
        if self._crowd.people is None:
            raise Refused(NO_PEOPLE.format(crowd=self._crowd.provider or "none"))
        with store.people_at(self._crowd.people) as market:
            yield market

    def _entry(self, who: Reviewer, act: str, worker: str = "", note: str = "") -> AbstractContextManager[None]:
        return self._journal.entry(who, act, worker, note, is_private=True)

    @contextmanager
    def _entries(self, who: Reviewer, act: str, workers: Sequence[str], note: str = "") -> Iterator[None]:
        with ExitStack() as entries:
            for worker in dict.fromkeys(workers):
                entries.enter_context(self._entry(who, act, worker, note))
            yield

    def page(self, *, after: str, group: str, state: str, words: str) -> views.PeoplePage:
        """Return a page of people. Raises `InvalidInput`."""
        if state and state not in person.STATES:
            raise UnknownName("state", state, person.STATES)
        if after and not (after.isascii() and after.isalnum()):
            raise InvalidInput("after", "after must be the worker id that the last page ended with.")
        if len(words) > MAX_WORDS_CHARS or not words.isprintable():
            raise InvalidInput("words", f"At most {MAX_WORDS_CHARS} characters can be looked for.")
        with self._market() as market, market.reading() as moment:
            found = directory.page(
                moment, PAGE_OF_PEOPLE, after=after or None, group=group or None, state=state or None, words=words
            )
            end = found.people[-1].worker_id if found.left else None
            return views.PeoplePage(people=_views(moment, found.people), left=found.left, after=end)

    def crowd(self) -> views.Crowd:
        """Return all people in numbers, and the open links."""
        with self._market() as market, market.reading() as moment:
            sizes, groups = directory.states(moment), person.groups_with_sizes(moment)
            return views.Crowd(
                states=tuple(views.StateSize(state=one, people=sizes.get(one, 0)) for one in person.STATES),
                groups=tuple(views.GroupSize(name=name, people=size) for name, size in groups.items()),
                links=tuple(_link(one) for one in invitations.open_links(moment)),
                mails=mail.usable_server(moment) is not None,
            )

    def invite(self, who: Reviewer, sent: views.Invitation) -> views.Invited:
        """Invite somebody, who is added if need be: by e-mail, or by a link to hand over.

        Raises `InvalidInput`, and `Refused` for somebody who has nothing to join.
        """
        wanted, lasts = clean_line("name", sent.who, max_chars=person.MAX_EMAIL_CHARS), timedelta(days=sent.days)
        with self._market() as market:
            with market.reading() as moment:
                known, server = enrolment.known(moment, wanted), mail.usable_server(moment)
            if known is not None:
                invitations.check_invited(known)
            email = enrolment.described(wanted, sent.name).email if known is None else known.email
            if sent.by_mail and server is None:
                raise Refused(NO_MAIL)
            if sent.by_mail and email is None:
                raise InvalidInput("email", "An invitation by e-mail needs an address.")
            worker = identifiers.new_person() if known is None else known.worker_id
            with self._entry(who, "invite_person", worker, "by e-mail" if sent.by_mail else "by a link"):
                with market.writing() as moment:
                    invited = enrolment.found_or_added(moment, wanted, sent.name, new_id=worker)
                if sent.by_mail and server is not None:
                    link = None
                    _send(market, invited, lasts, server)
                else:
                    with market.writing() as moment:
                        token = invitations.invite(moment, invited, lasts)
                        link = letters.join_address(store.portal_address(moment), token)
        return views.Invited(worker=invited.worker_id, name=invited.shown_name, link=link)

    def open_link(self, who: Reviewer, sent: views.OpenLinkTerms) -> views.Link:
        """Return a link by which several people can join. Raises `InvalidInput`."""
        group = person.clean_group(sent.group) if sent.group.strip() else None
        domain = clean_line("domain", sent.domain, max_chars=person.MAX_EMAIL_CHARS) if sent.domain.strip() else None
        terms = invitations.OpenTerms(sent.places, domain, sent.needs_approval, group)
        entry = self._entry(who, "open_link", note=_note(terms, sent.days))
        with self._market() as market, entry, market.writing() as moment:
            token = invitations.invite_openly(moment, terms, timedelta(days=sent.days))
            return views.Link(link=letters.join_address(store.portal_address(moment), token))

    def close_link(self, who: Reviewer, link_id: str) -> views.Crowd:
        """Take an open link back, by its id, and return what is left. Raises `UnknownName`."""
        with self._market() as market:
            with market.reading() as moment:
                ids = [one.id for one in invitations.open_links(moment)]
            if link_id not in ids:
                raise UnknownName("link", link_id, ids)
            with self._entry(who, "close_link", link_id), market.writing() as moment:
                invitations.revoke(moment, link_id)
        return self.crowd()

    def preview(self, sent: views.SentList) -> views.ListPreview:
        """Return what an import of a list would do. Raises `InvalidInput` for what is no list."""
        listed = roster.look_through(_decoded(sent), sent.file)
        with self._market() as market, market.reading() as moment:
            foreseen = enrolment.preview(moment, listed)
        shown = listed.faults[: roster.FAULTS_SHOWN]
        return views.ListPreview(
            **vars(foreseen),
            first=tuple(views.ListedPerson.model_validate(one) for one in listed.people[:FIRST_SHOWN]),
            faults=tuple(views.LineFault.model_validate(fault) for fault in shown),
            more_faults=len(listed.faults) - len(shown),
        )

    def import_list(self, who: Reviewer, sent: views.SentList) -> views.Imported:
        """Add the people of a list. Raises `InvalidInput` with the faults, and adds nobody then."""
        listed = roster.read_roster(_decoded(sent), sent.file)
        groups = [person.clean_group(sent.group)] if sent.group.strip() else []
        note = f"{len(listed.people)} on the list" + "".join(f", group {name}" for name in groups)
        with self._market() as market, self._entry(who, "import_people", note=note), market.writing() as moment:
            return views.Imported(**vars(enrolment.enrol(moment, listed, groups)))

    def change_groups(self, who: Reviewer, sent: views.GroupMembers) -> tuple[views.Person, ...]:
        """Put people into a group or take them out, and return them. Raises `InvalidInput`."""
        group, act = person.clean_group(sent.group), {"add": "add_to_group", "remove": "take_out_of_group"}[sent.change]
        with self._market() as market:
            with market.reading() as moment:
                _named(moment, sent.workers)
            with self._entries(who, act, sent.workers, group), market.writing() as moment:
                changes.change_groups(moment, _named(moment, sent.workers), sent.change, group)
                return _views(moment, _named(moment, sent.workers))

    def change_states(self, who: Reviewer, sent: views.StateChange) -> tuple[views.Person, ...]:
        """Approve, suspend, restore or remove, and return the people. A removal is of one, whose id is typed.

        Raises `InvalidInput`.
        """
        if sent.change == "remove" and (sent.confirmation,) != sent.workers:
            raise InvalidInput("confirmation", f"Type {sent.workers[0]} to confirm that this account is erased.")
        with self._market() as market:
            with market.reading() as moment:
                _named(moment, sent.workers)
            with self._entries(who, f"{sent.change}_person", sent.workers), market.writing() as moment:
                changes.change_states(moment, _named(moment, sent.workers), sent.change)
                return _views(moment, _named(moment, sent.workers))

    def sign_in_link(self, who: Reviewer, worker: str) -> views.Link:
        """Return a link that signs somebody in once, within a week. Raises `InvalidInput`."""
        with self._market() as market:
            with market.reading() as moment:
                [found] = _named(moment, [worker])
            with self._entry(who, "sign_in_link", worker), market.writing() as moment:
                token = sign_in_links.hand_over(moment, found)
                return views.Link(link=letters.sign_in_address(store.portal_address(moment), token))


def _named(moment: Moment, workers: Sequence[str]) -> list[person.Person]:
    """Return the people with these worker ids. Raises `UnknownName`."""
    found = person.people_with(moment, list(dict.fromkeys(workers)))
    missing = set(workers) - {one.worker_id for one in found}
    if missing:
        raise UnknownName("worker", min(missing), [])
    return found


def _views(moment: Moment, people: Sequence[person.Person]) -> tuple[views.Person, ...]:
    workers = [one.worker_id for one in people]
    recruited, withdrawn = studies.recruited_among(moment, workers), withdrawals.among(moment, workers)
    return tuple(_view(one, withdrawn.get(one.worker_id), recruited=one.worker_id in recruited) for one in people)


def _view(one: person.Person, withdrawal: withdrawals.Withdrawal | None, *, recruited: bool) -> views.Person:
    return views.Person(
        worker=one.worker_id,
        name=one.name,
        email=one.email,
        state=one.state,
        groups=one.groups,
        recruited=recruited,
        mailed_at=one.mailed_at,
        withdrawn_at=None if withdrawal is None else withdrawal.at,
        erase_at=None if withdrawal is None else withdrawal.erase_at,
        changes=changes.possible(one),
        may_get_link=one.state == person.MAY_WORK and not recruited,
    )


def _link(one: invitations.Invitation) -> views.OpenLink:
    return views.OpenLink(
        id=one.id,
        joined=one.joined,
        places=one.places,
        expires_at=one.expires_at,
        domain=one.domain,
        needs_approval=one.needs_approval,
        group=one.group_name,
    )


def _note(terms: invitations.OpenTerms, days: int) -> str:
    said = [f"{terms.places} places", f"{days} days"]
    if terms.domain is not None:
        said.append(f"@{terms.domain}")
    if terms.needs_approval:
        said.append("approval")
    if terms.group is not None:
        said.append(f"group {terms.group}")
    return ", ".join(said)


def _send(market: Market, invited: person.Person, lasts: timedelta, server: mail.MailServer) -> None:
    """Send one invitation. Raises `Refused` with the mail server's reason."""
    for sent in mailing.send_invitations(market, [invited], lasts, server):
        if sent.refusal:
            raise Refused(f"The mail server refused the letter: {sent.refusal}")


def _decoded(sent: views.SentList) -> bytes:
    """Return the content of a list. Raises `InvalidInput`."""
    try:
        content = base64.b64decode(sent.content, validate=True)
    except binascii.Error:
        raise InvalidInput("content", "The file was not sent whole. Please choose it again.") from None
    if len(content) > MAX_LIST_BYTES:
        raise InvalidInput("content", TOO_LONG)
    return content
