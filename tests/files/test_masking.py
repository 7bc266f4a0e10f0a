"""Names that go from logs, while somebody writes to them."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.files.masking import mask


def test_a_name_is_overwritten_in_place_and_longer_words_stay(tmp_path: Path) -> None:
    log = tmp_path / "launch.log"
    log.write_bytes(b"A1 came, A12 and BA1 not\n3X-A1 'A1'\nno end: A1")
    with log.open("ab") as writer:
        mask(log, "A1")
        writer.write(b"\nA1 again")
    assert log.read_bytes() == b"xx came, A12 and BA1 not\n3X-xx 'xx'\nno end: xx\nA1 again"
    mask(log, "nobody")
    assert b"A1 again" in log.read_bytes()


def test_a_name_in_other_letters_is_masked_byte_by_byte(tmp_path: Path) -> None:
    log = tmp_path / "launch.log"
    log.write_text("worker Zo\u00eb has come\n", encoding="utf-8")
    mask(log, "Zo\u00eb")
    assert log.read_text(encoding="utf-8") == "worker xxxx has come\n"
