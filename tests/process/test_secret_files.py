from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.secret_files import read_secret_files
from tests.cli.launching import run


def test_a_secret_may_lie_in_a_file(tmp_path: Path) -> None:
    """Children inherit the secret, and not the name of its file, which they would read a second time."""
    (tmp_path / "token").write_text("s3cret \n")
    file = str(tmp_path / "token")
    environment = {
        "PROLIFIC_TOKEN_FILE": file,
        "BEAT_THE_AI_DATABASE_FILE": file,
        "SSL_CERT_FILE": file,
        "HOME": "/root",
    }
    read_secret_files(environment)
    assert environment == {
        "PROLIFIC_TOKEN": "s3cret ",
        "BEAT_THE_AI_DATABASE": "s3cret ",
        "SSL_CERT_FILE": file,
        "HOME": "/root",
    }


def test_a_secret_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="both set"):
        read_secret_files({"PROLIFIC_TOKEN": "one", "PROLIFIC_TOKEN_FILE": str(tmp_path / "token")})


def test_the_program_says_which_file_it_cannot_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAT_THE_AI_DATABASE_FILE", str(tmp_path / "missing"))
    done = run("status", str(tmp_path))
    assert done.exit_code == 2
    assert f"BEAT_THE_AI_DATABASE_FILE={tmp_path}/missing cannot be read: No such file" in done.output
