"""The words of e-mails to people."""

from __future__ import annotations

from datetime import datetime

from beat_the_ai.marketplace.people.mail import Letter
from beat_the_ai.marketplace.people.person import Person
from beat_the_ai.words.voice import Voice


def join_address(portal: str, token: str) -> str:
    """Return the address of an invitation; `portal` is the address under which people reach the portal."""
    return f"{portal.rstrip('/')}/worker/join/{token}"


def sign_in_address(portal: str, token: str) -> str:
    return f"{portal.rstrip('/')}/worker/link/{token}"


def invitation(voice: Voice, person: Person, url: str, expires_at: datetime) -> Letter:
    """Return an invitation in the language of the voice."""
    until = f"{expires_at:%Y-%m-%d %H:%M} UTC"
    body = voice.say("portal_mail.invitation.text", name=person.shown_name, url=url, until=until)
    return Letter(person.shown_name, str(person.email), voice.say("portal_mail.invitation"), body)


def sign_in(voice: Voice, person: Person, url: str) -> Letter:
    """Return a letter with a link. Nobody is called by a name that somebody else may have written."""
    subject = voice.say("portal_mail.sign_in")
    if person.state == "unconfirmed":
        return Letter("", str(person.email), subject, voice.say("portal_mail.sign_in.nameless", url=url))
    body = voice.say("portal_mail.sign_in.text", name=person.shown_name, url=url)
    return Letter(person.shown_name, str(person.email), subject, body)
