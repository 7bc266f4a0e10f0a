"""The page of HTTP interfaces: from their pydantic models and routes."""

from __future__ import annotations

import inspect

from beat_the_ai.adversary import wire
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import Explanation, ModelIdentity, WordWeight
from beat_the_ai.adversary.service import Limits
from beat_the_ai.kinds.quizbowl.tournament import messages
from beat_the_ai.marketplace import control
from beat_the_ai.marketplace.api.faults import KINDS as FAULTS
from beat_the_ai.marketplace.api.faults import FaultRule
from beat_the_ai.review import app as review
from beat_the_ai.rules.registry import KINDS, bind
from scripts.reference.types import code, field_table, record_name, record_section, table

ADVERSARY = f"""# HTTP

The messages of the suite's servers. What each server lets in, and for how long, is in
[how to serve beyond your machine](../how-to/serve-beyond-your-machine.md). The packets between page, router and
operator are in [the design](../explanation/design.md#the-wire).

## The model server

`adversary serve`, and every replica of `adversary deploy`, answers these paths. With a token, all but `/health` need it
as `Authorization: Bearer TOKEN`.

| path | answer |
| --- | --- |
| `POST /v1/predict` | a `PredictReply` to a `PredictRequest` |
| `GET /v1/models` | each model's name, identity, query fields and prices, and whether it explains |
| `GET /health` | 200 when all models are loaded, else 503 |
| `GET /metrics` | Prometheus metrics |

A body has at most {wire.MAX_BODY_BYTES:,} bytes and {wire.MAX_QUERIES} queries. A `context` has at most
{wire.MAX_CHARACTERS["context"]:,} characters, any other text {wire.MAX_CHARACTERS_OTHERWISE:,}, all texts together
{wire.MAX_CHARACTERS_OF_ALL:,}.
"""
REVIEW = """## The review page

The reviewers' page sends these JSON bodies to its own server, with the session's cookie and the header
`x-form-token`. Its interface is private to the page and changes with it.
"""
MARKETPLACE = """## The marketplace

`marketplace serve` speaks the Mechanical Turk requester API, version 2017-01-17, at `POST /`;
[its fidelity](marketplace-fidelity.md) is tested rule by rule. With `--rehearsal` it also has:
"""
EVENTS = """## Events

A page of an event opens the WebSocket `/socket`, introduces itself, then sends commands. Each command has a key of its
own; sent twice, it happens once.
"""


def page() -> str:
    statuses = table(
        ("error code", "status"), ((code(name), str(status)) for name, status in wire.STATUS_OF_CODE.items())
    )
    models = [wire.PredictRequest, wire.PredictReply, ModelIdentity, Explanation, WordWeight, Prices]
    bodies = [review.Credentials, review.Judgement, review.StandingChange, review.Admission, review.Results]
    paths = table(
        ("path", "body"),
        zip(
            map(code, ("/session", "/judgements", "/standings", "/admissions", "/results")),
            (code(one.__name__) for one in bodies),
            strict=True,
        ),
    )
    hellos = [messages.Watch, messages.Join, messages.Moderate]
    commands = [messages.Ping, messages.Buzz, messages.Say, messages.Protest, messages.TakeChair, messages.Happen]
    faults = ", ".join(code(kind) for kind in FAULTS)
    return "\n".join(
        [
            ADVERSARY,
            *(_record(one) for one in models),
            '### Failure\n\nThe body of every other answer is `{"error": Failure}`.\n\n'
            + field_table(wire.Failure)
            + f"\n{statuses}",
            _record(Limits),
            _queries(),
            REVIEW,
            paths,
            *(_record(one) for one in bodies),
            MARKETPLACE,
            _rehearsal(),
            _record(FaultRule),
            f"`kind` is one of {faults}.\n",
            EVENTS,
            *(_record(one) for one in (*hellos, *commands)),
        ]
    )


def _record(record: type) -> str:
    return record_section(record, f"### {record_name(record)}", deep=False)


def _queries() -> str:
    rows = []
    for name in KINDS:
        writing = bind(name).writing
        rows.append((code(name), _names(writing.query_type), _names(writing.prediction_type)))
    return "### Queries and predictions\n\n" + table(("kind of task", "query", "prediction"), rows)


def _names(record: type) -> str:
    return ", ".join(code(name) for name in record.model_fields)  # type: ignore[attr-defined]


def _rehearsal() -> str:
    lines = inspect.getdoc(control) or ""
    paths = "\n".join(line.strip() for line in lines.splitlines() if line.strip().startswith(("POST", "GET")))
    how = "Every request carries the token that the server printed, as `Authorization: Bearer TOKEN`."
    return f"```text\n{paths}\n```\n\n{how}\n"
