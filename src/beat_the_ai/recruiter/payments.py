"""Money that was paid, and what is left: the ledger of rewards and bonuses, and the balances."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import studies
from beat_the_ai.recruiter.errors import NotEnoughMoney
from beat_the_ai.recruiter.money import Price, price_of, show
from beat_the_ai.recruiter.studies import Study
from beat_the_ai.recruiter.tables import bonus_runs, payments
from beat_the_ai.recruiter.workspace import get_workspace, pay_out

REWARD, BONUS = "reward", "bonus"


@dataclass(frozen=True)
class Earner:
    """The submission that is paid for, and its participant."""

    submission_id: str
    study_id: str
    participant_id: str


def pay(moment: Moment, kind: str, whose: Earner, cents: int, run: int | None = None) -> None:
    """Pay a participant and the fee for it; `run` is the bonus run that it belongs to."""
    price = price_of(cents)
    row = {
        "at": moment.now,
        "kind": kind,
        **asdict(whose),
        "bonus_run": run,
        "cents": price.cents,
        "fee_cents": price.fee_cents,
        "tax_cents": price.tax_cents,
    }
    moment.connection.execute(sa.insert(payments).values(row))
    pay_out(moment, price.total)


def bonuses_of(moment: Moment, submission_id: str) -> list[int]:
    """Return the bonuses in cents that were paid for a submission, in the order of their payment."""
    query = sa.select(payments.c.cents).filter_by(submission_id=submission_id, kind=BONUS)
    return list(moment.connection.scalars(query.order_by(payments.c.number)))


def spent(moment: Moment, study_id: str, kind: str) -> Price:
    """Return what was paid for a study."""
    sums = [sa.func.coalesce(sa.func.sum(payments.c[name]), 0) for name in ("cents", "fee_cents", "tax_cents")]
    row = moment.connection.execute(sa.select(*sums).filter_by(study_id=study_id, kind=kind)).one()
    return Price(*map(int, row))


def reward_price(study: Study) -> Price:
    """Return the price of all places of a study."""
    return price_of(study.document.reward) * study.places


def available(moment: Moment) -> int:
    """Return the cents that are neither paid nor set aside."""
    return get_workspace(moment).cents - _set_aside(moment)


def check_covered(moment: Moment) -> None:
    """Raise `NotEnoughMoney` where more is set aside than there is: the change that did it is taken back."""
    left = available(moment)
    if left < 0:
        currency = get_workspace(moment).currency
        raise NotEnoughMoney(f"{show(-left, currency)} more than the available balance are needed, fees included.")


def _set_aside(moment: Moment) -> int:
    waiting = sa.select(sa.func.coalesce(sa.func.sum(bonus_runs.c.total_cents), 0)).where(
        bonus_runs.c.due_at.is_not(None)
    )
    held = sum(_held_for(moment, study) for study in studies.all_of(moment, (*studies.RECRUITING, "COMPLETED")))
    return held + int(moment.connection.scalar(waiting) or 0)


def _held_for(moment: Moment, study: Study) -> int:
    """Return what the places of a study may still cost; of one that is over, its undecided submissions."""
    counts = studies.count(moment, study.id)
    price = price_of(study.document.reward).total
    if study.status == "COMPLETED":
        undecided = sum(counts.get(status, 0) for status in (*studies.TAKING, "AWAITING REVIEW"))
        return undecided * price
    places = max(0, study.places - counts.get("APPROVED", 0))
    return places * price + _held_for_screen_outs(study, counts.get("SCREENED OUT", 0))


def _held_for_screen_outs(study: Study, used: int) -> int:
    screening = [code.screen_out for code in study.document.completion_codes if code.screen_out]
    return sum(price_of(one.fixed_screen_out_reward).total * max(0, one.slots - used) for one in screening)
