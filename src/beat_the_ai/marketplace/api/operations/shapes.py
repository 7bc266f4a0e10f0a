"""The protocol's structures made from the marketplace's records. Members without a value are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from beat_the_ai.marketplace.api.operations.registry import Reply, Request
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.marketplace.bonuses import Bonus
from beat_the_ai.marketplace.errors import wrong_parameter
from beat_the_ai.marketplace.hit_types import HitType
from beat_the_ai.marketplace.hits import Hit
from beat_the_ai.marketplace.money import parse_cents, show_dollars
from beat_the_ai.marketplace.pages import Page, PageRequest
from beat_the_ai.marketplace.qualification_requests import QualificationRequest
from beat_the_ai.marketplace.qualification_types import QualificationType
from beat_the_ai.marketplace.qualifications import Qualification

ItemT = TypeVar("ItemT")
MAX_CENTS = 10**10


def page_request(request: Request) -> PageRequest:
    return PageRequest.of(request.get("MaxResults"), request.get("NextToken"))


def page(found: Page[ItemT], name: str, show: Callable[[ItemT], Reply]) -> Reply:
    items = [show(item) for item in found.items]
    return _present({"NextToken": found.next_token, "NumResults": len(items), name: items})


def cents(text: str, parameter: str) -> int:
    amount = parse_cents(text)
    if amount > MAX_CENTS:
        raise wrong_parameter(f"{parameter} {text[:40]} is too large.")
    return amount


def hit(made: Hit, hit_type: HitType) -> Reply:
    properties = hit_type.properties
    return _present(
        {
            "HITId": made.id,
            "HITTypeId": made.hit_type_id,
            "HITGroupId": made.hit_type_id,
            "CreationTime": _seconds(made.created_at),
            "Title": properties.title,
            "Description": properties.description,
            "Question": made.question,
            "Keywords": properties.keywords,
            "HITStatus": made.status,
            "MaxAssignments": made.max_assignments,
            "Reward": show_dollars(made.reward_cents),
            "AutoApprovalDelayInSeconds": properties.auto_approval_seconds,
            "Expiration": _seconds(made.expires_at),
            "AssignmentDurationInSeconds": properties.duration_seconds,
            "RequesterAnnotation": made.annotation,
            "QualificationRequirements": list(properties.requirements),
            "HITReviewStatus": "NotReviewed",
            "NumberOfAssignmentsPending": made.pending,
            "NumberOfAssignmentsAvailable": made.available,
            "NumberOfAssignmentsCompleted": made.completed,
        }
    )


def assignment(made: Assignment) -> Reply:
    return _present(
        {
            "AssignmentId": made.id,
            "WorkerId": made.worker_id,
            "HITId": made.hit_id,
            "AssignmentStatus": made.status,
            "AutoApprovalTime": _seconds(made.auto_approval_at),
            "AcceptTime": _seconds(made.accepted_at),
            "SubmitTime": _seconds(made.submitted_at),
            "ApprovalTime": _seconds(made.approved_at),
            "RejectionTime": _seconds(made.rejected_at),
            "Deadline": _seconds(made.deadline),
            "Answer": made.answer,
            "RequesterFeedback": made.feedback,
        }
    )


def bonus(granted: Bonus) -> Reply:
    return {
        "WorkerId": granted.worker_id,
        "BonusAmount": show_dollars(granted.cents),
        "AssignmentId": granted.assignment_id,
        "Reason": granted.reason,
        "GrantTime": _seconds(granted.granted_at),
    }


def qualification_type(kind: QualificationType) -> Reply:
    properties = kind.properties
    return _present(
        {
            "QualificationTypeId": kind.id,
            "CreationTime": _seconds(kind.created_at),
            "Name": properties.name,
            "Description": properties.description,
            "Keywords": properties.keywords,
            "QualificationTypeStatus": properties.status,
            "Test": properties.test,
            "TestDurationInSeconds": properties.test_duration_seconds,
            "AnswerKey": properties.answer_key,
            "RetryDelayInSeconds": properties.retry_delay_seconds,
            "IsRequestable": True,
            "AutoGranted": properties.auto_granted,
            "AutoGrantedValue": properties.auto_granted_value,
        }
    )


def qualification(granted: Qualification) -> Reply:
    return _present(
        {
            "QualificationTypeId": granted.qualification_type_id,
            "WorkerId": granted.worker_id,
            "GrantTime": _seconds(granted.granted_at),
            "IntegerValue": granted.value,
            "Status": granted.status,
        }
    )


def qualification_request(asked: QualificationRequest) -> Reply:
    return _present(
        {
            "QualificationRequestId": asked.id,
            "QualificationTypeId": asked.qualification_type_id,
            "WorkerId": asked.worker_id,
            "Test": asked.test,
            "Answer": asked.answer,
            "SubmitTime": _seconds(asked.submitted_at),
        }
    )


def _seconds(time: datetime | None) -> float | None:
    """Seconds since 1970, as JSON 1.1 writes times; whole milliseconds are precise enough for everybody."""
    return None if time is None else round(time.timestamp(), 3)


def _present(members: Mapping[str, Any]) -> Reply:
    return {name: value for name, value in members.items() if value is not None}
