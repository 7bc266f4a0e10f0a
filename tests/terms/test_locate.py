"""Where a campaign lies, and who may look into it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import open_store
from beat_the_ai.terms.locate import campaign_store, private_folder

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
