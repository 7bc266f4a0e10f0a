"""The files that `forms.before` names, from the launch to a resume in another folder."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.errors import InvalidInput

ROOT = Path(__file__).parents[3]
TASKS = ROOT / "tasks"
HOW_TO = ROOT / "docs" / "how-to" / "ask-for-consent.md"
NOTICE = "---\nkind: notice\ntitle: {title}\n---\nPlease read this.\n"


def write(path: Path, title: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(NOTICE.format(title=title), encoding="utf-8")
    return path


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task folder of one's own."""
    folder = tmp_path / "task"
    folder.mkdir()
    for name in ("conf", "contexts"):
        (folder / name).symlink_to(TASKS / "reading_comprehension" / name)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def settings(task: Path, *forms: str) -> Settings:
    return read_settings(task, [f"forms.before=[{','.join(forms)}]"], out=Path("/nowhere"))


def titles(read: Settings) -> list[str]:
    return [form.title for form in campaign_forms(read).before]


def test_files_are_found_again_from_another_folder(
    task: Path, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here / "mine.md", "mine")
    write(here / "texts" / "other.md", "other")
    write(here / "both.md", "here")
    write(task / "both.md", "of the task")
    launched = settings(task, "mine.md", "texts/other.md", "both.md", "consent")
    expected = ["mine", "other", "of the task", "Taking part in this study"]
    assert titles(launched) == expected
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine.md", "another")
    resumed = Settings.model_validate(launched.model_dump(mode="json"))
    assert titles(resumed) == expected
    assert resumed.forms == launched.forms
    assert titles(amended(launched, ["forms.before=[mine.md]"])) == ["another"]


@pytest.mark.parametrize("name", ["mine.md", "texts/mine", "consnet.yaml"])
def test_a_missing_file_is_named_as_a_file(task: Path, here: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"no file {here}/{name}") as caught:
        campaign_forms(settings(task, name))
    assert caught.value.field == "forms.before"


def test_a_name_that_is_no_form_lists_the_shipped_ones(task: Path, here: Path) -> None:
    with pytest.raises(InvalidInput, match=r"Available: about_you, consent, debriefing\. Did you mean 'consent'"):
        campaign_forms(settings(task, "consnet"))


@pytest.mark.parametrize("place", ["here", "task"])
def test_a_shipped_name_that_a_file_has_too_is_ambiguous(task: Path, here: Path, place: str) -> None:
    mine = write((here if place == "here" else task) / "about_you.md", "mine")
    with pytest.raises(InvalidInput, match=rf"the shipped form, and there is a file {mine}") as caught:
        campaign_forms(settings(task, "about_you"))
    shipped = str(caught.value).rpartition(" or ")[2].split()[0]
    assert titles(settings(task, "about_you.md")) == ["mine"]
    assert titles(settings(task, shipped)) == ["A few questions about you"]


def test_the_folder_of_the_shipped_forms_is_not_ambiguous(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "qualification" / "forms")
    assert titles(settings(task, "consent")) == ["Taking part in this study"]


def test_the_how_to_launches_the_forms_that_it_checks(task: Path, here: Path) -> None:
    lines = [shlex.split(line) for line in HOW_TO.read_text().split("```")[1].strip().splitlines()]
    for _, source, target in (line for line in lines if line[0] == "cp"):
        shutil.copy(ROOT / source, here / target)
    [checked] = [line[3:] for line in lines if line[1:3] == ["forms", "check"]]
    [launched] = [line[3 : line.index("--out")] for line in lines if line[1] == "launch"]
    read = read_settings(task, launched, out=here / "out")
    assert read.crowd.is_marketplace
    assert list(read.forms.before) == [str(here / name) for name in checked]
    assert titles(read) == ["Taking part in this study", "A few questions about you"]


def after(task: Path, *forms: str) -> Settings:
    return read_settings(task, [f"forms.after=[{','.join(forms)}]"], out=Path("/nowhere"))


def test_surveys_and_notices_may_come_after_the_hits(task: Path, here: Path) -> None:
    write(here / "end.md", "end")
    launched = after(task, "debriefing")
    assert [form.title for form in campaign_forms(launched).after] == ["What this study was about"]
    resumed = Settings.model_validate(launched.model_dump(mode="json"))
    assert resumed.forms == launched.forms


@pytest.mark.parametrize("form", ["consent"])
def test_what_could_refuse_work_cannot_come_after_it(task: Path, form: str) -> None:
    with pytest.raises(InvalidInput, match=r"cannot come after the work.*forms\.before") as caught:
        campaign_forms(after(task, form))
    assert caught.value.field == "forms.after"


def test_a_debriefing_cannot_come_before_the_work(task: Path) -> None:
    with pytest.raises(InvalidInput, match=r"Name it in forms\.after"):
        campaign_forms(settings(task, "debriefing"))


def test_a_missing_form_after_the_hits_is_told_by_its_setting(task: Path, here: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no file") as caught:
        campaign_forms(after(task, "mine.md"))
    assert caught.value.field == "forms.after"
