"""The types of the pages are those of what the servers send."""

from __future__ import annotations

import pytest

from scripts.build_webapp import WEBAPP
from scripts.page_records import MODULES, records


@pytest.mark.parametrize("name", sorted(MODULES))
def test_the_pages_types_are_what_the_servers_send(name: str) -> None:
    assert (WEBAPP / name).read_text(encoding="utf-8") == records(name), (
        f"webapp/{name} has drifted from the models. Write it anew: python scripts/page_records.py"
    )
