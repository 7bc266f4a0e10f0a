"""The pages of the reference are what the code declares."""

from __future__ import annotations

import pytest

from scripts.write_reference import FOLDER, PAGES, text


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_reference_says_what_the_code_declares(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text(name), (
        f"docs/reference/{name} has drifted from the code. Write it anew: python scripts/write_reference.py"
    )
