"""The words of a campaign: which languages it may offer, and which words it is not served with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.words import campaign_words
from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.terms.round import RoundTerms

TASK = Path(__file__).parents[3] / "tasks" / "nli"
BROKEN = "{secret} HITs"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TASK, tmp_path / "task"))


def write(task: Path, language: str, **messages: str) -> None:
    folder = task / "words" / language
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "session.json").write_text(json.dumps({key.replace("__", "."): text for key, text in messages.items()}))


def settings(task: Path, *overrides: str) -> Settings:
    return read_settings(task, list(overrides), out=task / "out")


def check(task: Path, *overrides: str) -> Result:
    return CliRunner().invoke(main, ["words", "check", str(task), *overrides])


def test_a_campaign_has_its_own_words_in_each_language_that_it_offers(task: Path) -> None:
    write(task, "de", reload="Noch einmal laden")
    english, german = campaign_words(settings(task, "language.choices=[de]"))
    assert (english.language, english.messages["session.reload"]) == ("en", "Reload the page")
    assert (german.language, german.messages["session.reload"]) == ("de", "Noch einmal laden")


def test_a_language_without_words_is_refused_and_those_with_words_are_named(task: Path) -> None:
    write(task, "fr", reload="Recharger")
    with pytest.raises(UnknownName, match=r"Unknown language 'it'. Available: ar, de, en, es, fr\."):
        campaign_words(settings(task, "language.choices=[it]"))


@pytest.mark.parametrize("pages", ["en", "de"])
def test_a_campaign_is_not_served_with_english_that_breaks_a_page_in_whichever_language(task: Path, pages: str) -> None:
    """It is shown where a translation is missing."""
    write(task, "en", submitted__count=BROKEN)
    with pytest.raises(InvalidInput, match=r"session\.submitted\.count: It has the arguments secret"):
        campaign_words(settings(task, f"language.pages={pages}"))
    found = check(task, f"language.pages={pages}")
    assert (found.exit_code, "session.submitted.count: It has the arguments secret" in found.output) == (1, True)


def test_what_is_not_translated_is_listed_and_is_served_all_the_same(task: Path) -> None:
    write(task, "en", reload="Load it again")
    assert check(task).output == "No faults in the words of en.\n"
    found = check(task, "language.choices=[de]")
    assert (found.exit_code, found.output.splitlines()[-1]) == (1, "Error: 1 faults in the words of en, de.")
    assert "session.reload: Its English was changed here" in found.output
    assert len(campaign_words(settings(task, "language.choices=[de]"))) == 2


def test_the_language_of_the_data_is_told_to_the_kind_of_task_and_is_not_that_of_the_pages(task: Path) -> None:
    arabic = settings(task, "language.data=ar-EG", "language.pages=de")
    assert (arabic.kind.language, arabic.language.offered) == ("ar-EG", ("de",))
    assert RoundTerms.model_validate(arabic.of_round()).kind("nli").language == "ar-EG"
    assert "language" not in arabic.of_campaign()


@pytest.mark.parametrize("tag", ["english", "AR", "ar_EG", "e", ""])
def test_what_is_no_tag_of_a_language_is_refused_with_what_is_one(task: Path, tag: str) -> None:
    with pytest.raises(InvalidInput, match="BCP 47") as refusal:
        settings(task, f"language.data='{tag}'")
    assert refusal.value.field == "language.data"
    assert repr(tag) in str(refusal.value)
