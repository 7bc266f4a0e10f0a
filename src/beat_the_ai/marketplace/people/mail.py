"""E-mail to people: over the requester's SMTP server, or as a file for mail merge where there is none.

The store keeps the server's address and the sender; the password is read from `BEAT_THE_AI_SMTP_PASSWORD` alone. Except
to this machine, nothing is sent without TLS.
"""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.errors import MessageDefect, MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace import settings
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import clean_email, clean_name

PASSWORD_VARIABLE = "BEAT_THE_AI_SMTP_PASSWORD"  # noqa: S105 - the variable's name
MAIL_SERVER = "mail_server"
SECONDS = 30
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}
THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class MailServer:
    """An SMTP server. `url` is smtp://USER@HOST:PORT (STARTTLS) or smtps://USER@HOST:PORT; `sender` NAME <ADDRESS>."""

    url: str
    sender: str

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def user(self) -> str:
        return unquote(urlsplit(self.url).username or "")

    @property
    def lacks_password(self) -> bool:
        """Return whether it asks for a password that the environment does not have."""
        return bool(self.user) and not os.environ.get(PASSWORD_VARIABLE)

    @property
    def domain(self) -> str:
        """Return the sender's domain: this machine's own name tells strangers about it, and may take long to find."""
        return parseaddr(self.sender)[1].rpartition("@")[2]

    @property
    def is_local(self) -> bool:
        return self.host in THIS_MACHINE


@dataclass(frozen=True)
class Letter:
    """An e-mail in plain text to one person."""

    name: str
    email: str
    subject: str
    body: str


@dataclass(frozen=True)
class Sent:
    """The outcome of a letter; `refusal` is the server's reason, "" where it took the letter."""

    letter: Letter
    refusal: str = ""


def check_server(url: str, sender: str) -> MailServer:
    """Return the mail server. Raises `InvalidInput` for an address or a sender that cannot be used."""
    parts = urlsplit(url)
    try:
        usable = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.path not in ("", "/") or parts.query:
        raise InvalidInput("smtp", f"{url[:80]!r} is no mail server. Write smtp://USER@HOST:587 or smtps://USER@HOST.")
    if parts.password is not None:
        raise InvalidInput("smtp", f"The password does not belong in the address. Set {PASSWORD_VARIABLE}.")
    name, address = parseaddr(sender)
    if not address:
        raise InvalidInput("sender", f"{sender[:80]!r} is no sender. Write 'Name <name@example.org>'.")
    cleaned = clean_email(address)
    return MailServer(url, str(Address(clean_name(name) if name else "", addr_spec=cleaned)))


def keep_server(moment: Moment, server: MailServer | None) -> None:
    """Keep the mail server of this store; None removes it."""
    if server is None:
        settings.remove(moment, MAIL_SERVER)
    else:
        settings.put(moment, MAIL_SERVER, {"url": server.url, "sender": server.sender})


def usable_server(moment: Moment) -> MailServer | None:
    """Return the mail server if links can be sent over it from here; None where its password is missing."""
    server = mail_server(moment)
    return None if server is None or server.lacks_password else server


def mail_server(moment: Moment) -> MailServer | None:
    """Return the mail server of this store, if there is one."""
    value = settings.get(moment, MAIL_SERVER)
    return None if value is None else MailServer(value["url"], value["sender"])


def send(server: MailServer, letters: Iterable[Letter]) -> Iterator[Sent]:
    """Send letters one after the other over one connection; yield the outcome of each at once.

    Raises `InvalidInput` where the server cannot be reached, or does not let us in; nothing more is sent then.
    """
    with _connected(server) as connection:
        for letter in letters:
            yield Sent(letter, _sent(connection, server, letter))


def greet(server: MailServer) -> None:
    """Sign in, and send nothing. Raises `InvalidInput` as `send` does."""
    with _connected(server):
        pass


def _sent(connection: smtplib.SMTP, server: MailServer, letter: Letter) -> str:
    try:
        connection.send_message(_written(server, letter))
    except smtplib.SMTPServerDisconnected as error:
        raise _unreachable(server, error) from error
    except smtplib.SMTPRecipientsRefused as error:
        code, reason = next(iter(error.recipients.values()))
        return f"{code} {_text(reason)}"
    except smtplib.SMTPResponseException as error:
        return f"{error.smtp_code} {_text(error.smtp_error)}"
    except (smtplib.SMTPException, MessageError, MessageDefect, ValueError) as error:
        return _text(str(error)) or "the letter cannot be written"
    except OSError as error:
        raise _unreachable(server, error) from error
    return ""


def _written(server: MailServer, letter: Letter) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = letter.subject
    message["From"] = server.sender
    message["To"] = Address(letter.name, addr_spec=letter.email)
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=server.domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.body)
    return message


@contextmanager
def _connected(server: MailServer) -> Iterator[smtplib.SMTP]:
    try:
        connection = _opened(server)
    except (OSError, smtplib.SMTPException) as error:
        raise _unreachable(server, error) from error
    try:
        yield connection
    finally:
        connection.close()


def _opened(server: MailServer) -> smtplib.SMTP:
    parts = urlsplit(server.url)
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    if parts.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, port, server.domain, timeout=SECONDS, context=ssl.create_default_context()
        )
    else:
        connection = smtplib.SMTP(server.host, port, server.domain, timeout=SECONDS)
    try:
        connection.ehlo()
        if parts.scheme == "smtp" and (connection.has_extn("starttls") or not server.is_local):
            connection.starttls(context=ssl.create_default_context())
            connection.ehlo()
        if server.user:
            connection.login(server.user, _password(server))
    except BaseException:
        connection.close()
        raise
    return connection


def _password(server: MailServer) -> str:
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if not password:
        raise InvalidInput(
            PASSWORD_VARIABLE, f"{PASSWORD_VARIABLE} is not set: the password of {server.user} at {server.host}."
        )
    return password


def _unreachable(server: MailServer, error: Exception) -> InvalidInput:
    return InvalidInput(
        "smtp", f"The mail server {server.host} cannot be used: {_text(str(error))}. Check its address."
    )


def _text(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:200]
