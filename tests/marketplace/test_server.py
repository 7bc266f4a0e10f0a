"""The server's process as clients meet it: by environment variable, on either database."""

from __future__ import annotations

import boto3
import pytest

from tests.marketplace.desk import check_hits, check_ledger
from tests.marketplace.rehearsal import HIT, Rehearsal


def test_a_campaign_runs_on_either_database(store_url: str) -> None:
    with Rehearsal.started(store_url) as server:
        client, workers = server.client(server.new_requester()), [server.new_worker() for _ in range(3)]
        hit_id = client.create_hit(**HIT, MaxAssignments=3, UniqueRequestToken="hit")["HIT"]["HITId"]
        approved, rejected, _ = (server.submit(hit_id, worker) for worker in workers)
        client.approve_assignment(AssignmentId=approved)
        client.reject_assignment(AssignmentId=rejected, RequesterFeedback="no")
        client.send_bonus(
            WorkerId=workers[0], AssignmentId=approved, BonusAmount="1", Reason="r", UniqueRequestToken="b"
        )
        server.advance(days=2)
        statuses = [one["AssignmentStatus"] for one in client.list_assignments_for_hit(HITId=hit_id)["Assignments"]]
        assert statuses == ["Approved", "Rejected", "Approved"]
        assert client.get_account_balance()["AvailableBalance"] == "94.00"
        client.delete_hit(HITId=hit_id)
        with server.market() as market:
            check_ledger(market)
            check_hits(market)


def test_clients_find_the_marketplace_by_environment_variable(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = rehearsal.new_requester(dollars=7)
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", rehearsal.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    assert boto3.Session().client("mturk").get_account_balance()["AvailableBalance"] == "7.00"
