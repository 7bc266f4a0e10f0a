"""An SMTP server in this process that keeps what it takes, and can refuse."""

from __future__ import annotations

import email
import email.policy
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.ports import free_port

LINK = re.compile(r"https?://\S+/worker/(?:join|link)/[0-9a-f]+")
PATIENCE_SECONDS = 30


@dataclass
class PostOffice:
    """`taken` are the letters, by the addresses that got them; who is in `unknown` gets none."""

    taken: list[tuple[str, EmailMessage]] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    user: tuple[str, str] | None = None
    port: int = 0

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.unknown:
            return "550 5.1.1 No such\tperson <b>here</b>"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.taken += [(address, message) for address in envelope.rcpt_tos]
        return "250 OK"

    def _check(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword) -> AuthResult:
        is_right = (given.login.decode(), given.password.decode()) == self.user
        return AuthResult(success=is_right, handled=False)  # the server itself answers

    @contextmanager
    def open(self) -> Iterator[PostOffice]:
        options: dict[str, Any] = {}
        if self.user is not None:
            options = {"authenticator": self._check, "auth_require_tls": False}
        self.port = free_port()
        controller = Controller(
            self, hostname="127.0.0.1", port=self.port, server_hostname="mail.example.org", **options
        )
        controller.start()
        try:
            yield self
        finally:
            controller.stop()

    @property
    def url(self) -> str:
        name = "" if self.user is None else f"{self.user[0]}@"
        return f"smtp://{name}127.0.0.1:{self.port}"

    def link_for(self, address: str, number: int = 1) -> str:
        """Return the link in the n-th letter to an address, once it has come."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            letters = [message for to, message in self.taken if to == address]
            if len(letters) >= number:
                found = LINK.search(letters[number - 1].get_content())
                assert found is not None, letters[number - 1]
                return found.group()
            time.sleep(0.05)
        raise AssertionError(f"{address} got no letter {number}: {self.taken}")
