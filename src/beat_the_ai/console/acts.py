"""The endpoints of requesters' acts: guarded as all changes are, and carried out once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from beat_the_ai.campaign.acts.act import Actor, Place
from beat_the_ai.console import act_views as views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.doors import Guest
from beat_the_ai.console.once import Once
from beat_the_ai.console.uploads import received
from beat_the_ai.errors import BeatTheAIError, InvalidInput, first_fault
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.visits import FILE, Guard, GuardedRoute, Visit, problem, view
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import ActRequest

SentT = TypeVar("SentT", bound=views.SentAct)
Find = Callable[[Visit[Guest]], tuple[Watched, Reviewer]]


@dataclass(frozen=True)
class _Call:
    """A campaign that is acted on, and the person who acts."""

    place: Place
    actor: Actor


class ActsApi:
    """The endpoints of acts. `find` returns the campaign that a visit asks for, and raises unless it may be seen."""

    def __init__(self, find: Find, guard: Guard[Guest]) -> None:
        self._find = find
        self._guard = guard
        self._once = Once()

    def routes(self) -> list[GuardedRoute]:
        shown, changed = self._guard.shown, self._guard.changed
        return [
            shown("/acts", Right.ACT, self.acts),
            shown("/acts/settings", Right.ACT, self.settings),
            shown("/acts/best-models", Right.ACT, self.best_models),
            changed("/acts/estimates", Right.ACT, self.estimate),
            changed("/acts/deeds", Right.ACT, self.do),
            with_file(self._guard, "/acts/previews", Right.ACT, self.preview),
            with_file(self._guard, "/acts/deeds-with-file", Right.ACT, self.do_with_file),
        ]

    def acts(self, visit: Visit[Guest]) -> Response:
        return view(_deeds().acts_of(self._call(visit).place))

    def settings(self, visit: Visit[Guest]) -> Response:
        return view(_deeds().settings_of(self._call(visit).place))

    def best_models(self, visit: Visit[Guest]) -> Response:
        return view(_deeds().best_models(self._call(visit).place))

    def estimate(self, visit: Visit[Guest]) -> Response:
        call, sent = self._call(visit), visit.content(views.SentAct)
        return view(_deeds().estimated(call.place, call.actor, sent))

    def do(self, visit: Visit[Guest]) -> Response:
        call, sent = self._call(visit), visit.content(views.SentDeed)
        return view(self._done(call, sent, lambda actor: _deeds().done(call.place, actor, sent)))

    def preview(self, visit: Visit[Guest], file: Path) -> Response:
        call, sent = self._call(visit), _asked(visit, views.SentAct)
        return view(_deeds().previewed(call.place, sent, file))

    def do_with_file(self, visit: Visit[Guest], file: Path) -> Response:
        call, sent = self._call(visit), _asked(visit, views.SentDeed)
        return view(self._done(call, sent, lambda actor: _deeds().done_with_file(call.place, actor, sent, file)))

    def _done(self, call: _Call, sent: views.SentDeed, do: Callable[[Actor], views.Done]) -> views.Done:
        content = json.dumps(sent.model_dump(exclude={"request"}), sort_keys=True)
        request = ActRequest(
            call.place.campaign_id, call.actor.name, sent.request, sha256(content.encode()).hexdigest()
        )
        return self._once.answer(call.place.store, request, lambda: do(replace(call.actor, request=request)))

    def _call(self, visit: Visit[Guest]) -> _Call:
        """Return the campaign and the person."""
        watched, who = self._find(visit)
        return _Call(Place(watched.store, watched.id, watched.folder), Actor(who.name))


def with_file(
    guard: Guard[Guest], path: str, right: Right, act: Callable[[Visit[Guest], Path], Response]
) -> GuardedRoute:
    """Return the route of an act with a file, which is read only for somebody who has the right."""

    async def endpoint(request: Request) -> Response:
        try:
            visit = await run_in_threadpool(guard.let_in, request, right, FILE)
            async with received(request, visit.asked("name")) as file:
                return await run_in_threadpool(act, visit, file)
        except ClientDisconnect:
            return Response(status_code=499)
        except BeatTheAIError as error:
            return problem(error)

    return GuardedRoute("POST", path, right, endpoint)


def _deeds() -> ModuleType:
    """Return the module that loads Mephisto, which takes a second: whoever only watches does not wait for it."""
    from beat_the_ai.console import deeds

    return deeds


def _asked(visit: Visit[Guest], kind: type[SentT]) -> SentT:
    """Return the act that the address of a file's request names. Raises `InvalidInput`."""
    try:
        return kind.model_validate_json(visit.asked("act"))
    except ValidationError as error:
        fault = first_fault(error, "act")
        raise InvalidInput(fault.place, f"{fault.place}: {fault.reason}") from None
