"""Operations of the tag bonuses."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beat_the_ai.recruiter import bonuses
from beat_the_ai.recruiter.api.call import Call, Operation, Reply
from beat_the_ai.recruiter.reading import Given, Id, read


class Bonuses(Given):
    """The body of `create-bonus-payments`."""

    study_id: Id
    csv_bonuses: Annotated[str, Field(max_length=100_000)]


def create(call: Call) -> Reply:
    given = read(Bonuses, call.body)
    order = bonuses.set_up(call.moment, given.study_id, given.csv_bonuses)
    price = order.price
    content = {"id": order.id, "study": order.study_id, "amount": price.cents, "fees": price.fee_cents}
    return Reply({**content, "vat": price.tax_cents, "total_amount": price.total})


def pay(call: Call) -> Reply:
    bonuses.pay(call.moment, call.path["id"])
    return Reply("Bonus payments are being made.")


OPERATIONS = (
    Operation("create-bonus-payments", "POST", "/api/v1/submissions/bonus-payments/", create, 201),
    Operation("pay-bonus-payments", "POST", "/api/v1/bulk-bonus-payments/{id}/pay/", pay, 202),
)
