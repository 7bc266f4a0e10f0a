"""Operations of the tags users, workspaces and wellKnownEndpoints."""

from __future__ import annotations

from beat_the_ai.recruiter import payments, signing
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply
from beat_the_ai.recruiter.errors import NotThere
from beat_the_ai.recruiter.workspace import PROJECT_TITLE, TITLE

EMAIL = "researcher@example.org"


def me(call: Call) -> Reply:
    return Reply({"id": call.workspace.researcher_id, "email": EMAIL})


def workspaces(call: Call) -> Reply:
    return Reply({"results": [_short(call)]})


def workspace(call: Call) -> Reply:
    _check(call)
    project = {"id": call.workspace.project_id, "title": PROJECT_TITLE, "type": "PRIVATE"}
    return Reply({**_short(call), "projects": [{**project, "owner": call.workspace.researcher_id}]})


def balance(call: Call) -> Reply:
    """Without the breakdowns: the document does not say what is in them."""
    _check(call)
    content = {
        "currency_code": call.workspace.currency,
        "total_balance": call.workspace.cents,
        "available_balance": payments.available(call.moment),
    }
    return Reply(content)


def keys(call: Call) -> Reply:
    return Reply(signing.public_keys(call.workspace.key_id, call.workspace.signing_key))


def _short(call: Call) -> Json:
    owner = call.workspace.researcher_id
    users = [{"id": owner, "name": "Researcher", "email": EMAIL, "roles": ["WORKSPACE_ADMIN"]}]
    return {"id": call.workspace.id, "title": TITLE, "description": "", "owner": owner, "users": users}


def _check(call: Call) -> None:
    if call.path["workspace_id"] != call.workspace.id:
        raise NotThere("workspace", call.path["workspace_id"])


OPERATIONS = (
    Operation("get-user", "GET", "/api/v1/users/me/", me),
    Operation("get-workspaces", "GET", "/api/v1/workspaces/", workspaces),
    Operation("get-workspace", "GET", "/api/v1/workspaces/{workspace_id}/", workspace),
    Operation("get-workspace-balance", "GET", "/api/v1/workspaces/{workspace_id}/balance/", balance),
    Operation("get-study-jwks", "GET", "/.well-known/study/jwks.json", keys),
)
