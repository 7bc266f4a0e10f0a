"""Where a campaign lies, and who may look into it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import open_store
from beat_the_ai.terms.locate import (
    DATABASE_VARIABLE,
    STORE_RECORD,
    StoreRecord,
    campaign_store,
    keep_store_record,
    private_folder,
    store_of,
    store_record,
)

TASK = str(Path(__file__).parents[2] / "tasks" / "reading_comprehension")


def test_a_folder_that_existed_becomes_private(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir(mode=0o755)
    assert private_folder(tmp_path).stat().st_mode & 0o777 == 0o700


def test_a_campaign_of_an_older_version_is_read_where_it_lies_and_not_begun_anew(tmp_path: Path) -> None:
    open_store(str(tmp_path / "campaign.db")).close()
    with campaign_store(str(tmp_path)) as store:
        assert store.campaigns.ids() == []
    with pytest.raises(Refused, match=r"move campaign\.db and the folder mephisto"):
        private_folder(tmp_path)
    private = tmp_path / "private"
    private.mkdir()
    (tmp_path / "campaign.db").rename(private / "campaign.db")
    assert private_folder(tmp_path) == private


@pytest.mark.parametrize("command", [["rehearse"], ["serve"], ["launch", "crowd=mturk"]], ids=lambda words: words[0])
@pytest.mark.parametrize("place", ["a file/out", "/proc/out"])
def test_an_out_that_cannot_be_written_is_said_in_one_line(command: list[str], place: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    out = str(tmp_path / place)
    result = CliRunner().invoke(main, [command[0], TASK, *command[1:], "--out", out])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"beat-the-ai: {out} cannot be written: ")
    assert result.stderr.count("\n") == 1


def test_an_out_that_is_a_file_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="cannot be written"):
        private_folder(tmp_path / "file")


def test_a_folder_says_in_which_database_its_store_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, other = "postgresql+psycopg://me:s3cret@host/one", "postgresql+psycopg://me:s3cret@host/other"
    monkeypatch.setenv(DATABASE_VARIABLE, other)
    file = private_folder(tmp_path) / STORE_RECORD
    assert store_of(tmp_path) == other
    keep_store_record(tmp_path, f"sqlite:///{tmp_path}/private/campaign.db", "pilot")
    assert store_record(tmp_path) is None
    keep_store_record(tmp_path, url, "pilot")
    assert (store_of(tmp_path), store_record(tmp_path)) == (url, StoreRecord(campaign="pilot", url=url))
    assert file.stat().st_mode & 0o077 == 0
    keep_store_record(tmp_path, other, "pilot")  # the environment has the password: the folder need not
    assert "s3cret" not in file.read_text()
    assert store_of(tmp_path) == other
    file.write_text('{"campaign": "pi')
    with pytest.raises(InvalidInput, match=DATABASE_VARIABLE):
        store_of(tmp_path)
    open_store(str(tmp_path / "private" / "campaign.db")).close()
    assert store_of(tmp_path) == str(tmp_path / "private" / "campaign.db")
