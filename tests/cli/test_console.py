"""`console`: what it says before it serves."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import console, main
from beat_the_ai.console import Pages, Watched, by_key
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from tests.cli.test_status import begin
from tests.review.builders import PASSWORD


def run(*places: object) -> Result:
    return CliRunner().invoke(main, ["console", *map(str, places)])


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The campaigns that would have been served, `{key: id}`, at each call."""
    found: list[dict[str, str]] = []

    def serve(campaigns: dict[str, Watched], _pages: Pages, *_: object) -> None:
        found.append({key: each.id for key, each in campaigns.items()})

    monkeypatch.setattr(console, "serve", serve)
    return found


def test_each_campaign_is_served_once_under_a_key_of_its_own(
    store: Store, tmp_path: Path, served: list[dict[str, str]]
) -> None:
    begin(store, 1)
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    other = open_store(str(tmp_path / "other.db"))
    begin(other, 1)
    result = run(tmp_path, tmp_path / "campaign.db", tmp_path / "other.db")
    assert result.exit_code == 0, result.output
    assert served == [{"pilot": "pilot", "pilot-2": "pilot"}]
    assert result.stderr.splitlines() == [
        f"Nobody sees {tmp_path / 'other.db'} yet. Run: beat-the-ai review reviewer add {tmp_path / 'other.db'} NAME "
        "--role requester"
    ]
    other.close()


def test_a_folder_of_campaigns_stands_for_all_of_them(tmp_path: Path, served: list[dict[str, str]]) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        with closing(open_store(str(tmp_path / name / "campaign.db"))) as store:
            begin(store, 1)
    (tmp_path / "notes").mkdir()
    assert run(tmp_path).exit_code == 0
    assert served == [{"pilot": "pilot", "pilot-2": "pilot"}]


def test_a_place_without_a_campaign_is_told(store: Store, tmp_path: Path) -> None:
    assert "holds no campaign yet" in run(tmp_path).stderr
    assert "holds no campaign.db" in run(tmp_path / "nothing").stderr
    assert run().exit_code == 2


def test_a_page_that_is_not_built_is_not_served(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, 1)
    monkeypatch.setattr(console, "PAGE", tmp_path / "nothing")
    result = run(tmp_path)
    assert (result.exit_code, "The console page is not built yet. Run: make webapp" in result.stderr) == (1, True)


def test_no_key_is_a_name_that_browsers_take_out_of_an_address() -> None:
    class Named:
        id = ".."

    assert list(by_key([Named(), Named()])) == ["..-2", "..-3"]  # type: ignore[list-item]
