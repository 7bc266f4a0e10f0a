"""Mephisto's own `mturk` provider, unmodified, on the marketplace: its `mturk_utils` through one campaign."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest
from omegaconf import OmegaConf

from tests.marketplace.rehearsal import Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient


@pytest.fixture(scope="module")
def utils() -> Any:
    import beat_the_ai.mephisto.shim  # noqa: F401 - makes Mephisto importable

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mephisto.abstractions.providers.mturk import mturk_utils
    return mturk_utils


def task(**changes: Any) -> Any:
    given = {
        "task_title": "Write questions",
        "task_description": "Questions that the AI gets wrong",
        "task_tags": "questions,ai",
        "task_reward": 0.5,
        "assignment_duration_in_seconds": 1800,
        **changes,
    }
    return OmegaConf.create(given)


def test_a_campaign_of_mephistos_provider(
    utils: Any, client: MTurkClient, rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(utils, "get_config_arg", lambda *_: None)  # no ~/.mephisto of whoever runs the tests
    worker = rehearsal.new_worker()
    assert utils.check_mturk_balance(client, 100)

    qualification = utils.find_or_create_qualification(client, "passed the quiz", "Passed our quiz")
    assert utils.find_or_create_qualification(client, "passed the quiz", "Passed our quiz") == qualification
    wanted = [{"qualification_name": "passed the quiz", "comparator": "EqualTo", "value": 1}]
    hit_type = utils.create_hit_type(client, task(), wanted)
    _, hit_id, _ = utils.create_hit_with_hit_type(client, 650, "https://example.org/?a=1&b=2", hit_type)
    utils.give_worker_qualification(client, worker, qualification)

    assignment = rehearsal.submit(hit_id, worker)
    [listed] = utils.get_assignments_for_hit(client, hit_id)
    assert listed["AssignmentId"] == assignment
    assert utils.get_hit(client, hit_id)["HIT"]["HITStatus"] == "Reviewable"
    utils.approve_work(client, assignment)
    assert utils.get_assignment(client, assignment)["Assignment"]["AssignmentStatus"] == "Approved"
    assert utils.pay_bonus(client, worker, 0.25, assignment, "well done", "token-1")
    assert utils.email_worker(client, worker, "Thanks", "More to come") == (True, "")

    utils.block_worker(client, worker, "test")
    assert utils.is_worker_blocked(client, worker)
    utils.unblock_worker(client, worker, "test")
    assert not utils.is_worker_blocked(client, worker)
    utils.remove_worker_qualification(client, worker, qualification, "over")

    _, second, _ = utils.create_compensation_hit_with_hit_type(client, "a crash", hit_type)
    rejected = rehearsal.submit(_open_to_all(utils, client), worker)
    utils.reject_work(client, rejected, "empty")
    utils.approve_work(client, rejected, override_rejection=True)

    utils.delete_qualification(client, qualification)
    outstanding = utils.get_outstanding_hits(client)
    assert sum(len(hits) for hits in outstanding.values()) == 3
    every = [hit for hits in outstanding.values() for hit in hits]
    left = utils.expire_and_dispose_hits(client, every, quiet=True)
    assert [hit["HITId"] for hit in left] == [second]  # it was assignable: now it is expired
    assert utils.expire_and_dispose_hits(client, left, quiet=True) == []
    assert utils.get_outstanding_hits(client) == {}
    assert utils.get_requester_balance(client) == 100 - 2 * 0.60 - 0.30


def _open_to_all(utils: Any, client: MTurkClient) -> str:
    hit_type = utils.create_hit_type(client, task(task_title="For all"), [])
    return str(utils.create_hit_with_hit_type(client, 650, "https://example.org/", hit_type)[1])
