"""Operations of the tag participantGroups."""

from __future__ import annotations

from pydantic import Field

from beat_the_ai.recruiter import groups, studies
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply, show_time
from beat_the_ai.recruiter.completion_codes import ChangeGroup
from beat_the_ai.recruiter.groups import Group
from beat_the_ai.recruiter.reading import Given, Id, Line, Text, invalid, read, read_flag
from beat_the_ai.recruiter.studies import Study

MOST_IDS = 10_000


class NewGroup(Given):
    """The body of `create-participant-group`."""

    name: Line
    workspace_id: Id | None = None
    organisation_id: Id | None = None
    description: Text | None = None
    participant_ids: list[Id] = Field(default=[], max_length=MOST_IDS)


class GroupUpdate(Given):
    """The body of `update-participant-group`."""

    name: Line | None = None
    participant_ids: list[Id] | None = Field(default=None, max_length=MOST_IDS)


class Ids(Given):
    """The body of `add-to-participant-group` and `remove-from-participant-group`."""

    participant_ids: list[Id] = Field(default=[], max_length=MOST_IDS)


def listed(call: Call) -> Reply:
    """All groups are the workspace's, so a list for its project has them as well."""
    if call.query.get("workspace_id", call.workspace.id) != call.workspace.id:
        raise invalid("workspace_id", f"There is no such workspace; this one is {call.workspace.id}")
    if call.query.get("project_id", call.workspace.project_id) != call.workspace.project_id:
        raise invalid("project_id", f"There is no such project; this one is {call.workspace.project_id}")
    if not {"workspace_id", "project_id"} & set(call.query):
        raise invalid("workspace_id", "Either workspace_id or project_id is required")
    is_active = read_flag(call.query.get("active", "true"), "active")
    return Reply({"results": [_shown(call, one) for one in groups.all_of(call.moment, is_deleted=not is_active)]})


def create(call: Call) -> Reply:
    given = read(NewGroup, call.body)
    if given.organisation_id is not None or given.workspace_id != call.workspace.id:
        raise invalid("workspace_id", f"The workspace is needed, which is {call.workspace.id}")
    group = groups.add(call.moment, given.name, given.description)
    groups.join(call.moment, group.id, given.participant_ids)
    return Reply(_shown(call, group))


def get(call: Call) -> Reply:
    return Reply(_shown(call, groups.get(call.moment, call.path["id"])))


def update(call: Call) -> Reply:
    group, given = _living(call), read(GroupUpdate, call.body)
    if given.name is not None:
        groups.rename(call.moment, group.id, given.name)
    if given.participant_ids is not None:
        kept = set(given.participant_ids)
        groups.join(call.moment, group.id, given.participant_ids)
        present = [member for member, _ in groups.members(call.moment, group.id)]
        groups.leave(call.moment, group.id, [member for member in present if member not in kept])
    return Reply(_shown(call, _living(call)))


def delete(call: Call) -> Reply:
    groups.delete(call.moment, _living(call).id)
    return Reply(None)


def members(call: Call) -> Reply:
    return _members(call)


def add(call: Call) -> Reply:
    groups.join(call.moment, _living(call).id, read(Ids, call.body).participant_ids)
    return _members(call)


def remove(call: Call) -> Reply:
    groups.leave(call.moment, _living(call).id, read(Ids, call.body).participant_ids)
    return _members(call)


def _living(call: Call) -> Group:
    return groups.get_living(call.moment, call.path["id"])


def _members(call: Call) -> Reply:
    found = groups.members(call.moment, _living(call).id)
    return Reply({"results": [{"participant_id": one, "datetime_created": show_time(at)} for one, at in found]})


def _shown(call: Call, group: Group) -> Json:
    return {
        "id": group.id,
        "name": group.name,
        "project_id": None,
        "workspace_id": call.workspace.id,
        "organisation_id": None,
        "description": group.description,
        "participant_count": groups.count_members(call.moment, group.id),
        "is_deleted": group.is_deleted,
        "feeder_studies": _feeders(call, group),
    }


def _feeders(call: Call, group: Group) -> Json:
    """Return the studies whose completion codes change the group."""
    feeders = []
    for study in studies.all_of(call.moment, studies.STATUSES):
        if codes := _feeding(study, group):
            name = {"name": study.document.name, "internal_name": study.document.internal_name or ""}
            feeders.append({"id": study.id, **name, "status": study.status, "feeder_completion_codes": codes})
    return feeders


def _feeding(study: Study, group: Group) -> Json:
    return [
        {"code": code.code or "", "code_type": code.code_type, "action": action.action}
        for code in study.document.completion_codes
        for action in code.actions
        if isinstance(action, ChangeGroup) and action.participant_group == group.id
    ]


PATH = "/api/v1/participant-groups/{id}/"
OPERATIONS = (
    Operation("get-participant-groups", "GET", "/api/v1/participant-groups/", listed),
    Operation("create-participant-group", "POST", "/api/v1/participant-groups/", create, 201),
    Operation("get-participant-group", "GET", PATH, get),
    Operation("update-participant-group", "PATCH", PATH, update),
    Operation("delete-participant-group", "DELETE", PATH, delete, 204),
    Operation("get-participant-group-participants", "GET", f"{PATH}participants/", members),
    Operation("add-to-participant-group", "POST", f"{PATH}participants/", add),
    Operation("remove-from-participant-group", "DELETE", f"{PATH}participants/", remove),
)
