"""`qualification.judged_by=people`, with the processes that people meet: who fails waits, and nobody works before."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.simulation.screening import Persona, take_screenings
from beat_the_ai.simulation.workplaces import mock_workplaces
from tests.cli.launching import PATIENCE_SECONDS, ROOT, TASK, command, run
from tests.kinds.reading_comprehension.screening.quizzes import shipped_newcomers
from tests.mephisto.rig import kill_router

pytestmark = pytest.mark.skipif(
    not (ROOT / "webapp" / "dist" / "bundle.js").is_file(), reason="the workers' page is not built: make webapp"
)
BY_PEOPLE = ["qualification=open", "qualification.places=2", "qualification.judged_by=people"]


@contextmanager
def served(out: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    given = command("serve", str(TASK), *options, "--out", str(out))
    with subprocess.Popen(given, stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            printed = ""
            while (address := re.search(r"http://127\.0\.0\.1:\d+", printed)) is None:
                line = serving.stdout.readline()
                assert line, printed
                printed += line
            yield address.group(), serving
        finally:
            serving.terminate()
            serving.communicate(timeout=PATIENCE_SECONDS)
            kill_router(out)


async def gets_work(address: str, number: int) -> bool:
    async with httpx.AsyncClient(trust_env=False) as browser:
        hit = await mock_workplaces(address, "newcomer")(number, browser).next_hit()
        assert hit is not None
        try:
            async with hit.page:
                return True
        except Refused:
            return False


def test_who_fails_waits_for_a_person_and_nobody_works_before(tmp_path: Path) -> None:
    out = tmp_path / "play"
    with served(out, *BY_PEOPLE, "--stage", "screening") as (address, serving):
        personas = [Persona.GOOD, Persona.MALICIOUS]
        workplaces = mock_workplaces(address, "newcomer")
        taking = take_screenings(personas, shipped_newcomers(), workplaces, seed=7, on_taken=lambda _: None)
        passed, failed = asyncio.run(asyncio.wait_for(taking, PATIENCE_SECONDS))
        assert (passed.phase, failed.phase) == ("sample", "failed")
        serving.communicate(timeout=PATIENCE_SECONDS)  # both places are taken

    waiting = json.loads(run("review", "newcomers", str(out), "--json").stdout)
    assert {(one["worker"], one["standing"]["standing"], one["screening"]["outcome"]) for one in waiting} == {
        ("newcomer-000", "candidate", "passed"),
        ("newcomer-001", "candidate", "failed"),
    }
    other = run("serve", str(TASK), "qualification=none", "--out", str(out))
    assert (other.exit_code, "qualification.judged_by: people in the campaign" in other.stderr) == (2, True)
    with served(out, *BY_PEOPLE) as (address, _):
        assert [asyncio.run(gets_work(address, number)) for number in range(3)] == [False, False, False]
        assert run("review", "grant", str(out), "newcomer-001").exit_code == 0
        assert run("review", "refuse", str(out), "newcomer-000", "--reason", "copied").exit_code == 0
        assert [asyncio.run(gets_work(address, number)) for number in range(3)] == [False, True, False]
