"""The console's API for scripts as an OpenAPI document: from its routes and the records that it answers with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema
from starlette.routing import Mount

from beat_the_ai.console import Pages, Site, views
from beat_the_ai.console.metrics import TOKEN_VARIABLE
from beat_the_ai.console.people import SORTS
from beat_the_ai.review.visits import GuardedRoute
from beat_the_ai.rules.protocol import View
from beat_the_ai.rules.roles import Right

SCHEMAS = "#/components/schemas/"
ABOUT = """The console's figures and verdicts as JSON. It shows what the console's pages show to the account that has
signed in. A script with the token is an observer: it gets pseudonyms in the place of workers' ids. Fields may be added;
none is renamed or removed without a note in the change log."""


@dataclass(frozen=True)
class Operation:
    """The use of a route, its query, and the records of its answers; none for a stream of events."""

    summary: str
    asked: Mapping[str, Mapping[str, Any]]
    answers: tuple[type[View], ...]


TEXT, WHOLE = {"type": "string"}, {"type": "integer", "minimum": 0}
CAMPAIGN = {"campaign": {"schema": TEXT, "required": True, "description": "The campaign's key, as /session lists it."}}
PAGE = {"page": {"schema": WHOLE, "description": "The page, from 1; the nearest one where there is none."}}
SORT = {"type": "string", "enum": [f"{sign}{name}" for name in SORTS for sign in ("", "-")]}
OPERATIONS: Mapping[str, Operation] = {
    "/session": Operation("Who asks, and which campaigns they see", {}, (views.SignedIn, views.SignedOut)),
    "/lines": Operation("Each campaign in one line", {}, (views.Lines,)),
    "/figures": Operation("The figures of a campaign", CAMPAIGN, (views.Figures,)),
    "/people": Operation(
        "The workers of a campaign",
        {**CAMPAIGN, **PAGE, "sort": {"schema": SORT, "description": "A column; - has the highest first."}},
        (views.People,),
    ),
    "/agreement": Operation("The agreement of validators", {**CAMPAIGN, **PAGE}, (views.Agreement, views.NoAgreement)),
    "/balance": Operation("The money at the crowd", CAMPAIGN, (views.Balance,)),
    "/feed": Operation(
        "Verdicts, the newest first",
        {
            **CAMPAIGN,
            "model": {"schema": TEXT, "description": "The name of a model."},
            "outcome": {"schema": {"type": "string", "enum": ["beaten", "right"]}},
            "label": {"schema": TEXT, "description": "The writer's label."},
            "category": {"schema": TEXT, "description": "The context's category."},
            "only": {"schema": {"type": "string", "enum": ["held", "divided"]}},
            "before": {"schema": TEXT, "description": "The place that the last answer named as `before`."},
        },
        (views.Feed,),
    ),
    "/attempt": Operation(
        "An attempt with its whole HIT",
        {**CAMPAIGN, "id": {"schema": TEXT, "required": True, "description": "The attempt's id."}},
        (views.Tried,),
    ),
    "/changes": Operation("Server-sent events: `changed` at each change of the campaign's store", CAMPAIGN, ()),
}


def page() -> str:
    """Return the document as JSON."""
    return json.dumps(document(), indent=1) + "\n"


def document() -> dict[str, Any]:
    """Return the document. Raises `KeyError` for a route to read that has no operation."""
    records = {record for operation in OPERATIONS.values() for record in operation.answers}
    names, schemas = models_json_schema(
        [(record, "serialization") for record in sorted(records, key=lambda one: one.__name__)],
        ref_template=SCHEMAS + "{model}",
    )
    refs = {record: schema for (record, _), schema in names.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Beat the AI: the console", "version": "1", "description": ABOUT.replace("\n", " ")},
        "servers": [{"url": "/api", "description": "Beneath the console's address"}],
        "security": [{"token": []}, {"session": []}],
        "paths": {path: {"get": _described(OPERATIONS[path], refs)} for path in sorted(_paths())},
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": TOKEN},
                "session": {"type": "apiKey", "in": "cookie", "name": "console_session", "description": COOKIE},
            },
            "schemas": {**schemas["$defs"], "Failure": FAILURE},
        },
    }


TOKEN = f"The token in {TOKEN_VARIABLE} where the console was started; it reads as an observer does."
COOKIE = "The session of an account that has signed in. The name goes on with letters and digits of the console."
FAILED = {"$ref": f"{SCHEMAS}Failure"}
FAILURES = {
    "400": "The question has something that is not allowed",
    "401": "Nobody has signed in, or the session is over",
    "403": "The role of the account does not have the right",
    "404": "There is no such campaign for this account, or no such attempt",
    "409": "It cannot be answered now",
}
FAILURE = {
    "type": "object",
    "description": "Why there is no answer. `field` names what was wrong in a question.",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "field", "message"],
            "additionalProperties": False,
            "properties": {"code": TEXT, "field": {"type": ["string", "null"]}, "message": TEXT},
        }
    },
}


def _paths() -> Iterator[str]:
    """Yield the paths of what an observer may read."""
    with ThreadPoolExecutor(1) as nothing_to_make:
        app = Site({}, Pages(Path(), Path()), nothing_to_make).app()
    [api] = [route for route in app.routes if isinstance(route, Mount) and route.path == "/api"]
    for route in api.routes:
        if isinstance(route, GuardedRoute) and "GET" in (route.methods or ()) and route.right in (None, Right.WATCH):
            yield route.path


def _described(operation: Operation, refs: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        "summary": operation.summary,
        "parameters": [{"name": name, "in": "query", **about} for name, about in operation.asked.items()],
        "responses": {
            "200": {"description": "The answer", "content": _content(operation, refs)},
            **{
                status: {"description": why, "content": {"application/json": {"schema": FAILED}}}
                for status, why in FAILURES.items()
            },
        },
    }


def _content(operation: Operation, refs: Mapping[Any, Any]) -> dict[str, Any]:
    if not operation.answers:
        return {"text/event-stream": {"schema": TEXT}}
    answers = [refs[record] for record in operation.answers]
    return {"application/json": {"schema": answers[0] if len(answers) == 1 else {"anyOf": answers}}}
