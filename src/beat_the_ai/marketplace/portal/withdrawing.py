"""Withdrawing: a worker stops taking part, and may ask for their data to be erased. No reason is asked for."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import campaigns, studies
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import assignments as assignment_table
from beat_the_ai.marketplace.withdrawals import Withdrawal

OF_ACCOUNT, OF_VISIT = "/worker/account/withdraw", "/worker/study/withdraw"
STOP, ERASE = "stop", "erase"


def look(visit: Visit) -> Response:
    """Show the two ways to stop, or what has become of the worker's withdrawal."""
    with visit.market.reading() as moment:
        return _page(visit, moment)


def withdraw(visit: Visit) -> Response:
    """Withdraw as the worker has chosen. Posted again, it changes nothing."""
    choice = visit.field("choice")
    with visit.market.writing() as moment:
        if choice not in (STOP, ERASE):
            raise InvalidInput("choice", said("portal_refusals.withdraw.choice", choice=repr(choice[:40])))
        if choice == ERASE and visit.field("sure") != "yes":
            return _page(visit, moment, InvalidInput("sure", said("portal_refusals.withdraw.not_sure")))
        withdrawals.withdraw(moment, visit.worker_id, erase=choice == ERASE)
        if visit.session.visit is not None:
            studies.end(moment, *studies.get_visit(moment, *visit.session.visit))
    return visit.go(visit.path)


def withdrawal_of(visit: Visit) -> Withdrawal | None:
    """Return the withdrawal of the worker who looks at the page."""
    with visit.market.reading() as moment:
        return withdrawals.find(moment, visit.worker_id)


def _page(visit: Visit, moment: Moment, problem: InvalidInput | None = None) -> Response:
    address = None
    if visit.session.visit is not None:
        study, current = studies.get_visit(moment, *visit.session.visit)
        address = None if current.outcome is None else study.address(current.outcome)
    withdrawal = withdrawals.find(moment, visit.worker_id)
    debriefing = [] if withdrawal is None else campaigns.debriefing_of(moment, visit.worker_id)
    at_work = assignment_table.select().filter_by(worker_id=visit.worker_id, status="Accepted")
    shown: Response = visit.show(
        "withdraw",
        status=400 if problem else 200,
        withdrawal=withdrawal,
        debriefing=debriefing,
        at_work=moment.connection.execute(at_work).first() is not None,
        address=address,
        problem=problem,
    )
    return shown
