"""Simulated participants of a recruiter: they take a place there, work in the portal, and bring the code back.

They use the pages of both as a browser does. Whatever is lost on the way is done again: a participant who does not know
whether a place was taken looks at the recruiter's page.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

import httpx

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.simulation.html import Document, Form
from beat_the_ai.simulation.marketplace import ASSIGNMENT, PortalHit, return_form
from beat_the_ai.simulation.page import RETRY_SECONDS
from beat_the_ai.simulation.site import SECONDS, Site, alert_of
from beat_the_ai.simulation.workplaces import Workplaces

STUDIES, SUBMISSION = "/studies", re.compile(r"/submissions/[0-9a-f]{24}")
COMPLETE = "/submissions/complete?cc="
VISIT = "/worker/study/"
NOW = "/worker/study/now"
IS_ASKED_TO_RETURN = "asks you to return"
PATIENCE_SECONDS = 60.0  # with a portal that cannot ask the recruiter


def participant_workplaces(recruiter: str, portal: str, participants: Sequence[str]) -> Workplaces:
    """Every worker is a participant of the recruiter's, by id, who sends them to the portal."""
    return lambda number, http: ParticipantWorkplace(recruiter, portal, http, participants[number])


class ParticipantWorkplace:
    """A participant in front of the recruiter's studies."""

    def __init__(self, recruiter: str, portal: str, http: httpx.AsyncClient, participant: str) -> None:
        self._recruiter = Site(recruiter, http)
        self._portal = Site(portal, http)
        self._http = http
        self._participant = participant
        self._submission = ""

    async def next_hit(self) -> PortalHit | None:
        """Return the HIT of the place that is taken, or else take one; None where there is none."""
        while True:
            place = await self.place()
            if place is None:
                return None
            self._submission = place
            hit = await self._arrive()
            if hit is not None:
                return hit
            if not await self._bring_code():
                return None

    async def place(self) -> str | None:
        """Return the page of the submission under way; take a place if there is none."""
        while True:
            page = await self._see(STUDIES)
            under_way = next((link for link in page.links if SUBMISSION.fullmatch(link)), None)
            take = next((form for form in page.forms if form.action.endswith("/take")), None)
            if under_way is not None or take is None:
                return under_way
            response = await self._recruiter.post(take)
            if response is not None and response.is_client_error:  # somebody else was faster
                return None

    async def _arrive(self) -> PortalHit | None:
        """Open the study and begin. Return None where the visit ends without a HIT."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            opened = await self._recruiter.get(f"{self._submission}/open")
            start = next((form for form in Document(opened.text).forms if form.action.startswith(VISIT)), None)
            response = None if start is None else await self._portal.post(start)
            if response is not None and response.is_success:
                return self._hit(response)
            if opened.url.path.startswith(SUBMISSION.pattern[:13]) and opened.is_client_error:
                return None  # the place is over
            await asyncio.sleep(RETRY_SECONDS)
        return None

    def _hit(self, response: httpx.Response) -> PortalHit | None:
        page, path = Document(response.text), response.url.path
        if not path.startswith(ASSIGNMENT) or page.frame is None:
            return None
        if urlsplit(page.frame).netloc == urlsplit(self._portal.address).netloc:
            return None
        return PortalHit(self, self._http, path, page.frame, path)

    async def hand_in(self, form: Form) -> None:
        """Raises `Refused` when nothing can be sent for the assignment any more."""
        while (response := await self._portal.post(form)) is None:
            pass
        await self._bring_code()
        if response.is_client_error:
            raise Refused(alert_of(response))

    async def give_back(self, path: str, offer: str) -> None:
        """Return the assignment whose page is at `path`, and the place."""
        while form := return_form(Document((await self._portal.get(path)).text), path):
            await self._portal.post(form)
        await self._bring_code()

    async def _bring_code(self) -> bool:
        """End the visit and bring the code back. Return whether it counts there; if not, the place is returned."""
        while True:
            page = Document((await self._portal.get(NOW)).text)
            link = next((one for one in page.links if COMPLETE in one), None)
            if link is not None:
                break
            finish = next((form for form in page.forms if form.action.endswith("/finish")), None)
            if finish is None:  # the visit is over, and the place is somebody else's
                break
            await self._portal.post(finish)
        if link is not None:
            await self._recruiter.get(link)
        shown = await self._recruiter.get(self._submission)
        if link is not None and IS_ASKED_TO_RETURN not in shown.text:
            return True
        form = next((one for one in Document(shown.text).forms if one.action.endswith("/return")), None)
        if form is not None:
            await self._recruiter.post(form)
        return False

    async def _see(self, path: str) -> Document:
        """Return a page of the recruiter's, signing in whenever it asks."""
        while True:
            response = await self._recruiter.get(path)
            page = Document(response.text)
            door = next((form for form in page.forms if form.action == "/sign-in"), None)
            if door is None:
                return page
            entered = Form(door.action, {**door.fields, "participant_id": self._participant})
            answer = await self._recruiter.post(entered)
            if answer is not None and answer.is_client_error:
                raise InvalidInput("participant", f"{self._participant} cannot sign in: {alert_of(answer)}")


def enrol_participants(address: str, control_token: str, ids: Sequence[str]) -> None:
    """Make participants of a recruiter that runs with `--rehearsal`; those it knows stay as they are."""
    headers = {"Authorization": f"Bearer {control_token}"}
    with httpx.Client(base_url=address, headers=headers, timeout=SECONDS, trust_env=False) as http:
        for participant in ids:
            response = http.post("/rehearsal/participants", json={"id": participant})
            if not response.is_success and response.status_code != httpx.codes.CONFLICT:
                raise InvalidInput("participants", f"The recruiter does not take {participant}: {response.text[:200]}")
