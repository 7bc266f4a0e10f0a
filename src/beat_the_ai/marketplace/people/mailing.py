"""Invitations sent by e-mail, each noted as soon as it is sent, so that sending can be repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import invitations, letters, mail, store
from beat_the_ai.marketplace.people.person import Person, note_mail
from beat_the_ai.marketplace.saying import voices


def send_invitations(
    market: Market, invited: Sequence[Person], lasts: timedelta, server: mail.MailServer
) -> Iterator[mail.Sent]:
    """Yield the outcome of each invitation. All of the people need an e-mail address. Raises as `mail.send` does."""

    def written() -> Iterator[mail.Letter]:
        for one in invited:
            with market.writing() as moment:
                token, until = invitations.invite(moment, one, lasts), moment.now + lasts
                address = letters.join_address(store.portal_address(moment), token)
                voice = voices()[store.language_of(moment)]
            yield letters.invitation(voice, one, address, until)

    for one, sent in zip(invited, mail.send(server, written()), strict=False):
        if not sent.refusal:
            with market.writing() as moment:
                note_mail(moment, one)
        yield sent
