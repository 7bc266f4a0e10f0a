"""The page of HTTP interfaces: from their pydantic models and routes."""

from __future__ import annotations

import inspect
from types import ModuleType

from beat_the_ai.adversary import wire
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import Explanation, ModelIdentity, WordWeight
from beat_the_ai.adversary.service import Limits
from beat_the_ai.console import channels
from beat_the_ai.console.metrics import LEAST_TOKEN_CHARS, TOKEN_VARIABLE, CampaignMetrics
from beat_the_ai.kinds.quizbowl.tournament import messages
from beat_the_ai.marketplace import control
from beat_the_ai.marketplace.api.faults import KINDS as FAULTS
from beat_the_ai.recruiter import control as recruiting
from beat_the_ai.recruiter.api.operations import OPERATIONS, PARTICIPANT_PAGES
from beat_the_ai.review import app as review
from beat_the_ai.review.visits import Credentials
from beat_the_ai.rules.registry import KINDS, bind
from beat_the_ai.web.faults import FaultRule
from scripts.reference.types import code, field_table, record_name, record_section, table

ADVERSARY = f"""# HTTP

The messages of the suite's servers. What each server lets in, and for how long, is in
[how to deploy](../how-to/deploy.md#behind-another-proxy). The packets between page, router and
operator are in [the design](../explanation/design.md#the-wire).

## Health

Every server answers `GET /health` without a token, with its name and how it is in one word: 200 while it serves,
else 503.

| server | status |
| --- | --- |
| `model` | `loading`, `ready`, `stopping` |
| `router` | `ready`; `operator_away` (200: it queues submissions); also its `run`, a random name |
| `marketplace`, `recruiter`, `review`, `console` | `ready`, `store_away` |

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
METRICS = f"""## Metrics

`console` answers `GET /metrics` in Prometheus' text format to `Authorization: Bearer TOKEN`, with the token in
`{TOKEN_VARIABLE}` where it was started, of at least {LEAST_TOKEN_CHARS} characters. Without this variable it answers
nobody. [Watch campaigns](../how-to/watch.md#with-prometheus-and-scripts) says what to make of them. The `process_`
metrics are the Prometheus client's, for each operator, router and model server on the console's machine and the console
itself.
"""
CONSOLE = """## The console

What its pages read lies under `/api`, for scripts too: [an OpenAPI document](console-api.json) describes it. Scripts
send the token of [metrics](#metrics), read as an observer does, and change nothing.
"""
ALERTS = f"""## Alerts

A webhook gets this JSON by POST, and answers 2xx. The header `{channels.SIGNATURE}` is `t=T,v1=HEX`:
HMAC-SHA256 of `T.BODY` with the secret, where `T` are seconds since 1970. Refuse what is older than five minutes.
"""
MARKETPLACE = """## The marketplace

`marketplace serve` speaks the Mechanical Turk requester API, version 2017-01-17, at `POST /`;
[its fidelity](marketplace-fidelity.md) is tested rule by rule. With `--rehearsal` it also has:
"""
RECRUITER = """## The recruiter

`recruiter serve` speaks these operations of Prolific's API. Requests carry `Authorization: Token TOKEN`, with the token
that the server printed. Any other operation is answered 404.
"""
RECRUITER_REHEARSAL = f"""With `--rehearsal` it also has the paths below, and `FaultRule` as the marketplace has it.
`{PARTICIPANT_PAGES}` stands for the participants' pages among the operations.
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
    bodies = {
        "/session": Credentials,
        "/judgements": review.Judgement,
        "/standings": review.StandingChange,
        "/admissions": review.Admission,
        "/answers": review.Answer,
        "/results": review.Results,
    }
    paths = table(("path", "body"), ((code(path), code(one.__name__)) for path, one in bodies.items()))
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
            *(_record(one) for one in bodies.values()),
            METRICS,
            _metrics(),
            CONSOLE,
            ALERTS,
            _record(channels.Message),
            MARKETPLACE,
            _rehearsal(control),
            _record(FaultRule),
            f"`kind` is one of {faults}.\n",
            RECRUITER,
            table(("operation", "request"), ((code(one.name), code(f"{one.method} {one.path}")) for one in OPERATIONS)),
            RECRUITER_REHEARSAL,
            _rehearsal(recruiting),
            f"`kind` is one of {', '.join(code(kind) for kind in recruiting.KINDS)}.\n",
            EVENTS,
            *(_record(one) for one in (*hellos, *commands)),
        ]
    )


def _metrics() -> str:
    ours = (one for one in CampaignMetrics({}, {}).collect() if not one.name.startswith("process_"))
    rows = ((code(one.name), ", ".join(map(code, vars(one)["_labelnames"])), one.documentation) for one in ours)
    return table(("metric", "labels", "content"), rows)


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


def _rehearsal(module: ModuleType) -> str:
    lines = inspect.getdoc(module) or ""
    paths = "\n".join(line.strip() for line in lines.splitlines() if line.strip().startswith(("POST", "GET")))
    how = "Every request carries the token that the server printed, as `Authorization: Bearer TOKEN`."
    return f"```text\n{paths}\n```\n\n{how}\n"
