"""Checks of the task: settings, folder, contexts, forms, quiz and pages."""

from __future__ import annotations

from collections.abc import Iterator

from beat_the_ai.campaign.doctor.checks import check, fault, ok
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.campaign.settings.configuration import load_task
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.campaign.settings.pages import page_folder
from beat_the_ai.campaign.settings.planned_round import load_contexts
from beat_the_ai.campaign.settings.qualification import quiz_file, requirement_set
from beat_the_ai.campaign.settings.suggestions import suggestion_pools

Findings = Iterator[tuple[str, str | None]]


@check("configuration", "Correct the setting that is named, in the task's conf/ or as KEY=VALUE.")
def configuration(subject: Subject) -> Findings:
    if subject.unread is not None:
        yield fault(subject.unread, "Correct the setting that is named, in the task's conf/ or as KEY=VALUE.")
    elif subject.settings is None:
        yield ok(f"{subject.folder} holds no campaign yet")
    else:
        yield ok(f"{subject.settings.name}: {subject.settings.task.kind}, crowd={subject.settings.crowd.provider}")


@check("task_folder", "Say where the task folder is: beat-the-ai relocate CAMPAIGN TASK_DIR.")
def task_folder(subject: Subject) -> Findings:
    if (settings := subject.settings) is None:
        return
    mend = f"Say where it is: beat-the-ai relocate {subject.folder} TASK_DIR."
    if not settings.task_dir.is_dir():
        yield fault(f"The task folder {settings.task_dir} is not there.", mend)
        return
    load_task(settings.task_dir)
    words = settings.kind.words
    yield ok(f"{settings.task_dir}: {words.works} on {words.contexts}")


@check("contexts", "Name another file: contexts=FILE.")
def contexts(subject: Subject) -> Findings:
    if (settings := subject.settings) is None:
        return
    if not settings.contexts.exists():
        yield fault(f"The contexts {settings.contexts} are not there.", "Put them back, or name others: contexts=FILE.")
        return
    found = load_contexts(settings)
    if found:
        yield ok(f"{len(found):,} {settings.kind.words.contexts} in {settings.contexts.name}")
    else:
        yield fault(f"{settings.contexts} is empty.", "Name another file: contexts=FILE.")


@check("suggestions", "Correct the line that is named, or leave the file out of its arm: round.arms.ARM.suggestions.")
def suggestions(subject: Subject) -> Findings:
    if subject.settings is None:
        return
    for arm, pool in suggestion_pools(subject.settings).items():
        yield ok(f"{sum(map(len, pool.by_context.values())):,} in arm {arm}")


@check(
    "forms", "Correct the form, or leave it out: forms.before=[], forms.after=[]. `beat-the-ai forms check` says more."
)
def forms(subject: Subject) -> Findings:
    if subject.settings is not None:
        read = campaign_forms(subject.settings)
        yield ok(f"{len(read.before)} before the work, {len(read.after)} after it")


@check("qualification", "Choose other requirements or another quiz: qualification=NAME, qualification.quiz=FILE.")
def qualification(subject: Subject) -> Findings:
    if (settings := subject.settings) is None:
        return
    asked = requirement_set(settings)
    quiz = quiz_file(settings).name if asked.asks_for_own else "none"
    yield ok(f"requirements {settings.qualification.requirements}, quiz {quiz}")


@check("pages", "Build them: make webapp.")
def pages(subject: Subject) -> Findings:
    if subject.settings is not None:
        folder = page_folder(subject.settings.task_dir)
        if (folder.parent / "review" / "dist" / "bundle.js").is_file():
            yield ok(f"built in {folder.parent}")
        else:
            yield fault("The review page is not built.", "Build it: make webapp.")
