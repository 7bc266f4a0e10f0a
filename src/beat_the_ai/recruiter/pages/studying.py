"""The studies that a participant may take, and the participant's submissions."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import messages, participants, payments, studies, submissions
from beat_the_ai.recruiter.errors import NotThere
from beat_the_ai.recruiter.pages.visit import Visit
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.submissions import Submission

MOST_MESSAGE_CHARACTERS = 5000


def offers(visit: Visit) -> Response:
    with visit.recruiter.reading() as moment:
        offered = participants.offers(moment, visit.participant_id)
        current = participants.under_way(moment, visit.participant_id)
    return visit.show("studies", offers=offered, current=current)


def take(visit: Visit) -> Response:
    with visit.recruiter.writing() as moment:
        taken = participants.take(moment, visit.participant_id, visit.named("study_id"))
    return visit.go(f"/submissions/{taken.id}")


def mine(visit: Visit) -> Response:
    with visit.recruiter.reading() as moment:
        entries = [_entry(moment, one) for one in submissions.of_participant(moment, visit.participant_id)]
    return visit.show("submissions", entries=entries)


def submission(visit: Visit) -> Response:
    with visit.recruiter.reading() as moment:
        entry = _entry(moment, _own(moment, visit))
    return visit.show("submission", entry=entry)


def open_study(visit: Visit) -> Response:
    """Go to the study; the submission is ACTIVE from now on."""
    with visit.recruiter.writing() as moment:
        started = submissions.start(moment, _own(moment, visit))
        address = participants.address(moment, started)
    return visit.leave(address)


def complete(visit: Visit) -> Response:
    """Take the code that was entered by hand."""
    with visit.recruiter.writing() as moment:
        done = submissions.enter_code(moment, _own(moment, visit), visit.field("code"))
    return visit.go(f"/submissions/{done.id}")


def arrive_with_code(visit: Visit) -> Response:
    """Take the code with which a study sends its participant back."""
    code = visit.request.query_params.get("cc", "")
    with visit.recruiter.writing() as moment:
        current = participants.under_way(moment, visit.participant_id) or _done_with(moment, visit, code)
        if current is None:
            raise NotThere("submission under way for the code", code)
        done = submissions.enter_code(moment, current, code)
    return visit.go(f"/submissions/{done.id}")


def give_back(visit: Visit) -> Response:
    with visit.recruiter.writing() as moment:
        returned = submissions.give_back(moment, _own(moment, visit))
    return visit.go(f"/submissions/{returned.id}")


def inbox(visit: Visit) -> Response:
    with visit.recruiter.reading() as moment:
        newest = messages.with_participant(moment, visit.participant_id)
    return visit.show("messages", newest=newest)


def write(visit: Visit) -> Response:
    body = visit.field("body").strip()
    if not 0 < len(body) <= MOST_MESSAGE_CHARACTERS:
        raise invalid("body", f"A message has 1 to {MOST_MESSAGE_CHARACTERS} characters")
    with visit.recruiter.writing() as moment:
        messages.write_to_researcher(moment, visit.participant_id, body, None)
    return visit.go("/messages")


def _own(moment: Moment, visit: Visit) -> Submission:
    """Return a submission of the participant's; another one is answered like one that does not exist."""
    one = submissions.get(moment, visit.named("submission_id"))
    if one.participant_id != visit.participant_id:
        raise NotThere("submission", one.id)
    return one


def _done_with(moment: Moment, visit: Visit, code: str) -> Submission | None:
    """Return the last submission, if it was completed with this code: a page is loaded twice, a reply is lost."""
    last = next(iter(submissions.of_participant(moment, visit.participant_id)), None)
    return last if last is not None and last.entered_code == (code.strip() or submissions.NO_CODE) else None


def _entry(moment: Moment, one: Submission) -> dict[str, Any]:
    study = studies.get(moment, one.study_id)
    known = {code.code for code in study.document.completion_codes}
    return {
        "one": one,
        "study": study,
        "bonuses": payments.bonuses_of(moment, one.id),
        "is_wrong_code": one.entered_code is not None and one.entered_code not in known,
        "is_under_way": one.status in studies.TAKING,
    }
