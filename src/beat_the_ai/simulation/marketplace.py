"""Simulated workers on the marketplace: they use its portal as a browser does, page by page and form by form.

Whatever is lost on the way is done again: a worker who does not know whether a HIT was accepted looks at the list of
those in progress, and answers that arrive twice count once. The marketplace may be away at any moment.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit, urlunsplit

import httpx

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.simulation.html import Document, Form
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.simulation.site import SECONDS, Site, alert_of
from beat_the_ai.simulation.workplaces import Workplaces
from beat_the_ai.web.signed_assignment import SIGNED

SIGN_IN = "/worker/sign-in"
IN_PROGRESS = "/worker/work"
HITS = "/worker/hits"
ASSIGNMENT = "/worker/assignments/"
# What Bartolo et al. (2020, §3.2) ask of workers is met.
EXPERIENCED = {"locale": "US", "approved": 1500, "approval_rate": 99}


@dataclass(frozen=True)
class Account:
    """With what a worker signs in, and what a browser keeps of it for the next stage."""

    worker_id: str
    access_code: str
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies, repr=False, compare=False)


def enrol(address: str, control_token: str, worker_ids: Sequence[str], **properties: Any) -> list[Account]:
    """Workers of a marketplace that runs with `--rehearsal`, made there unless they exist. Raises `InvalidInput`.

    `properties` are those of `POST /rehearsal/workers`; without any, workers are experienced and live in the US.
    """
    described = {**EXPERIENCED, **properties}
    headers = {"Authorization": f"Bearer {control_token}"}
    with httpx.Client(base_url=address, headers=headers, timeout=SECONDS, trust_env=False) as http:
        return [_enrol(http, {"id": worker_id, **described}) for worker_id in worker_ids]


def _enrol(http: httpx.Client, described: Mapping[str, Any]) -> Account:
    response = http.post("/rehearsal/workers", json=described)
    if response.status_code == httpx.codes.CONFLICT:  # made before: by a run that was stopped, or a lost reply
        response = http.post("/rehearsal/codes", json={"id": described["id"]})
    if not response.is_success:
        raise InvalidInput("workers", f"The marketplace does not take {described['id']}: {response.text[:200]}")
    return Account(described["id"], response.json()["access_code"])


def portal_workplaces(address: str, accounts: Sequence[Account]) -> Workplaces:
    """Every writer goes to the portal of the marketplace at `address` with an account of its own."""
    return lambda number, http: PortalWorkplace(address, http, accounts[number])


class PortalWorkplace:
    """A worker in the portal."""

    def __init__(self, address: str, http: httpx.AsyncClient, account: Account) -> None:
        http.cookies.update(account.cookies)
        self._site = Site(address, http)
        self._http = http
        self._account = account
        self._returned: Counter[str] = Counter()

    async def next_hit(self) -> PortalHit | None:
        """The HIT in progress, if there is one; otherwise the first that the worker may accept."""
        refused: set[str] = set()
        offer = ""
        while True:
            begun = await self._see(IN_PROGRESS)
            for path in begun.links:
                if not path.startswith(ASSIGNMENT):
                    continue
                page = await self._see(path)
                if page.frame is not None and urlsplit(page.frame).netloc != urlsplit(self._site.address).netloc:
                    return PortalHit(self, self._http, path, page.frame, offer)
                if return_form(page, path) is not None:  # a HIT that is no page of a requester's own
                    await self.give_back(path, offer)
                    refused.add(offer)
            form = await self._acceptable(refused)
            if form is None:
                return None
            offer = form.action
            response = await self._site.post(form)
            if response is not None and response.is_client_error:  # somebody else was faster, or it is not for us
                refused.add(form.action)

    async def _acceptable(self, refused: Collection[str]) -> Form | None:
        """The first form of the list that accepts a HIT; of those that were returned before, the least often."""
        path: str | None = HITS
        seen: list[Form] = []
        while path is not None:
            page = await self._see(path)
            forms = [form for form in page.forms if form.action.endswith("/accept") and form.action not in refused]
            for form in forms:
                if not self._returned[form.action]:
                    return form
            seen += forms
            path = next((link for link in page.links if link.startswith(f"{HITS}?after=")), None)
        return min(seen, key=lambda form: self._returned[form.action], default=None)

    async def give_back(self, path: str, offer: str) -> None:
        """Return the assignment whose page is at `path`, unless it is over already. `offer` comes last from now on."""
        self._returned[offer] += 1
        while form := return_form(await self._see(path), path):
            await self._site.post(form)

    async def hand_in(self, form: Form) -> None:
        """Raises `Refused` when nothing can be sent for the assignment any more."""
        while (response := await self._site.post(form)) is None:
            pass
        if response.is_client_error:
            raise Refused(alert_of(response))

    async def _see(self, path: str) -> Document:
        """A page, signing in whenever the portal asks for it."""
        while True:
            response = await self._site.get(path)
            if response.url.path != SIGN_IN:
                return Document(response.text)
            await self._sign_in(Document(response.text))

    async def _sign_in(self, door: Document) -> None:
        """Raises `InvalidInput` when the portal does not know the worker or the code."""
        form = next(form for form in door.forms if form.action.endswith(SIGN_IN))
        entered = {"worker": self._account.worker_id, "code": self._account.access_code}
        response = await self._site.post(Form(form.action, {**form.fields, **entered}))
        if response is not None and response.url.path == SIGN_IN and response.is_client_error:
            raise InvalidInput("access_code", f"{self._account.worker_id} cannot sign in: {alert_of(response)}")
        self._account.cookies.update(self._http.cookies)


def page_in_frame(frame: str, http: httpx.AsyncClient) -> PageClient:
    """Return the page at the address of a frame, registered as getAgentRegistration() of the `mturk` provider does."""
    told, parts = _told(frame), urlsplit(frame)
    folder = urlunsplit(parts._replace(path=parts.path.rpartition("/")[0], query="", fragment=""))
    signed = {name: told[name] for name in SIGNED if name in told}
    worker, assignment = told["workerId"], told["assignmentId"]
    return PageClient(folder, http, worker, assignment, hit_id=told["hitId"], provider_type="mturk", **signed)


def _told(frame: str) -> dict[str, str]:
    """Return the parameters that the portal has added to the address of a frame."""
    return {name: values[0] for name, values in parse_qs(urlsplit(frame).query).items()}


class Ends(Protocol):
    """The two ways in which a workplace ends a HIT."""

    async def hand_in(self, form: Form) -> None:
        """Raises `Refused` when nothing can be sent for the assignment any more."""

    async def give_back(self, path: str, offer: str) -> None:
        """Return the assignment whose page is at `path`, unless it is over already."""


class PortalHit:
    """An accepted HIT: the page in its frame, and the two ways to end it."""

    def __init__(self, portal: Ends, http: httpx.AsyncClient, path: str, frame: str, offer: str) -> None:
        self._portal = portal
        self._path = path
        self._offer = offer
        self._told = _told(frame)
        self.page = page_in_frame(frame, http)

    async def hand_in(self, final_data: Mapping[str, Any]) -> None:
        """Post the form that handleSubmitToProvider() makes: the answer is one JSON string."""
        final = json.dumps(final_data, ensure_ascii=False, separators=(",", ":"))
        fields = {"final": final, "assignmentId": self._told["assignmentId"]}
        await self._portal.hand_in(Form(f"{self._told['turkSubmitTo']}/mturk/externalSubmit", fields))

    async def give_back(self) -> None:
        await self._portal.give_back(self._path, self._offer)


def return_form(page: Document, path: str) -> Form | None:
    """There is one while the assignment at `path` is worked on."""
    return next((form for form in page.forms if form.action == f"{path}/return"), None)
