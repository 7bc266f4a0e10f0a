"""The preview of words: every state is reached on the real pages, with words of a task folder and no script."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.campaign.preview.letters import letter_states
from beat_the_ai.campaign.preview.states import page_states
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.words import word_folders
from beat_the_ai.words import page_words
from beat_the_ai.words.pseudo import OPENING, PSEUDO, pseudo
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.thorough import names

TASKS = Path(__file__).parents[3] / "tasks"
FORMS = ("forms.before=[consent,about_you]", "forms.after=[debriefing]")
SHOWN = "html[data-preview=shown]"
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@contextmanager
def previewing(task: Path, *arguments: str) -> Iterator[str]:
    """`words preview` as a process: yields its address."""
    command = [sys.executable, "-m", "beat_the_ai.cli", "words", "preview", str(task), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=task.parent) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the preview ended before it was served"
        try:
            yield address
        finally:
            process.terminate()


@pytest.fixture(scope="module", params=names(["reading_comprehension", "nli", "quizbowl"], ["nli"]))
def made_up_task(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task folder with all its words in the made-up language."""
    task = Path(shutil.copytree(TASKS / request.param, tmp_path_factory.mktemp("preview") / "task"))
    settings = read_settings(task, [], out=task / "out")
    words = pseudo(page_words("en", *word_folders(settings)[1:-1]))
    for key, text in words.messages.items():
        area, _, name = key.partition(".")
        write(task, PSEUDO, area, {name: text})
    return task


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TASKS / "nli", tmp_path / "task"))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    complaints: list[str] = []
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        yield page
    ended = ("WebSocket", "ERR_CONNECTION_REFUSED")  # the server has ended
    assert [complaint for complaint in complaints if not any(word in complaint for word in ended)] == []


def write(task: Path, language: str, area: str, messages: dict[str, str]) -> None:
    """Add messages to a file of a task folder's words."""
    path = task / "words" / language / f"{area}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(path.read_text()) if path.is_file() else {}
    path.write_text(json.dumps({**before, **messages}))


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


def test_each_state_is_reached_and_shows_the_words_of_the_task_folder(made_up_task: Path, page: Page) -> None:
    """In a language of which the product has no word: whatever is in it comes from the folder."""
    before = files(made_up_task.parent)
    settings = read_settings(made_up_task, list(FORMS), out=made_up_task / "out")
    states = page_states(settings)
    assert len({state.id for state in states}) == len(states)
    with previewing(made_up_task, "--language", PSEUDO, *FORMS) as address:
        page.goto(address)
        links = [str(link.get_attribute("href")) for link in page.locator("nav a[href^=pages]").all()]
        assert links == [f"pages/{PSEUDO}/{state.id}/" for state in states]
        for link in links:
            page.goto(f"{address}{link}")
            page.locator(SHOWN).wait_for(state="attached")
            expect(page.locator("#app")).to_contain_text(OPENING)
    assert files(made_up_task.parent) == before


def test_an_edit_is_seen_after_a_reload_in_the_state_and_language_that_were_shown(task: Path, page: Page) -> None:
    with previewing(task, "--language", "de") as address:
        page.goto(address)
        page.get_by_role("link", name="the model was beaten").click()
        frame = page.frame_locator("iframe")
        expect(frame.get_by_test_id("verdict")).to_contain_text("Du hast die KI überlistet!")
        write(task, "de", "writing", {"fooled": "Gewonnen!"})
        page.reload()
        expect(frame.get_by_test_id("verdict")).to_contain_text("Gewonnen!")
        page.get_by_label("Language").select_option("ar")
        page.get_by_role("button", name="Show").click()
        expect(frame.locator("html")).to_have_attribute("dir", "rtl")
        expect(frame.get_by_test_id("verdict")).to_be_visible()


def test_the_choice_on_the_page_itself_changes_its_language(task: Path, page: Page) -> None:
    with previewing(task) as address:
        page.goto(f"{address}pages/en/writing-nothing-is-written/")
        page.get_by_role("combobox").select_option("es")
        expect(page.locator("html")).to_have_attribute("lang", "es")
        expect(page).to_have_url(f"{address}pages/es/writing-nothing-is-written/")


def test_a_script_in_a_translation_does_not_run_and_is_listed_as_a_fault(task: Path, page: Page) -> None:
    write(task, "de", "session", {"submitted.title": HOSTILE, "name": HOSTILE, HOSTILE: "x"})
    write(task, "en", "nli", {"submit": "javascript:alert(1)"})
    (task / "words" / "de" / "nli_rejected.md").write_text(f"Hallo {HOSTILE} [hier](javascript:alert(1))")
    with previewing(task, "--language", "de") as address:
        page.goto(address)
        faults = page.locator(".faults")
        expect(faults).to_contain_text("session.submitted.title It is no ICU message")
        expect(faults).to_contain_text("nli.submit It has markup")
        for state in ("visit-a-visitor-s-name", "writing-before-the-task-is-accepted", "writing-the-tour"):
            page.goto(f"{address}pages/de/{state}/")
            page.locator(SHOWN).wait_for(state="attached")
            assert page.locator("#app script, #app img, #app [href^=javascript]").count() == 0
            assert page.title() != "owned"


@pytest.mark.parametrize("content", ["{", '{"submit": "{count, plural, other {"}', "[]"])
def test_words_that_cannot_be_read_leave_the_products_on_the_page_and_are_told(
    task: Path, page: Page, content: str
) -> None:
    (task / "words" / "de").mkdir(parents=True)
    (task / "words" / "de" / "nli.json").write_text(content)
    with previewing(task, "--language", "de") as address:
        page.goto(address)
        expect(page.locator(".faults")).to_contain_text("nli.json")
        page.goto(f"{address}pages/de/writing-nothing-is-written/")
        expect(page.locator("form.composer button[type=submit]")).not_to_be_empty()
        page.locator(SHOWN).wait_for(state="attached")


def test_a_live_event_is_shown_with_the_words_of_the_task_folder_and_an_edit_after_a_reload(
    tmp_path: Path, page: Page
) -> None:
    task = Path(shutil.copytree(TASKS / "quizbowl", tmp_path / "task"))
    write(task, "de", "event", {"score": "Wer führt"})
    with previewing(task, "--language", "de") as address:
        page.goto(address)
        frame = page.frame_locator("iframe")
        for title in ("a spectator", "the moderator, a protest", "the moderator, a ruling is due"):
            page.get_by_role("link", name=title, exact=True).click()
            expect(frame.get_by_role("heading", name="Wer führt")).to_be_visible()
        write(task, "de", "event", {"score": "Zwischenstand"})
        page.reload()
        expect(frame.get_by_role("heading", name="Zwischenstand")).to_be_visible()
        write(task, "de", "event", {"score": HOSTILE})
        page.reload()
        expect(frame.get_by_role("heading", name="Spielstand")).to_be_visible()
        expect(page.locator(".faults")).to_contain_text("event.score It is no ICU message")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_the_index_is_accessible_and_whole(task: Path, browser: Browser, width: int, scheme: str) -> None:
    write(task, "de", "session", {"nothing": "Nichts"})
    with previewing(task, "--language", "de") as address:
        page = browser.new_page(viewport={"width": width, "height": 740}, color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(address)
        expect(page.locator(".faults li")).to_have_count(1)
        check_accessible(page, "the index")
        assert fits(page)
        page.close()


def test_a_language_without_words_is_refused(task: Path) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "words", "preview", str(task), "--language", "fr"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "Unknown language 'fr'" in result.stderr


def test_letters_are_shown_in_each_state_with_the_words_of_now(task: Path, page: Page) -> None:
    with previewing(task, "--language", "ar") as address:
        page.goto(address)
        links = page.locator("nav a[href^=letters]")
        assert links.count() == len([*letter_states()])
        for link in links.all():
            page.goto(f"{address}{link.get_attribute('href')}")
            expect(page.locator("html")).to_have_attribute("dir", "rtl")
            assert not re.search("[A-Za-z]", page.locator("h1").inner_text())
            page.go_back()
        write(task, "de", "letters", {"title": "Deine Post", "send": HOSTILE})
        page.goto(f"{address}letters/de/letters-results-reviews-and-letters")
        expect(page.get_by_role("heading", name="Deine Post")).to_be_visible()
        expect(
            page.get_by_role("button", name="Abschicken").last
        ).to_be_visible()  # the product's: that one has a fault
        check_accessible(page, "letters")
