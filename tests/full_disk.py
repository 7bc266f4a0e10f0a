"""On a small disk that is filled and freed: `python -m tests.full_disk FOLDER`. Fails unless everybody is told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from botocore.exceptions import ClientError

from beat_the_ai.errors import DiskFull, Refused
from beat_the_ai.marketplace.portal.sessions import Seal
from beat_the_ai.mephisto.procedures import describe
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import Switchboard
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.store import open_store
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in
from tests.mephisto.rig import serving
from tests.mephisto.wire import CREDENTIALS, Router
from tests.writing.fakes import PASSAGE, new_desk, payload, take_hit

TOLD = "The disk of this service is full"


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """To the last byte."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512, 1):
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                continue
    try:
        yield
    finally:
        filler.unlink()


def marketplace(folder: Path) -> None:
    with Rehearsal.started(store_in(folder)) as server:
        client, worker = server.client(server.new_requester()), server.new_worker()
        hit_id = client.create_hit(**HIT)["HIT"]["HITId"]
        with server.workplace() as workplace, server.market() as market:
            assignment = workplace.accept(worker, hit_id)
            proof = Seal.of(market).proof(assignment.id, worker)
        form = f"{server.address}/worker/task/{assignment.id}/{proof}/mturk/externalSubmit"
        with full(folder):
            with pytest.raises(ClientError, match=TOLD):
                client.create_hit(**HIT)
            refused = httpx.post(form, data={"assignmentId": assignment.id, "q": "a"}, trust_env=False)
            assert (refused.status_code, TOLD in refused.text) == (503, True), refused.text
            assert client.get_account_balance()["AvailableBalance"]  # what is there can be read
        assert httpx.post(form, data={"assignmentId": assignment.id, "q": "a"}, trust_env=False).status_code == 200
        assert client.create_hit(**HIT)["HIT"]["HITStatus"] == "Assignable"
        assert client.list_assignments_for_hit(HITId=hit_id)["NumResults"] == 1


def router(folder: Path) -> None:
    running = Router(folder / "router").start()
    try:
        secret = Switchboard(CREDENTIALS["agent_key"], Spool(folder / "unused"), 1).secret("1")
        submission = {"USED_AGENT_ID": "1", "agent_secret": secret, "final_data": {"feedback": "x" * 5000}}
        with full(folder):
            refused = running.post("/submit_task", submission)
            assert (refused.status_code, refused.json()["error"]["code"]) == (507, "disk_full")
            assert TOLD in refused.json()["error"]["message"]
        assert running.post("/submit_task", submission).is_success
        assert len(Spool(folder / "router" / "spool").waiting()) == 1
    finally:
        running.kill()


def writing(folder: Path) -> None:
    store = open_store(str(folder / "campaign.db"))
    desk, assignment_id = new_desk(store), take_hit(store)
    with full(folder):
        with pytest.raises(DiskFull, match=TOLD) as caught:
            desk.submit(assignment_id, "key", PASSAGE.id, payload())
        assert describe(caught.value)["code"] == "disk_full"
    attempt, _ = desk.submit(assignment_id, "key", PASSAGE.id, payload())
    assert attempt.fooled
    store.close()


def registration(folder: Path) -> None:
    async def register(url: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, "w1", "1"):
            pass

    with serving(folder / "run", hits=1) as run:
        with full(folder), pytest.raises(Refused, match=TOLD):
            asyncio.run(register(run.url))
        asyncio.run(register(run.url))


if __name__ == "__main__":
    for scene in (marketplace, router, writing, registration):
        place = Path(sys.argv[1]) / scene.__name__
        place.mkdir()
        scene(place)
