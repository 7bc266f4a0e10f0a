"""The content of a HIT: ExternalQuestion, HTMLQuestion or QuestionForm, as XML.

An ExternalQuestion is an https page; http is allowed for this machine's own addresses, where rehearsals run [ours].
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from xml.etree.ElementTree import Element

from beat_the_ai.marketplace.documents import Unreadable, child_text, name_of, read_document
from beat_the_ai.marketplace.errors import wrong_parameter
from beat_the_ai.marketplace.question_forms import read_form
from beat_the_ai.marketplace.schemas import VERSIONS, check_schema
from beat_the_ai.web.signed_assignment import SIGNED, SignedAssignment

NOT_ACCEPTED_YET = "ASSIGNMENT_ID_NOT_AVAILABLE"
RESERVED = ("assignmentId", "hitId", "workerId", "turkSubmitTo", *SIGNED)
FRAME_HEIGHTS = range(0, 65_536)
# As MTurk words it for HTML5 [seen: MTurkR #30]; for XML [assumed].
INVALID = (
    "There was an error parsing the XML question or answer data in your request.  Please make sure the data is "
    "well-formed and validates against the appropriate schema."
)


@dataclass(frozen=True)
class ExternalQuestion:
    """A page of the requester's, to be shown in a frame of that height."""

    url: str
    frame_height: int

    def preview_url(self, *, hit_id: str, submit_to: str) -> str:
        """The address with what MTurk adds to it. A preview tells neither assignment nor worker [doc]."""
        return self._url(assignmentId=NOT_ACCEPTED_YET, hitId=hit_id, turkSubmitTo=submit_to)

    def work_url(self, holding: SignedAssignment, *, submit_to: str, secrets: Iterable[str]) -> str:
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


@dataclass(frozen=True)
class HtmlQuestion:
    """A page that the marketplace keeps for the requester."""

    content: str
    frame_height: int


def check(text: str) -> None:
    """Raises when it is no question that could be shown."""
    _check(text, "The Question", *VERSIONS)
    if external := read_external(text):
        _refuse_reserved(external.url)
    elif (page := read_html(text)) and not page.content:
        raise wrong_parameter("The HTMLContent is empty; it must be a page.")


def check_form(text: str, parameter: str) -> None:
    """Raises unless it is a QuestionForm, as qualification tests must be [doc]."""
    _check(text, parameter, "QuestionForm")


def _check(text: str, parameter: str, *kinds: str) -> None:
    try:
        root = read_document(text)
        if name_of(root) not in kinds:
            raise Unreadable(f"it is a {name_of(root)[:80]}; it must be one of {', '.join(kinds)}")
        check_schema(root)
        if name_of(root) == "QuestionForm":
            read_form(root)
    except Unreadable as error:
        raise wrong_parameter(f"{INVALID} {parameter} cannot be used: {error}.") from None


def _refuse_reserved(url: str) -> None:
    names = [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
    reserved = [name for name in names if name in RESERVED]
    if reserved:
        raise wrong_parameter(
            f"The ExternalURL has the parameter {reserved[0]}. {', '.join(RESERVED)} are added when a worker opens the "
            "page; leave them out."
        )


def read_external(text: str) -> ExternalQuestion | None:
    """The page and its height; None for the other kinds of question. Raises when they are not usable."""
    root = read_document(text)
    if name_of(root) != "ExternalQuestion":
        return None
    url = child_text(root, "ExternalURL") or ""
    if not _may_be_shown(url):
        raise wrong_parameter(f"The ExternalURL {url[:200]!r} is not an https address.")
    return ExternalQuestion(url, _frame_height(root))


def read_html(text: str) -> HtmlQuestion | None:
    """The page that a HIT brings along; None for the other kinds of question."""
    root = read_document(text)
    if name_of(root) != "HTMLQuestion":
        return None
    return HtmlQuestion(child_text(root, "HTMLContent") or "", _frame_height(root))


def _frame_height(root: Element) -> int:
    text = child_text(root, "FrameHeight") or ""
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) in FRAME_HEIGHTS):
        raise wrong_parameter(
            f"The FrameHeight {text[:20]!r} is not a whole number from 0 to {FRAME_HEIGHTS[-1]}; 0 fits the window."
        )
    return int(text)


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
