"""Walks through the workers' pages: every state that a worker may see, in any language.

A walk opens pages of a made-up crowd, and yields the name of each state while the page shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from playwright.sync_api import Page, expect

from beat_the_ai.kinds.quizbowl.previewing import ANSWERS
from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.messages import said as said_by_all
from beat_the_ai.messages import told
from tests.webapp.fake_checking import CheckingCrowd, FormsCrowd, ScreeningCrowd
from tests.webapp.fake_crowd import PASSAGE, FakeCrowd, Stage
from tests.webapp.fake_questions import QuestionCrowd
from tests.webapp.fake_statements import MISSED, StatementCrowd
from tests.webapp.shipped_words import shipped_words

Walk = Callable[[Page, Stage, str], Iterator[str]]

PREVIEW = "/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE"
CHECKING = ("validation", "nli_validation", "quizbowl_validation")
SCREENING = {"qualification": ("question", "answer", "pair"), "nli_qualification": ("labelling", "writing")}
WRITING = {"reading_comprehension": FakeCrowd, "nli": StatementCrowd, "quizbowl": QuestionCrowd}

EARNINGS = {
    "earned_cents": 450,
    "paid_cents": 200,
    "pending_cents": 250,
    "hits_waiting": 1,
    "hourly": {"median_cents": 1250, "assignments": 2},
}
NO_WORK = said_by_all("refusals.not_admitted")
REFUSED = {"code": "refused", "field": None, "message": "You cannot take part."}
DOUBTED = {"code": "doubtful", "field": "question", **told(said("reading_refusals.floor.unknown", words="Newcomen"))}
STATEMENT = {"hypothesis": "Newcomen was an inventor."}
EXAMPLE = {"good": True, "text": "Which engine came first?", "why": "It has one answer."}
MISTAKE = {**told(said("reading_refusals.quiz.elsewhere")), "hint": "Look again."}
PREMISE = {"id": "p", "title": "", "text": PASSAGE}
READING_STEPS: list[dict[str, Any]] = [
    {
        "id": f"s{number}",
        "kind": kind,
        "passage": {"id": "p", "title": "Engines", "text": PASSAGE},
        "question": "Whose pump used steam?" if kind == "answer" else None,
        "answer": {"text": "toys", "start": PASSAGE.index("toys")} if kind == "question" else None,
        "example_passage": None,
        "examples": [EXAMPLE],
    }
    for number, kind in enumerate(["question", "answer"])
]
NLI_STEPS: list[dict[str, Any]] = [
    {
        "id": "s0",
        "kind": "labelling",
        "premises": [PREMISE],
        "examples": [{"premise": "p", "hypothesis": "Lids rattled.", "label": "entailment", "why": "It says so."}],
        "items": [{"id": name, "premise": "p", "hypothesis": f"Statement {name}."} for name in ("a", "b")],
    },
    {
        "id": "s1",
        "kind": "writing",
        "premise": PREMISE,
        "target": "neutral",
    },
]

GIVEN = (  # by the task and by servers: no page has words of its own for these
    "Beat the AI",
    "Trick me if you can",
    "Geography, Current Events and General Knowledge",
    *(str(answer["name"]) for answer in ANSWERS),
    str(EXAMPLE["text"]),
    str(EXAMPLE["why"]),
    str(REFUSED["message"]),
    "Newcomen",
    "Above",  # the first word of the passage
)


def form(kind: str, *questions: dict[str, Any]) -> dict[str, Any]:
    nothing: dict[str, Any] = {"tag": "", "href": None, "children": [], "text": ""}
    text = [{**nothing, "tag": "p", "children": [{**nothing, "text": "What it says."}]}]
    asked = [{"required": False, "shown_when": {}, **one, "id": f"q{number}"} for number, one in enumerate(questions)]
    words = {"title": f"A {kind}", "agree": "Yes, I agree", "decline": "No, I do not"}
    return {"id": kind, "kind": kind, "text": text, "questions": asked, **words}


SURVEY = form(
    "survey",
    {"type": "choice", "text": "Which ones?", "options": ["Red", "Blue"], "several": True},
    {"type": "scale", "text": "How much?", "lowest": 1, "highest": 3, "low_label": "little", "high_label": "much"},
    {"type": "text", "text": "Why?", "max_chars": 100},
)


def enter(page: Page, stage: Stage, crowd: FakeCrowd, language: str) -> Iterator[str]:
    """Open the page of a HIT for the first time, and take its tour."""
    crowd.languages = (language,)
    page.goto(stage.enter(crowd).page)
    tour = page.get_by_role("dialog")
    expect(tour).to_be_visible()
    chapter = 0
    while tour.count():
        chapter += 1
        yield f"chapter {chapter} of the tour"
        tour.get_by_role("button").first.click()


def send(page: Page) -> None:
    page.locator("form.composer button[type=submit]").click()


def visiting(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}, languages=(language, "en")))
    page.goto(f"{crowd.url}?lang={language}")
    expect(page.get_by_role("textbox")).to_be_visible()
    yield "a visitor's name is asked for"
    crowd.failure_reason = NO_WORK
    page.get_by_role("textbox").fill("Ada")
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_text(shipped_words(language).messages["refusals.not_admitted"])).to_be_visible()
    yield "there is no work"


def previewing(name: str, page: Page, stage: Stage, language: str) -> Iterator[str]:
    steps = [{"kind": kind} for kind in SCREENING.get(name, ())]
    if name in WRITING:
        crowd: FakeCrowd = WRITING[name]()
    else:
        crowd = ScreeningCrowd(qualifies_on=name, steps=steps) if steps else CheckingCrowd(checks_on=name)
    crowd.languages = (language,)
    page.goto(f"{stage.enter(crowd).url}{PREVIEW}")
    expect(page.get_by_test_id("preview")).to_be_visible()
    yield f"preview of {name}"


def writing_questions(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = FakeCrowd(earnings=EARNINGS)
    yield from enter(page, stage, crowd, language)
    yield "nothing is written"
    send(page)
    yield "a question is missing"
    question, answer = page.get_by_role("textbox").first, page.get_by_role("textbox").nth(1)
    question.fill("Whose engine sold first?")
    answer.fill("steam")
    yield "the answer stands several times"
    answer.fill("Leonardo")
    yield "the answer is not in the passage"
    page.locator(".passage").focus()
    for key in ("ArrowRight", "Space", "ArrowRight"):
        page.keyboard.press(key)
    yield "an answer is begun by keys"
    page.keyboard.press("Escape")
    answer.fill("Thomas Newcomen's")
    crowd.error = DOUBTED
    send(page)
    expect(page.locator("form.composer").get_by_role("alert")).not_to_be_empty()
    yield "the question is doubted"
    crowd.error = None
    send(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    yield "the question beat the model"
    for button in page.locator(".attempt-actions button").all():
        button.click()
        if page.get_by_role("dialog").count():
            yield "a dialog about the question"
            page.keyboard.press("Escape")
    page.keyboard.press("?")
    yield "the shortcuts"
    page.keyboard.press("Escape")
    crowd.f1 = 0.8
    page.get_by_test_id("verdict").get_by_role("button").first.click()
    question.fill("Whose pump used steam?")
    answer.fill("Thomas Savery")
    send(page)
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "not-fooled")
    yield "the model was right"
    page.locator(".hand-in .actions button").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "few questions beat the model"
    page.keyboard.press("Escape")
    crowd.tell_status("expired")
    expect(page.locator(".ended")).to_be_visible()
    yield "the HIT has ended"


def writing_statements(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = StatementCrowd(probabilities=dict(MISSED))
    yield from enter(page, stage, crowd, language)
    page.get_by_role("textbox").first.fill("The lamp was lit by a machine.")
    send(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    yield "the model was right"
    crowd.probabilities = StatementCrowd().probabilities
    page.get_by_test_id("verdict").get_by_role("button").first.click()
    page.get_by_role("textbox").first.fill("Nobody lit the lamp.")
    send(page)
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "fooled")
    yield "the statement is to be explained"


def writing_quizbowl(page: Page, stage: Stage, language: str) -> Iterator[str]:
    yield from enter(page, stage, QuestionCrowd(), language)
    page.get_by_role("combobox").fill("Ant")
    expect(page.get_by_role("option").first).to_be_visible()
    yield "answers are found"
    page.get_by_role("option").first.click()
    page.get_by_role("textbox").first.fill("A lamp was lit there. It shone. Name it.")
    expect(page.get_by_test_id("guesses")).to_be_visible()
    yield "the model guesses"
    send(page)
    expect(page.locator("form.composer").get_by_role("alert")).not_to_be_empty()
    yield "the question is too short"
    page.locator(".history-button").click()
    expect(page.get_by_test_id("replayed")).to_be_visible()
    yield "how the question came to be"


def checking_answers(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = CheckingCrowd(earnings=None)
    yield from enter(page, stage, crowd, language)
    expect(page.get_by_test_id("question")).to_be_visible()
    yield "nothing is answered"
    send(page)
    yield "nothing is marked yet"
    cannot = page.get_by_role("checkbox")
    for number in (1, 2):
        cannot.check()
        send(page)
        expect(page.get_by_test_id("answered")).to_contain_text(str(number))
    cannot.uncheck()
    yield "a change is not saved"
    crowd.mute_targets = {"vote"}
    cannot.check()
    send(page)
    yield "it is being saved"
    page.keyboard.press("?")
    yield "the shortcuts"


def checking_statements(page: Page, stage: Stage, language: str) -> Iterator[str]:
    yield from enter(page, stage, CheckingCrowd(checks_on="nli_validation", work=STATEMENT), language)
    expect(page.get_by_test_id("statement")).to_be_visible()
    send(page)
    page.get_by_role("radio").nth(3).check()
    send(page)
    yield "what is wrong is not said"
    page.keyboard.press("?")
    yield "the shortcuts"


def playing_questions(page: Page, stage: Stage, language: str) -> Iterator[str]:
    yield from enter(page, stage, CheckingCrowd(checks_on="quizbowl_validation", work={}), language)
    page.get_by_role("radio").nth(3).check()
    yield "read word by word"
    page.locator(".composer .submit button").click()
    expect(page.locator(".read-word")).to_have_count(1)
    yield "one word is read"
    page.keyboard.press("b")
    send(page)
    yield "nothing is said yet"
    page.get_by_role("textbox").first.fill("Newcomen")
    send(page)
    expect(page.get_by_test_id("answered")).to_contain_text("1")
    page.locator(".places button").first.click()
    yield "an answer is saved"


def screening_readers(page: Page, stage: Stage, language: str) -> Iterator[str]:
    told: list[dict[str, Any]] = [MISTAKE, {"model_answer": "toys"}, {"model_answer": None}]
    yield from enter(page, stage, ScreeningCrowd(steps=READING_STEPS, told=told), language)
    for outcome in ("wrong", "right"):
        page.get_by_role("textbox").first.fill("What were the devices?")
        yield "a question is written for an answer"
        send(page)
        expect(page.get_by_test_id("mistake").or_(page.locator(".notice.praise"))).to_be_visible()
        yield f"a step that is {outcome}"
    page.get_by_role("textbox").first.fill("Thomas Savery")
    send(page)
    expect(page.get_by_test_id("sample")).to_be_visible()
    yield "the sample"


def failing_a_screening(page: Page, stage: Stage, language: str) -> Iterator[str]:
    yield from enter(page, stage, ScreeningCrowd(steps=READING_STEPS, told=[MISTAKE], tries=1), language)
    page.get_by_role("textbox").first.fill("What were the devices?")
    send(page)
    expect(page.get_by_test_id("closing")).to_be_visible()
    yield "the screening ends with its last try"


def screening_labellers(page: Page, stage: Stage, language: str) -> Iterator[str]:
    wrong = [{"id": "a", "label": "neutral", "why": "It says so."}]
    told: list[dict[str, Any]] = [{"labelled_right": 1, "wrong": wrong}, {"model_label": "entailment"}]
    crowd = ScreeningCrowd(qualifies_on="nli_qualification", steps=NLI_STEPS, told=told, brief={"target": "neutral"})
    yield from enter(page, stage, crowd, language)
    send(page)
    yield "nothing is labelled"
    for group in page.locator("fieldset").all():
        group.get_by_role("radio").first.check()
    send(page)
    expect(page.locator(".corrections")).to_be_visible()
    yield "labels are corrected"
    page.get_by_role("textbox").first.fill("Someone wrote this.")
    send(page)
    expect(page.get_by_test_id("sample")).to_be_visible()
    yield "the sample"


def forms_before(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = FormsCrowd(before=[form("consent"), SURVEY], languages=(language,))
    page.goto(stage.enter(crowd).page)
    buttons = page.locator(".form-page button")
    expect(buttons).to_have_count(2)
    yield "consent"
    buttons.nth(1).click()
    expect(page.locator(".form-page")).to_have_count(0)
    yield "consent is declined"
    page.get_by_role("button").first.click()
    buttons.first.click()
    expect(page.locator("fieldset").first).to_be_visible()
    yield "a survey"
    crowd.refusal = REFUSED
    buttons.first.click()
    expect(page.get_by_text("You cannot take part.")).to_be_visible()
    yield "a form leads to a refusal"


def forms_after(page: Page, stage: Stage, language: str) -> Iterator[str]:
    crowd = FormsCrowd(after=[SURVEY], status="completed", config={"asks_afterwards": True}, languages=(language,))
    page.goto(stage.enter(crowd).page)
    expect(page.locator(".form-page")).to_be_visible()
    yield "a survey after the HIT"


WALKS: dict[str, Walk] = {
    **{f"preview of {name}": partial(previewing, name) for name in (*WRITING, *CHECKING, *SCREENING)},
    **{
        walk.__name__.replace("_", " "): walk
        for walk in (
            visiting,
            writing_questions,
            writing_statements,
            writing_quizbowl,
            checking_answers,
            checking_statements,
            playing_questions,
            screening_readers,
            failing_a_screening,
            screening_labellers,
            forms_before,
            forms_after,
        )
    },
}
