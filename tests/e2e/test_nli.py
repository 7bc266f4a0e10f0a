"""Adversarial NLI in a real browser, against a model of rules: writing, verification, screening."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.screening import PairScreening
from beat_the_ai.kinds.nli.screening.content import QuizContent
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.kinds.nli.writing import WORDING, HypothesisWriting
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign as StoredCampaign
from beat_the_ai.store import Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.terms.writing import Terms
from beat_the_ai.validation import ValidationDesk
from beat_the_ai.writing import WritingDesk
from tests.browser import PATIENCE_MS
from tests.e2e.conftest import PREVIEW, ROOT, Campaign, screenshots, served
from tests.e2e.heard import Heard, keys_of
from tests.kinds.nli.overlap import Overlap
from tests.kinds.nli.premises import FILE, PREMISES
from tests.mephisto.rig import kill_router
from tests.thorough import cases
from tests.validation.rig import Validating, validating
from tests.webapp.sight import assert_work_first
from tests.webapp.test_accessibility import DESKTOP, PHONE, check
from tests.webapp.tours import remember_tours, skip_tour

FOLDER = ROOT / "tests" / "kinds" / "nli"
QUIZ = FOLDER / "quiz.yaml"
MODEL = f"adversary.members=['{FOLDER / 'overlap.py'}:BACKEND:0.6']"
OPTIONS = ("tasks/nli", f"contexts={FILE}", MODEL)
PHONE_IN_THE_DARK = {**PHONE, "color_scheme": "dark"}
NAMES = {"entailment": "definitely correct", "neutral": "neither", "contradiction": "definitely incorrect"}


def open_page(browser: Browser, url: str, ready: str, **device: Any) -> Page:
    """A page that has what is `ready` by its test id; until the first units are there it is asked for again."""
    page = browser.new_context(reduced_motion="reduce", **(device or DESKTOP)).new_page()
    remember_tours(page.context)
    page.set_default_timeout(PATIENCE_MS)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        page.goto(url)
        expect(page.get_by_test_id(ready).or_(page.get_by_text("There is no work here"))).to_be_visible()
        if page.get_by_test_id(ready).is_visible():
            return page
    pytest.fail("no HIT came")


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.1)


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"nli-{name}.png", full_page=True)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_text("Thank you! Your task is submitted.")).to_be_visible()


# Writing


def target(page: Page) -> str:
    return str(page.get_by_test_id("target").locator("[data-label]").get_attribute("data-label"))


def statement(page: Page, label: str) -> str:
    """One that the model of rules gives this label."""
    words = page.get_by_role("region", name="Text").inner_text().split()
    return {
        "entailment": " ".join(reversed(words[:7])),
        "neutral": "Somebody sang quite loudly thereafter.",
        "contradiction": "Nobody sang quite loudly thereafter.",
    }[label]


def try_statement(page: Page, text: str) -> None:
    page.get_by_label("Your statement").fill(text)
    page.get_by_role("button", name="Submit statement").click()


def verdict(page: Page, outcome: str) -> Locator:
    return page.locator(f"[data-testid=verdict][data-outcome={outcome}]")


def test_a_writer_misses_beats_the_model_explains_it_and_nothing_is_lost_on_the_way(
    browser: Browser, tmp_path: Path
) -> None:
    with served(Campaign(tmp_path / "campaign", *OPTIONS)) as campaign:
        page = open_page(browser, campaign.page_of("ann"), "target")
        aim = target(page)
        expect(page.get_by_test_id("target")).to_contain_text(WORDING[aim])  # type: ignore[index]
        expect(page.get_by_test_id("try")).to_contain_text("1 of 5")
        missed = statement(page, aim)
        try_statement(page, missed)
        expect(verdict(page, "not-fooled")).to_be_visible()
        expect(page.get_by_test_id("try")).to_contain_text("2 of 5")
        picture(page, "e2e-miss")

        campaign.kill_operator()
        other = next(label for label in LABELS if label != aim)
        beating = statement(page, other)
        try_statement(page, beating)
        campaign.start()
        expect(verdict(page, "fooled")).to_contain_text(beating)
        page.get_by_label("Why is your statement").fill("It says so in the text.")
        page.reload()
        expect(page.get_by_label("Why is your statement")).to_have_value("It says so in the text.")
        expect(page.get_by_role("button", name="Submit task")).to_be_disabled()
        page.get_by_label("Why may the AI have been fooled?").fill("It counts words.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("button", name="Saved")).to_be_visible()
        picture(page, "e2e-explained")
        submit(page)

        store = campaign.store()
        eventually(lambda: len(store.attempts.done_hits("nli")) == 1)
        first, second = (row.attempt for row in store.attempts.of_campaign("nli"))
        store.close()
    assert [(made.work["hypothesis"], made.work["target"], made.fooled) for made in (first, second)] == [
        (missed, aim, False),
        (beating, aim, True),
    ]
    assert second.prediction["label"] == other
    assert second.explanation == {"label_reason": "It says so in the text.", "model_reason": "It counts words."}
    page.context.close()


def test_the_stages_of_a_campaign_have_their_own_pages(browser: Browser, tmp_path: Path) -> None:
    """By the task's own configuration: verifiers get the page of statements to judge, newcomers the quiz of labels."""
    with served(Campaign(tmp_path / "verification", *OPTIONS, "--stage", "validation")) as campaign:
        page = open_page(browser, campaign.url + PREVIEW, "preview")
        expect(page.get_by_role("group", name="By the text, this statement is")).to_be_visible()
        expect(page.get_by_text("You get $0.80 for the task")).to_be_visible()
        page.context.close()
    with served(Campaign(tmp_path / "writing", *OPTIONS, "round=nli_later", "pay=nli_later")) as campaign:
        page = open_page(browser, campaign.url + PREVIEW, "preview")
        expect(page.get_by_text("You get $0.90 for up to 10 tries; one win ends the task.")).to_be_visible()
        page.context.close()


# Verification


class Rules:
    """The model of rules as the one in the loop."""

    def __init__(self) -> None:
        self._model = Overlap("0.6", LoadOptions())

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del key, asker
        [prediction] = self._model.predict([query])  # type: ignore[list-item]
        return Reply(prediction, "rules", "overlap-secret", "0" * 64, "fp32")


STATEMENTS = (
    "Nobody ever went there on foot.",
    "How many people were there is not said.",
    "Somebody once sang quite loudly on the way.",
)


@pytest.fixture
def stage(tmp_path: Path, store: Store) -> Iterator[Validating]:
    """Three statements on as many texts wait for verifiers, with a gold one among them."""
    dist = ROOT / "webapp" / "dist"
    if not (dist / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    writing = HypothesisWriting()
    campaign = store.campaigns.create(StoredCampaign("pilot", "nli", 7, "k" * 64, {}, now()))
    hits = store.campaigns.offer(
        "pilot",
        PREMISES[:3],
        round_number=1,
        slots=1,
        brief=lambda _context, _slot: {"target": "entailment"},
    )
    desk = WritingDesk(store, writing, Rules(), Terms(1, 1, 5))
    for hit, text in zip(hits, STATEMENTS, strict=True):
        assignment, taken = desk.accept(hit, "writer-secret", f"r-{hit}")
        desk.submit(assignment.id, "k", taken.context.id, {"hypothesis": text})
        desk.finish(assignment.id)
    terms = ValidationTerms(works_per_hit=3, gold_per_hit=1, same_context=False)
    checking = ValidationDesk(BoundCampaign.open(store, campaign.id), Verification(), terms)
    with validating(tmp_path, checking, page="nli_validation", page_dir=str(dist)) as running:
        yield running
    kill_router(tmp_path)


def verifiers_page(stage: Validating, worker: str) -> str:
    return f"{stage.url}/?worker_id={worker}&assignment_id=1"


def test_statements_are_judged_by_keys_and_by_mouse_with_a_reload_in_the_middle(
    browser: Browser, stage: Validating, store: Store
) -> None:
    page = open_page(browser, verifiers_page(stage, "ann"), "statement")
    shown = page.get_by_test_id("statement")
    answered = page.get_by_test_id("answered")
    expect(answered).to_contain_text("0 of 4")
    first = shown.inner_text()
    page.get_by_role("button", name="Save judgement").click()
    expect(page.get_by_role("alert")).to_contain_text("choose a judgement")
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name=WORDING["contradiction"], exact=True)).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(answered).to_contain_text("1 of 4")
    expect(shown).not_to_have_text(first)
    expect(shown).to_be_focused()

    page.get_by_role("radio", name=WORDING["neutral"], exact=True).check()
    page.reload()
    expect(page.get_by_role("radio", name=WORDING["neutral"], exact=True)).to_be_checked()  # the draft survives
    expect(answered).to_contain_text("1 of 4")  # so does what was saved
    page.get_by_role("button", name="Save judgement").click()
    expect(answered).to_contain_text("2 of 4")

    page.keyboard.press("4")
    page.get_by_role("button", name="Save judgement").click()
    expect(page.get_by_role("alert")).to_contain_text("what is wrong with the statement")
    page.get_by_role("radio", name="It is not a statement").check()
    picture(page, "check-bad")
    page.get_by_role("button", name="Save judgement").click()
    expect(answered).to_contain_text("3 of 4")
    page.keyboard.press("1")
    page.get_by_role("radio", name=WORDING["entailment"], exact=True).press("Enter")
    expect(answered).to_contain_text("4 of 4")

    page.get_by_role("button", name=re.compile("Statement 1")).click()  # back to an earlier one, to change it
    expect(page.get_by_role("radio", name=WORDING["contradiction"], exact=True)).to_be_checked()
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    submit(page)
    eventually(lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 1)
    [assignment] = store.assignments.confirmed("pilot", Stage.VALIDATION)
    _, items, votes = store.validations.session(assignment.id)
    said = [(votes[item.id].vote["label"], votes[item.id].vote["flag"]) for item in items]
    assert said == [("neutral", None), ("neutral", None), (None, "not_a_statement"), ("entailment", None)]
    assert sum(item.gold is not None for item in items) == 1
    page.context.close()


def test_a_verifier_hears_nothing_of_target_model_and_writer(browser: Browser, stage: Validating) -> None:
    heard = Heard()
    page = browser.new_context(reduced_motion="reduce", **DESKTOP).new_page()
    remember_tours(page.context)
    heard.listen(page)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not page.get_by_test_id("statement").is_visible():
        assert time.monotonic() < deadline, "no HIT came"
        page.goto(verifiers_page(stage, "bea"))
        expect(page.get_by_test_id("statement").or_(page.get_by_text("There is no work here"))).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("answered")).to_contain_text("1 of 4")
    said = heard.text()
    assert STATEMENTS[0] in said  # it did hear the work
    assert [secret for secret in ("writer-secret", "overlap-secret", "contradiction") if secret in said] == []
    names = set(keys_of(heard.packets))
    assert not {"prediction", "scores", "fooled", "gold", "writer", "brief"} & names
    tasks = [packet["data"]["init_task_data"] for packet in heard.packets if "init_task_data" in packet.get("data", {})]
    items = [item for task in tasks if task for item in task["items"]]
    assert {name for item in items for name in item["work"]} == {"hypothesis"}
    page.context.close()


@pytest.mark.parametrize("device", cases({"desktop": DESKTOP, "phone dark": PHONE_IN_THE_DARK}, ["phone dark"]))
def test_every_state_of_checking_is_accessible(browser: Browser, stage: Validating, device: dict[str, Any]) -> None:
    name = "phone" if device.get("is_mobile") else "desktop"
    page = open_page(browser, verifiers_page(stage, name), "statement", **device)
    check(page, "empty")
    picture(page, f"check-{name}")
    assert_work_first(page, page.get_by_role("radio").first, "Text")
    page.get_by_role("button", name="Instructions").click()
    for chapter in ("The work", "Your pay", "Good to know", "Examples"):
        expect(page.get_by_role("dialog", name=chapter)).to_be_visible()
        check(page, chapter)
        page.get_by_role("dialog").locator("button.primary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Choose “{WORDING['neutral']}”")
    check(page, "shortcuts")
    page.keyboard.press("2")  # nothing is chosen under a dialog
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    page.get_by_role("radio", name="a bad example").check()
    check(page, "bad example")
    page.get_by_role("button", name="Save judgement").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    check(page, "error")
    page.goto(stage.url + PREVIEW)
    expect(page.get_by_test_id("preview")).to_be_visible()
    check(page, "preview")
    picture(page, f"check-preview-{name}")
    page.context.close()


# Screening


@pytest.fixture(scope="module")
def screening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    options = ("--stage", "screening", "qualification=paper", f"qualification.quiz={QUIZ}")
    with served(Campaign(tmp_path_factory.mktemp("screening") / "campaign", *OPTIONS, *options)) as running:
        yield running


def quiz() -> QuizContent:
    return PairScreening(HypothesisWriting()).load_quiz(QUIZ).content


def label_all(page: Page, labels: dict[str, str]) -> None:
    """`labels` by hypothesis."""
    for hypothesis, label in labels.items():
        page.get_by_role("group", name=hypothesis).get_by_role("radio", name=NAMES[label], exact=True).check()


def test_a_newcomer_labels_writes_and_tries_the_sample_with_mistakes_and_reloads_on_the_way(
    browser: Browser, screening: Campaign
) -> None:
    content = quiz()
    keys = {task.hypothesis: str(task.label) for task in content.labelling}
    heard = Heard()
    page = browser.new_context(reduced_motion="reduce", **DESKTOP).new_page()
    page.set_default_timeout(PATIENCE_MS)
    heard.listen(page)
    page.goto(screening.page_of("nina"))
    expect(page.get_by_role("dialog")).to_contain_text("A person decides whether you get the qualification")
    skip_tour(page)

    expect(page.get_by_test_id("step")).to_contain_text("1 of 4")
    for example in content.explanations:
        expect(page.get_by_role("region", name="Examples")).to_contain_text(example.why)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_contain_text("6 statements have no judgement yet")
    label_all(page, dict.fromkeys(keys, "neutral"))
    page.get_by_role("button", name="Check").click()
    mistake = page.get_by_test_id("mistake")
    expect(mistake).to_contain_text("4 of these are wrong")
    expect(mistake.get_by_role("heading")).to_be_focused()
    expect(page.get_by_test_id("tries-left")).to_contain_text("1")
    picture(page, "screening-mistake")
    wrong = content.labelling[0]
    label_all(page, {**keys, wrong.hypothesis: "neutral"})
    page.reload()
    expect(page.get_by_role("group", name=wrong.hypothesis).get_by_role("radio", name="neither")).to_be_checked()
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_test_id("step")).to_contain_text("2 of 4")
    told = page.get_by_role("status").filter(has_text="Well done!")
    expect(told).to_contain_text("5 of 6 are right")
    expect(told).to_contain_text(wrong.wrong["neutral"])
    picture(page, "screening-writing")
    first, second = content.writing
    expect(page.get_by_test_id("target")).to_contain_text(WORDING[first.label])
    page.get_by_label("Your statement").fill(content.labelling[0].hypothesis)
    page.get_by_role("button", name="Check").click()
    expect(mistake).to_contain_text("This stands in this quiz already")
    expect(mistake).to_contain_text(f"Hint: {first.hints[0]}")
    page.get_by_label("Your statement").fill(first.reference)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("step")).to_contain_text("3 of 4")
    expect(page.get_by_test_id("target")).to_contain_text(WORDING[second.label])
    page.get_by_label("Your statement").fill(second.reference)
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_test_id("sample")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Thank you!")).to_contain_text("The AI found your statement")
    skip_tour(page)
    expect(page.get_by_role("button", name="Give up and submit task")).to_be_disabled()
    beating = next(label for label in LABELS if label != target(page))
    try_statement(page, statement(page, beating))
    expect(verdict(page, "fooled")).to_be_visible()
    picture(page, "screening-sample")
    page.get_by_label("Why is your statement").fill("By the text.")
    page.get_by_label("Why may the AI have been fooled?").fill("It counts words.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    submit(page)
    expect(page.get_by_text("A person will now look at everything that you wrote")).to_be_visible()

    store = screening.store()
    eventually(lambda: [each.outcome for each in store.screenings.of_campaign("nli")] == ["passed"])
    [taken] = store.screenings.of_campaign("nli")
    _, responses = store.screenings.session(taken.assignment_id)
    [attempt] = store.attempts.of_assignment(taken.assignment_id)
    store.close()
    assert [response.mistake for response in responses] == ["wrong 4", None, "repeated", None, None]
    assert attempt.explanation == {"label_reason": "By the text.", "model_reason": "It counts words."}
    said = heard.text()
    assert content.labelling[0].hypothesis in said  # it did hear the quiz
    revealed = wrong.wrong["neutral"]
    assert [why for each in content.labelling for why in each.wrong.values() if why in said] == [revealed]
    page.context.close()


def test_used_up_tries_end_it(browser: Browser, screening: Campaign) -> None:
    page = open_page(browser, screening.page_of("mallory"), "step")
    for _ in range(2):
        label_all(page, {task.hypothesis: "neutral" for task in quiz().labelling})
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text(re.compile("One try is left|No try is left"))).to_be_visible()
    expect(page.get_by_role("heading", name="The screening ends here")).to_be_focused()
    submit(page)
    page.context.close()


@pytest.mark.parametrize("device", cases({"desktop": DESKTOP, "phone dark": PHONE_IN_THE_DARK}, ["phone dark"]))
def test_every_state_of_the_screening_is_accessible(
    browser: Browser, screening: Campaign, device: dict[str, Any]
) -> None:
    name = "phone" if device.get("is_mobile") else "desktop"
    page = open_page(browser, screening.url + PREVIEW, "preview", **device)
    check(page, "preview")
    picture(page, f"screening-preview-{name}")
    page.goto(screening.page_of(f"axel-{name}"))
    expect(page.get_by_test_id("step")).to_be_visible()
    check(page, "labelling")
    picture(page, f"screening-{name}")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert").filter(has_text="Please")).to_be_visible()
    check(page, "problem")
    keys = {task.hypothesis: str(task.label) for task in quiz().labelling}
    label_all(page, {**keys, next(iter(keys)): "contradiction"})
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_test_id("target")).to_be_visible()
    check(page, "writing")
    picture(page, f"screening-corrections-{name}")
    page.context.close()
