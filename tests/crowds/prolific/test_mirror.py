"""A study's life between the marketplace and the local recruiter, step by step, over a real socket."""

from __future__ import annotations

import re
import threading
import time

import httpx
import pytest

from beat_the_ai.crowds.prolific import mirror
from beat_the_ai.crowds.prolific.mirror import Mirror
from beat_the_ai.crowds.prolific.settlement import RETURNS_WITHIN
from beat_the_ai.marketplace.people import payouts, studies
from beat_the_ai.terms.rejections import Rejection
from tests.crowds.prolific.conftest import NewScene
from tests.crowds.prolific.scene import Scene

PATIENCE_SECONDS = 30


def test_a_study_is_created_and_published_with_a_place_for_each_hit(scene: Scene) -> None:
    assert scene.look() is None
    assert scene.followed.external_id is None  # nothing is on offer
    scene.offer(3)
    assert scene.look() is None
    record = scene.record
    assert (record["status"], record["total_available_places"], record["reward"]) == ("ACTIVE", 3, 200)
    assert record["external_study_url"] == (
        f"http://127.0.0.1:8700/worker/study/{scene.key}"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert record["maximum_allowed_time"] == 70  # the HIT's hour, and some time to arrive


def test_work_that_is_approved_is_paid_there_and_noted_here(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session, assignment_id = scene.work()
    scene.look()
    assert scene.submission(session)["status"] == "AWAITING REVIEW"
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.look()
    assert scene.submission(session)["status"] == "APPROVED"
    assert scene.paid_here(session) == 200
    scene.look()
    assert scene.transport.asked("POST", "/transition/") == 2  # published, approved
    assert scene.free_places == 1


def test_work_that_is_rejected_is_rejected_there_with_reason_and_category_for_good(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session, assignment_id = scene.work()
    reason = (
        "Nothing was written in any of the five questions, and no answer was marked. Please write if that is wrong."
    )
    feedback = Rejection(reason, "NO_DATA").feedback
    scene.desk.ask("RejectAssignment", AssignmentId=assignment_id, RequesterFeedback=feedback)
    scene.look()
    assert scene.submission(session)["status"] == "REJECTED"
    [sent] = [one.body for one in scene.transport.exchanges if isinstance(one.body, dict) and "message" in one.body]
    assert sent == {"action": "REJECT", "message": reason, "rejection_category": "NO_DATA"}
    assert reason in scene.people[session].get("/submissions").text
    assert scene.paid_here(session) == 0
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id, OverrideRejection=True)
    assert "rejected at Prolific: its reward has to be paid by hand" in (scene.look() or "")
    assert scene.paid_here(session) == 0


def test_a_rejection_without_a_category_is_shown_to_a_person(scene: Scene) -> None:
    """Mephisto's own tools can reject, and ask for nothing."""
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("RejectAssignment", AssignmentId=assignment_id, RequesterFeedback="Nothing was written.")
    assert f"Submission {session} is rejected here, without a reason" in (scene.look() or "")
    assert scene.submission(session)["status"] == "AWAITING REVIEW"
    scene.recruiter.researcher().move(session, "REJECT", message="x" * 100, rejection_category="OTHER")
    assert scene.look() is None


def test_a_participant_who_lost_the_code_is_paid_all_the_same(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work(brings_code=False)
    scene.look()
    assert scene.submission(session)["status"] == "ACTIVE"
    scene.wait(121)
    scene.look()
    assert scene.submission(session)["status"] == "AWAITING REVIEW"
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.look()
    assert scene.paid_here(session) == 200


@pytest.mark.parametrize("ending", ["returned", "timed out"])
def test_a_place_that_is_lost_frees_the_hit_for_somebody_else(scene: Scene, ending: str) -> None:
    [hit] = scene.offer(AssignmentDurationInSeconds=7200)
    scene.look()
    participant = scene.recruiter.participant()
    session = scene.take_place(participant)
    scene.accept(session)
    assert scene.desk.hit(hit)["HITStatus"] == "Unassignable"
    if ending == "returned":
        participant.post(f"/submissions/{session}/return")
    else:
        scene.recruiter.control("clock", {"advance_seconds": 3 * 3600})
    scene.look()
    assert scene.desk.hit(hit)["HITStatus"] == "Assignable"
    assert scene.free_places == 1
    scene.work()
    assert scene.desk.hit(hit)["HITStatus"] == "Reviewable"


def test_places_follow_what_is_on_offer(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    scene.work()
    scene.work()
    scene.look()
    assert scene.free_places == 0
    scene.offer(3)
    scene.look()
    assert (scene.record["status"], scene.free_places) == ("ACTIVE", 3)


def test_a_study_is_paused_while_nothing_is_on_offer_and_stopped_after_a_day(scene: Scene) -> None:
    [_, hit] = scene.offer(2)
    scene.look()
    scene.desk.ask("UpdateExpirationForHIT", HITId=hit, ExpireAt=0)
    scene.look()
    assert scene.free_places == 2  # a place cannot be taken back
    assert scene.record["status"] == "ACTIVE"
    scene.work()
    scene.look()
    assert scene.record["status"] == "PAUSED"
    scene.offer(1)
    scene.look()
    assert (scene.record["status"], scene.free_places) == ("ACTIVE", 1)
    scene.work()
    scene.look()
    scene.wait(86_400 + 60)
    scene.look(2)
    assert scene.record["status"] in ("AWAITING REVIEW", "COMPLETED")
    scene.offer(1)
    scene.look()
    assert scene.record["status"] == "ACTIVE"
    assert scene.free_places == 1


def test_participants_on_the_way_get_a_hit_and_nobody_too_many(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session = scene.take_place(scene.recruiter.participant())  # and has not arrived here
    scene.look(3)
    assert scene.free_places == 1
    scene.accept(session)
    scene.look()
    assert scene.free_places == 1


def test_a_code_without_work_is_not_paid(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    participant = scene.recruiter.participant()
    session = scene.take_place(participant)
    participant.come_back(scene.code("done"))  # codes are shared: it proves nothing
    scene.look(2)
    submission = scene.submission(session)
    assert (submission["status"], submission["return_requested"] is not None) == ("AWAITING REVIEW", True)
    assert scene.transport.asked("POST", "/request-return/") == 1
    assert "No task was submitted" in participant.get("/messages").text
    [asked_at] = [one.return_requested for one in scene.client().get_study_submissions(scene.external_id)]
    assert asked_at is not None
    scene.wait((asked_at + RETURNS_WITHIN - scene.market.clock.now()).total_seconds())  # its clock is ahead of ours
    assert f"Submission {session} came with a code and without a HIT" in (scene.look() or "")
    assert scene.submission(session)["status"] == "AWAITING REVIEW"
    scene.recruiter.researcher().reject(session)
    assert scene.look() is None


def test_an_approval_at_prolific_is_followed_here(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.recruiter.researcher().move(session, "APPROVE")
    scene.look(2)
    assert scene.desk.ask("GetAssignment", AssignmentId=assignment_id)["Assignment"]["AssignmentStatus"] == "Approved"
    assert scene.paid_here(session) == 200


def test_approved_work_of_a_returned_place_is_shown_to_a_person(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.people[session].post(f"/submissions/{session}/return")
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    problem = scene.look()
    assert problem is not None
    assert "has to be paid by hand" in problem
    assert scene.paid_here(session) == 0
    [reference] = re.findall("--as '(.*)'", problem)
    with scene.market.writing() as moment:
        payouts.note(moment, reference, {scene.worker_of(session): 200})
    assert scene.look() is None


def test_a_study_whose_creation_was_not_answered_is_found_again(scene: Scene) -> None:
    scene.offer()
    rule = {"kind": "lose_reply", "operations": ["create-study"], "times": 1}
    scene.recruiter.control("faults", {"rules": [rule]})
    assert "gave no answer" in (scene.look() or "")
    assert scene.followed.external_id is None
    assert scene.look() is None
    assert scene.record["status"] == "ACTIVE"
    assert scene.transport.asked("POST", "/api/v1/studies/") == 0  # the exchange with the lost reply broke off
    listed = scene.recruiter.researcher().ask("GET", "/api/v1/studies/")["results"]
    assert sum(one["internal_name"] == f"beat-the-ai {scene.key}" for one in listed) == 1


@pytest.mark.parametrize(("kind", "times"), [("throttle", 2), ("fault", 2), ("lose_reply", 2)])
def test_busy_and_failing_answers_are_asked_again(scene: Scene, kind: str, times: int) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    rule = {"kind": kind, "operations": ["transition-submission"], "times": times}
    scene.recruiter.control("faults", {"rules": [rule]})
    assert scene.look() is None
    assert scene.paid_here(session) == 200


def test_a_workspace_that_has_another_currency_is_told(new_scene: NewScene) -> None:
    other = new_scene(unit="USD")
    other.offer()
    assert "pays in GBP, and crowd.unit is USD" in (other.look() or "")


def test_a_workspace_that_cannot_pay_is_told(new_scene: NewScene) -> None:
    dear = new_scene()
    dear.offer(60, Reward="2000.00")
    assert re.search("60 places cost £.* with fee and VAT, and the workspace has £", dear.look() or "")
    assert dear.followed.external_id is None


def test_places_that_the_workspace_cannot_pay_are_not_added(new_scene: NewScene) -> None:
    scene = new_scene()
    scene.offer(Reward="2000.00")
    assert scene.look() is None
    scene.offer(60, Reward="2000.00")
    assert re.search("60 places cost .* and the workspace has .* Top it up at Prolific", scene.look() or "")
    assert scene.record["total_available_places"] == 1
    assert scene.transport.asked("PATCH", "/") == 0


def test_a_hanging_request_does_not_keep_the_portal_from_stopping(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "ENDS_WITHIN_SECONDS", 0.2)
    scene.offer()
    hangs, ends = threading.Event(), threading.Event()

    def hang(request: httpx.Request) -> None:
        hangs.set()
        ends.wait(PATIENCE_SECONDS)

    scene.transport.before = hang
    with scene.mirror.running():
        assert hangs.wait(PATIENCE_SECONDS)
        begun = time.monotonic()
    assert time.monotonic() - begun < PATIENCE_SECONDS / 2
    ends.set()


def test_hits_with_two_rewards_are_no_study(scene: Scene) -> None:
    scene.offer()
    scene.desk.new_hit(Reward="3.00", RequesterAnnotation=f"{scene.prefix}other")
    assert "paid with 200 and 300 cents" in (scene.look() or "")


def test_of_two_portals_on_one_store_one_looks(scene: Scene) -> None:
    scene.offer()
    scene.look()
    second = Mirror(scene.market, lambda followed: scene.client())
    before = len(scene.transport.exchanges)
    second.look()
    assert len(scene.transport.exchanges) == before
    scene.wait(16)
    second.look()
    assert len(scene.transport.exchanges) > before


def test_of_two_portals_that_create_a_study_at_once_one_publishes_it(scene: Scene) -> None:
    """The first one's request hangs for longer than its lease."""
    scene.offer(2)
    second = Mirror(scene.market, lambda followed: scene.client())
    hung: list[str] = []

    def hang(request: httpx.Request) -> None:
        if request.method == "POST" and request.url.path.endswith("/studies/") and not hung:
            hung.append(request.url.path)
            scene.wait(16)
            second.look()
            second.look()

    scene.transport.before = hang
    scene.look(2)
    listed = scene.recruiter.researcher().ask("GET", "/api/v1/studies/")["results"]
    ours = {one["id"]: one["status"] for one in listed if one["internal_name"] == f"beat-the-ai {scene.key}"}
    assert sorted(ours.values()) == ["ACTIVE", "UNPUBLISHED"]
    assert ours[scene.external_id] == "ACTIVE"


def test_messages_go_to_participants_once(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)  # whoever did nothing is sent nothing
    told = {"Subject": "A question", "MessageText": "Is 'it' the river?", "WorkerIds": [scene.worker_of(session)]}
    scene.desk.ask("NotifyWorkers", **told)
    assert scene.look(2) is None
    page = scene.people[session].get("/messages").text
    assert page.count("A question") == 1
    assert "Is &#39;it&#39; the river?" in page


def approved(scene: Scene) -> str:
    """Let somebody work: whoever did nothing is sent nothing. Return the session."""
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    return session


def told(scene: Scene, session: str, subject: str) -> None:
    named = {"Subject": subject, "MessageText": "Is it the river?", "WorkerIds": [scene.worker_of(session)]}
    scene.desk.ask("NotifyWorkers", **named)


def test_a_message_that_prolific_never_takes_holds_back_no_other(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session = approved(scene)
    told(scene, session, "First")
    told(scene, session, "Second")
    refused: list[str] = []

    def refuse(request: httpx.Request) -> httpx.Response | None:
        if request.url.path.endswith("/messages/") and not refused:
            refused.append("First")
            return httpx.Response(400, json={"error": {"title": "Bad request", "detail": "no such recipient"}})
        return None

    scene.transport.instead = refuse
    assert scene.look(2) is None
    page = scene.people[session].get("/messages").text
    assert ("First" in page, "Second" in page) == (False, True)


def test_a_process_that_dies_after_a_message_sends_it_once(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session = approved(scene)
    told(scene, session, "A question")

    def die(request: httpx.Request) -> None:
        if request.url.path.endswith("/messages/"):
            raise KeyboardInterrupt

    scene.transport.after = die
    with pytest.raises(KeyboardInterrupt):
        scene.look()
    scene.transport.after = lambda request: None
    scene.look(2)
    assert scene.people[session].get("/messages").text.count("A question") == 1


def test_messages_wait_while_prolific_takes_none(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session = approved(scene)
    told(scene, session, "A question")
    scene.recruiter.control("faults", {"rules": [{"kind": "throttle", "operations": ["send-message"], "times": 3}]})
    assert "asked too often" in (scene.look() or "")
    assert scene.look() is None
    assert scene.people[session].get("/messages").text.count("A question") == 1


def test_screenings_are_for_once_and_the_granted_alone_are_sent_to_what_needs_it(new_scene: NewScene) -> None:
    screening = new_scene(once=True)
    name = {"Name": "writer", "Description": "May write", "QualificationTypeStatus": "Active"}
    type_id = screening.desk.ask("CreateQualificationType", **name)["QualificationType"]["QualificationTypeId"]
    newcomers = {"QualificationTypeId": type_id, "Comparator": "DoesNotExist"}
    granted = {"QualificationTypeId": type_id, "Comparator": "Exists"}
    screening.offer(3, QualificationRequirements=[newcomers])
    writing = new_scene()
    writing.offer(2, QualificationRequirements=[granted])
    screening.look()
    ann, bob = screening.recruiter.participant(), screening.recruiter.participant()
    session, _ = screening.work(ann)
    screening.look()
    assert screening.external_id not in ann.get("/studies").text  # one submission each
    assert writing.external_id not in ann.get("/studies").text
    worker_id = screening.worker_of(session)
    screening.desk.ask("AssociateQualificationWithWorker", QualificationTypeId=type_id, WorkerId=worker_id)
    screening.look()
    assert writing.external_id in ann.get("/studies").text
    assert writing.external_id not in bob.get("/studies").text
    assert screening.external_id in bob.get("/studies").text
    screening.desk.ask("DisassociateQualificationFromWorker", QualificationTypeId=type_id, WorkerId=worker_id)
    screening.look()
    assert writing.external_id not in ann.get("/studies").text


def test_a_second_visit_to_a_screening_gets_no_hit(new_scene: NewScene) -> None:
    scene = new_scene(once=True)
    scene.offer(2)
    scene.look()
    session, _ = scene.work()
    with scene.market.writing() as moment:
        study = studies.get_study(moment, scene.key)
        again = studies.begin(moment, study, scene.people[session].id, "another", "browser")
        assert studies.next_hit(moment, study, again) is None


def test_work_is_paid_while_nothing_can_be_offered(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.give_bonus(session, assignment_id)
    scene.desk.new_hit(Reward="3.00", RequesterAnnotation=f"{scene.prefix}other")
    assert "paid with 200 and 300 cents" in (scene.look() or "")
    scene.wait(5)
    scene.look()
    assert scene.submission(session)["status"] == "APPROVED"
    assert scene.paid_here(session) == 250


def test_every_problem_is_told(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    sessions = []
    for _ in range(2):
        session, assignment_id = scene.work()
        scene.people[session].post(f"/submissions/{session}/return")
        scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
        sessions.append(session)
    problem = scene.look() or ""
    assert [session in problem for session in sessions] == [True, True]


def test_a_hit_that_is_begun_late_is_not_taken_away_before_its_time(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session = scene.take_place(scene.recruiter.participant())
    scene.wait(5 * 60)
    assignment_id = scene.accept(session)
    scene.wait(58 * 60)
    scene.look()
    scene.submit(assignment_id, session)
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    assert scene.look(2) is None
