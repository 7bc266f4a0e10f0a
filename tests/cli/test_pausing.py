"""`pause` and `continue` of a campaign that is served on a real marketplace, by a process that is killed meanwhile."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.mephisto.mturk.survey import as_offered
from beat_the_ai.requester import Label, Requester
from tests.cli.launching import HITS, NAME, TASK, campaign_store, launching, needs_pages, people, run, submitted
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.mturk_rig import accept, page
from tests.mephisto.rig import in_thread, kill_router
from tests.mephisto.wire import wait_until

pytestmark = needs_pages


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


def question_on(context_id: str) -> dict[str, Any]:
    """Return one that stands with the passage."""
    contexts = ReadingComprehension().load_contexts(TASK / "contexts" / "sample.jsonl")
    known = next(each for each in contexts if each.id == context_id).private["questions"][0]
    return {name: known[name] for name in ("question", "answer")}


def test_whoever_has_a_hit_finishes_it_and_nobody_gets_another_until_the_campaign_is_continued(
    market: Rehearsal, requester: Requester, out: Path
) -> None:
    def in_state(state: str) -> list[str]:
        found = [as_offered(label, hit) for hit in requester.hits() if (label := Label.of(hit))]
        return [each.id for each in found if each.state == state]

    async def until_open(number: int) -> None:
        await asyncio.to_thread(wait_until, lambda: len(in_state("open")) == number, f"{number} HITs are open")

    async def work() -> None:
        worker = people(market, 1)[0].worker_id
        async with in_thread(launching(out, "--yes", "round.reoffers=0")) as launch:
            url = re.search(r"Serving at (\S+)\.", launch.printed)
            assert url is not None
            accepted = accept(market, worker, in_state("open")[0])
            async with httpx.AsyncClient(trust_env=False) as http, page(url[1], http, accepted) as at_work:
                paused = run("pause", str(out))
                assert paused.exit_code == 0
                assert re.search(r"is paused since [-\d]{10} [:\d]{5} UTC: no", paused.stdout)
                await until_open(0)
                launch.kill()
                async with in_thread(launching(out, "--resume", "round.reoffers=0")) as resumed:
                    assert f"`beat-the-ai continue {out}` ends that" in resumed.printed
                    name = at_work.init_data["context"]["id"]
                    attempt = {"attempt_key": "k", "context_id": name, "work": question_on(name)}
                    await at_work.call("submit_attempt", attempt)
                    await at_work.submit({})
                    with market.workplace() as workplace:
                        workplace.submit(worker, accepted.id, [("final", "{}")])
                    await asyncio.to_thread(wait_until, lambda: submitted(out) == 1, "the work counts")
                    assert in_state("open") == []
                    [told] = json.loads(run("status", str(out), "--json").stdout)
                    assert told["paused_at"]
                    assert run("continue", str(out)).exit_code == 0
                    await until_open(HITS - 1)
                    resumed.kill()

    asyncio.run(asyncio.wait_for(work(), 200))
    assert run("pause", str(out)).exit_code == run("continue", str(out)).exit_code == 0
    assert "is not paused." in run("continue", str(out)).stdout
    with campaign_store(out) as store:
        entries = [each for each in store.audit.entries() if each.action in ("pause", "continue")]
    assert [(each.action, each.subject) for each in entries] == [("continue", NAME), ("pause", NAME)] * 2
    assert all(each.who == each.machine_user for each in entries)
