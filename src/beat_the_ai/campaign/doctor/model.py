"""Checks of the models in the loop: there, loadable, and answering."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import language_model, open_adversary
from beat_the_ai.adversary.served import ServedModel
from beat_the_ai.campaign.doctor.checks import check, fault, ok
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import load_contexts
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.rules.protocol import TaskItem, Value

Findings = Iterator[tuple[str, str | None]]
LOADING_SECONDS = 120.0
ANSWER_SECONDS = 10.0
SEARCHED = 200  # contexts, for one with a work that is known


@check("model", "Choose another model: adversary=NAME, or adversary.members=[BACKEND:SOURCE].", LOADING_SECONDS)
def model(subject: Subject) -> Findings:
    """Language models are not asked: each answer may cost something."""
    if (settings := subject.settings) is None:
        return
    section = settings.adversary
    for spec in settings.members:
        asked = language_model(spec)
        if asked is not None:
            asked.key()
            yield ok(f"{spec}: its key is there; it was not asked")
            continue
        options = LoadOptions(section.device, section.threads, section.precision, memory_gib=section.memory_gib)
        loaded = open_adversary(spec, settings.kind.name, options)
        yield ok(f"{spec} ({loaded.identity.hash[:8]}){_answers(loaded, settings)}")


@check("model_servers", "Start the server, or name another: adversary.servers.NAME.address=URL.")
def model_servers(subject: Subject) -> Findings:
    if (settings := subject.settings) is None:
        return
    for name, server in settings.adversary.servers.items():
        mend = f"Start it, or name another one: adversary.servers.{name}.address=URL."
        variable = server.token_variable
        if variable is not None and not os.environ.get(variable):
            yield fault(f"The token of the model server {name} is missing.", f"Set {variable}.")
            continue
        token = None if variable is None else os.environ[variable]
        writing = settings.kind.writing
        try:
            with ServedModel(
                f"{server.address}#{name}", writing.query_type, writing.prediction_type, token, ANSWER_SECONDS
            ) as served:
                yield ok(f"{name} at {server.address}: {served.identity.name}")
        except BeatTheAIError as error:
            yield fault(f"{name} at {server.address}: {error}", mend)


@check("model_files", "Put the model back, or choose another one: adversary.members=[BACKEND:SOURCE].")
def model_files(subject: Subject) -> Findings:
    """Models that are named by a path."""
    for spec in [] if subject.settings is None else subject.settings.members:
        source = Path(spec.partition(":")[2])
        if source.is_absolute() and not source.exists():
            yield fault(f"The model {source} is not there.", "Put it back, or choose another: adversary.members=[…].")


def _answers(loaded: object, settings: Settings) -> str:
    query = _sample(settings)
    if query is None:
        return " loads"
    begun = time.perf_counter()
    loaded.predict([query])  # type: ignore[attr-defined]
    return f" answers in {1000 * (time.perf_counter() - begun):.0f} ms"


def _sample(settings: Settings) -> Value | None:
    """Return a query about a work that is known; None where the contexts have none."""
    writing = settings.kind.writing
    for context in islice(load_contexts(settings), SEARCHED):
        item = TaskItem(context, writing.brief(context, 0, settings.seed))
        for work in writing.gold(context):
            query: Value = writing.query(work, item)
            return query
    return None
