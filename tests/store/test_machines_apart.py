"""Two operators on machines of their own, of which one loses its network."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from beat_the_ai.store import CAMPAIGN_MIGRATIONS, Store, leases, open_store, tables
from tests.networks_apart import Machine, machine, passed_on
from tests.postgres import PostgresServer
from tests.store.test_leases import BEAT_SECONDS, HOLD, LEASE_SECONDS, Process

FIRST, SECOND = "pilot writing 1/2", "pilot writing 2/2"


class Operator(Process):
    """A process on another machine that holds the lease on a share, and writes campaigns."""

    def __init__(self, on: Machine, url: str, share: str, first_campaign: int) -> None:
        script = HOLD.replace('f"c{number}"', f'f"c{{number + {first_campaign}}}"')
        super().__init__(on.command(sys.executable, "-c", script, url, share, str(BEAT_SECONDS)))


@pytest.fixture
def machines(postgres: PostgresServer) -> Iterator[list[tuple[Machine, str]]]:
    """Two machines, each with the URL of the same database."""
    with ExitStack() as opened:
        database = opened.enter_context(postgres.database(CAMPAIGN_MIGRATIONS))
        name = re.findall(r"/(\w+)\?", database)[0]
        found = []
        for number in (1, 2):
            made = opened.enter_context(machine(number))
            port = opened.enter_context(passed_on(made.here, str(postgres.socket_folder / ".s.PGSQL.5432")))
            found.append((made, f"postgresql+psycopg://tests@{made.here}:{port}/{name}?tcp_user_timeout=2000"))
        yield [*found, (found[0][0], database)]


def as_on_another_kernel(store: Store) -> None:
    """Have nobody here tell whether the holders live: network namespaces share the processes of one kernel."""
    with store.database.writing() as connection:
        for name, holder in connection.execute(sa.select(tables.leases.c.name, tables.leases.c.holder)).all():
            elsewhere = {**holder, "system": "elsewhere"}
            connection.execute(sa.update(tables.leases).filter_by(name=name).values(holder=elsewhere))


@pytest.mark.timeout(300)
def test_the_other_goes_on_and_nothing_is_written_twice(
    machines: list[tuple[Machine, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The share of the one that was cut off is taken from here; back on the network it writes nothing more."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    (far, far_url), (near, near_url), (_, here) = machines
    first, second = Operator(far, far_url, FIRST, 0), Operator(near, near_url, SECOND, 100)
    store = open_store(here)
    try:
        for operator in (first, second):
            operator.write()
            assert operator.says() == "written"
        as_on_another_kernel(store)
        far.cut()
        first.write()  # it waits for its database
        with store.leases.holding(FIRST, lambda: None):
            second.write()
            assert second.says() == "written"
            far.mend()
            assert {first.says(), first.says()} == {"lost", "refused"}
        assert store.campaigns.ids() == ["c0", "c100", "c101"]
    finally:
        first.kill()
        second.kill()
        store.close()
