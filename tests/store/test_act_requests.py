"""Requests for acts are kept with the log's entry of their act."""

from __future__ import annotations

import pytest

from beat_the_ai.store import ActRequest, AlreadyDone, Deed, Store
from beat_the_ai.store.act_requests import KeptRequest
from tests.store.builders import NEW_YEAR, campaign

REQUEST = ActRequest("pilot", "ann", "request-1", "a" * 64)


def deed(action: str, request: ActRequest | None = None) -> Deed:
    return Deed(NEW_YEAR, "ann", action, "pilot", request=request)


def test_the_act_of_a_request_that_was_done_is_rolled_back(store: Store) -> None:
    store.campaigns.create(campaign())
    assert store.act_requests.find(REQUEST) is None
    assert store.acts.pause("pilot", deed("pause", REQUEST))
    assert store.act_requests.find(REQUEST) == KeptRequest("a" * 64, None)
    assert not store.acts.pause("pilot", deed("pause", REQUEST))  # it is paused
    assert store.acts.unpause("pilot", deed("continue"))
    with pytest.raises(AlreadyDone):
        store.acts.pause("pilot", deed("pause", REQUEST))
    assert store.campaigns.get("pilot").paused_at is None
    assert [each.action for each in store.audit.entries()] == ["continue", "pause"]


def test_the_first_report_of_a_request_stands_and_one_that_changed_nothing_has_one_too(store: Store) -> None:
    store.campaigns.create(campaign())
    assert store.acts.pause("pilot", deed("pause", REQUEST))
    nothing = ActRequest("pilot", "ann", "request-2", "b" * 64)
    for told in ("first", "second"):
        for request in (REQUEST, nothing):
            store.act_requests.answer(request, {"told": told}, NEW_YEAR)
    assert store.act_requests.find(REQUEST) == KeptRequest("a" * 64, {"told": "first"})
    assert store.act_requests.find(nothing) == KeptRequest("b" * 64, {"told": "first"})
