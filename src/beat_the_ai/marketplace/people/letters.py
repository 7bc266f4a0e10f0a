"""The words of e-mails to people."""

from __future__ import annotations

from datetime import datetime

from beat_the_ai.marketplace.people.mail import Letter
from beat_the_ai.marketplace.people.person import Person

INVITATION = """Hello {name},

you are invited to take part. Open this link and choose "Join":

{url}

The link is for you alone. It works once, until {until}.
If you did not expect this e-mail, ignore it: nothing happens then.
"""
SIGN_IN = """Hello{name},

open this link and choose "Sign in":

{url}

It works once, for 30 minutes. If you did not ask for it, ignore it: nobody gets in without it.
"""


def join_address(portal: str, token: str) -> str:
    """Return the address of an invitation; `portal` is the address under which people reach the portal."""
    return f"{portal.rstrip('/')}/worker/join/{token}"


def sign_in_address(portal: str, token: str) -> str:
    return f"{portal.rstrip('/')}/worker/link/{token}"


def invitation(person: Person, url: str, expires_at: datetime) -> Letter:
    body = INVITATION.format(name=person.shown_name, url=url, until=f"{expires_at:%d %B %Y, %H:%M} UTC")
    return Letter(person.shown_name, str(person.email), "Your invitation", body)


def sign_in(person: Person, url: str) -> Letter:
    """Nobody is called by a name that somebody else may have written."""
    name = "" if person.state == "unconfirmed" else person.shown_name
    body = SIGN_IN.format(name=f" {name}" if name else "", url=url)
    return Letter(name, str(person.email), "Your link to sign in", body)
