"""The work of visits is read in time that grows with the people, not with their square."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa

from beat_the_ai.crowds.prolific.offers import works_of
from beat_the_ai.marketplace.people import studies
from beat_the_ai.marketplace.tables import assignments, hits, visits
from tests.crowds.prolific.scene import Scene

MANY = 4_000


def copy(row: sa.Row[Any], identifier: str, **changes: object) -> dict[str, object]:
    return {**row._mapping, "id": identifier, **changes}


def test_thousands_of_visits_are_read_at_once(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = scene.work()
    with scene.market.writing() as moment:
        ask = moment.connection.execute
        hit, assignment, visit = (ask(sa.select(table)).one() for table in (hits, assignments, visits))
        numbers = range(1, MANY)
        ask(sa.insert(hits), [copy(hit, f"COPY{number}", number=hit.number + number) for number in numbers])
        named = {number: {"number": assignment.number + number, "hit_id": f"COPY{number}"} for number in numbers}
        ask(sa.insert(assignments), [copy(assignment, f"COPY{number}", **named[number]) for number in numbers])
        ended = {**visit._mapping, "ended_at": visit.started_at}
        ask(sa.insert(visits), [{**ended, "session": f"s{number}"} for number in numbers])
    with scene.market.reading() as moment:
        study, begun = studies.get_study(moment, scene.key), time.process_time()
        works = works_of(moment, study)
        seconds = time.process_time() - begun
    assert len(works) == MANY
    assert works[session].status == "Submitted"
    assert works["s1"].status is None  # a visit that ended before any HIT was accepted
    assert seconds < 1
