"""What may stand behind `openai:`, and what is said of anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.adversary.language_models.source import read_source
from beat_the_ai.adversary.registry import check_serves, member_name
from beat_the_ai.errors import AdversaryError, InvalidInput

PLACE = "http://127.0.0.1:8000/v1"


def test_an_address_its_settings_and_a_model() -> None:
    source = read_source(f"{PLACE}/?seed=7&temperature=0.5&key_variable=KEY#Qwen/Qwen3-8B")
    assert (source.address, source.model, source.seed, source.temperature) == (PLACE, "Qwen/Qwen3-8B", 7, 0.5)
    assert (source.key_variable, source.prompt, source.prices) == ("KEY", "1", None)


def test_a_member_is_named_as_its_model() -> None:
    assert member_name(f"openai:{PLACE}?seed=7#Qwen/Qwen3-8B") == "Qwen3-8B"
    assert member_name(f"openai:{PLACE}?key_variable=KEY#llama3:8b") == "llama3:8b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Qwen3-8B", "An address and a model's name after # are needed"),
        (PLACE, "An address and a model's name after # are needed"),
        (f"{PLACE}?seed#m", "there is no address"),
        ("http://h:99999/v1#m", "there is no address"),
        (f"{PLACE}?seed=soon#m", "seed: Input should be a valid integer"),
        (f"{PLACE}?temperature=nan#m", "temperature"),
        (f"{PLACE}?timeout_seconds=60#m", "timeout_seconds: Input should be less than or equal to 18"),
        (f"{PLACE}?cents_per_million_tokens_in=-1#m", "cents_per_million_tokens_in"),
        (f"{PLACE}?prompt=../../secret#m", "prompt"),
        (f"{PLACE}?key_variable=A&key_file=/k#m", "not both"),
    ],
)
def test_what_is_no_source_is_refused_before_anything_starts(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_serves(f"openai:{text}", "nli")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["http://me:sk-secret@h/v1#m", f"{PLACE}?api_key=sk-secret#m", f"{PLACE}?seed=sk-secret#m"]
)
def test_a_key_in_the_wrong_place_is_not_repeated(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_source(text)
    assert "sk-secret" not in str(caught.value)


def test_a_language_model_of_no_such_kind_is_refused() -> None:
    with pytest.raises(InvalidInput, match="answers for nli, quizbowl, reading_comprehension"):
        check_serves(f"openai:{PLACE}#m", "arithmetic")


def test_a_price_is_counted_by_the_token_and_never_too_low() -> None:
    source = read_source(f"{PLACE}?cents_per_million_tokens_in=7.5&cents_per_million_tokens_out=30#m")
    assert source.prices is not None
    assert source.prices.microcents(1000, 10) == 7800
    assert source.prices.microcents(1, 0) == 8


def test_a_key_comes_from_a_variable_or_a_file_that_nobody_else_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_variable = read_source(f"{PLACE}?key_variable=OWN_KEY#m")
    monkeypatch.delenv("OWN_KEY", raising=False)
    with pytest.raises(AdversaryError, match="OWN_KEY holds no key"):
        by_variable.key()
    monkeypatch.setenv("OWN_KEY", " sk-1 \n")
    assert by_variable.key() == "sk-1"

    file = tmp_path / "key"
    by_file = read_source(f"{PLACE}?key_file={file}#m")
    with pytest.raises(AdversaryError, match="No such file"):
        by_file.key()
    file.write_text("sk-2\n")
    file.chmod(0o640)
    with pytest.raises(AdversaryError, match="chmod 600"):
        by_file.key()
    file.chmod(0o600)
    assert by_file.key() == "sk-2"
