"""What a HIT shows: ExternalQuestion, HTMLQuestion or QuestionForm, as XML.

An ExternalQuestion is an https page; http is allowed for this machine's own addresses, where rehearsals run [ours].
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from beat_the_ai.marketplace.documents import Unreadable, child_text, name_of, read_document
from beat_the_ai.marketplace.errors import wrong_parameter
from beat_the_ai.web.holding import Holding

KINDS = ("ExternalQuestion", "HTMLQuestion", "QuestionForm")
NOT_ACCEPTED_YET = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True)
class ExternalQuestion:
    """A page of the requester's, to be shown in a frame of that height."""

    url: str
    frame_height: int

    def preview_url(self, *, hit_id: str, submit_to: str) -> str:
        """The address with what MTurk adds to it. A preview tells neither assignment nor worker [doc]."""
        return self._url(assignmentId=NOT_ACCEPTED_YET, hitId=hit_id, turkSubmitTo=submit_to)

    def work_url(self, holding: Holding, *, submit_to: str, secrets: Iterable[str]) -> str:
        """The same for who works on it; signed with the requester's secret access keys [ours]."""
        return self._url(
            assignmentId=holding.assignment_id,
            hitId=holding.hit_id,
            turkSubmitTo=submit_to,
            workerId=holding.worker_id,
            **holding.parameters(secrets),
        )

    def _url(self, **added: str) -> str:
        parts = urlsplit(self.url)
        query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *added.items()])
        return urlunsplit(parts._replace(query=query))


def check(text: str) -> None:
    """Raises when it is no question that could be shown."""
    try:
        root = read_document(text)
    except Unreadable as error:
        raise wrong_parameter(f"The Question cannot be used: {error}.") from None
    if name_of(root) not in KINDS:
        raise wrong_parameter(f"The Question is a {name_of(root)[:80]}; it must be one of {', '.join(KINDS)}.")
    if name_of(root) == "ExternalQuestion":
        read_external(text)


def check_form(text: str, parameter: str) -> None:
    """Raises unless it is a QuestionForm, as qualification tests must be [doc]."""
    try:
        root = read_document(text)
    except Unreadable as error:
        raise wrong_parameter(f"{parameter} cannot be used: {error}.") from None
    if name_of(root) != "QuestionForm":
        raise wrong_parameter(f"{parameter} is a {name_of(root)[:80]}; it must be a QuestionForm.")


def read_external(text: str) -> ExternalQuestion | None:
    """The page and its height; None for the other kinds of question. Raises when they are not usable."""
    root = read_document(text)
    if name_of(root) != "ExternalQuestion":
        return None
    url, height = child_text(root, "ExternalURL") or "", child_text(root, "FrameHeight") or ""
    if not _may_be_shown(url):
        raise wrong_parameter(f"The ExternalURL {url[:200]!r} is not an https address.")
    if not (height.isascii() and height.isdecimal()):
        raise wrong_parameter(f"The FrameHeight {height[:20]!r} is not a whole number.")
    return ExternalQuestion(url, int(height))


def _may_be_shown(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_this_machine(host)))


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
