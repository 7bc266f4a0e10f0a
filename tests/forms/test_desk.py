"""Answers at the desk: kept once, asked again where they must be, and a guard before all work."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.forms import Form, FormDesk
from beat_the_ai.forms.desk import FormsPending
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import accepted, campaign

CAMPAIGN = "pilot"
NOON = datetime(2026, 11, 27, 12, tzinfo=timezone.utc)
CONSENT = Form(name="consent", kind="consent", title="Consent", text="Do you **agree**?")
SURVEY = Form.model_validate_json(
    '{"name": "about", "kind": "survey", "title": "About", "refuses": true, "questions": ['
    '{"id": "age", "type": "number", "text": "Age?"}, '
    '{"id": "check", "type": "text", "text": "Write yes.", "expects": "yes"}]}'
)
AFTER = Form.model_validate_json(
    '{"name": "after", "kind": "survey", "title": "How was it?", "questions": ['
    '{"id": "liked", "type": "scale", "text": "Did you like it?"}]}'
)
DEBRIEFING = Form(name="end", kind="notice", title="What it was about", text="All.", also_when_declined=True)
GOOD = {"age": 30, "check": " YES "}


@pytest.fixture
def desk(store: Store) -> FormDesk:
    store.campaigns.create(campaign(CAMPAIGN))
    return FormDesk(BoundCampaign.open(store, CAMPAIGN), [CONSENT, SURVEY], lambda: NOON)


@pytest.fixture
def following(store: Store) -> FormDesk:
    store.campaigns.create(campaign(CAMPAIGN))
    pilot = BoundCampaign.open(store, CAMPAIGN)
    return FormDesk(pilot, [CONSENT], lambda: NOON, {"zoe"}.__contains__, after=[AFTER, DEBRIEFING])


def ids(shown: dict[str, object]) -> list[str]:
    forms = shown["forms"]
    assert isinstance(forms, list)
    return [form["id"] for form in forms]


def test_forms_come_one_after_the_other_and_then_never_again(desk: FormDesk, store: Store) -> None:
    assert ids(desk.page("ada")) == [CONSENT.digest, SURVEY.digest]
    with pytest.raises(FormsPending):
        desk.check("ada")
    assert ids(desk.answer("ada", CONSENT.digest, {}, declined=False)) == [SURVEY.digest]
    assert ids(desk.answer("ada", SURVEY.digest, GOOD, declined=False)) == []
    for again in (desk, FormDesk(BoundCampaign.open(store, CAMPAIGN), [CONSENT, SURVEY])):
        again.check("ada")
        assert ids(again.page("ada")) == []
    with pytest.raises(FormsPending):
        desk.check("bo")
    kept = {one.form: one for one in store.forms.all_answers(CAMPAIGN)}
    assert (kept[SURVEY.digest].answers, kept[SURVEY.digest].at) == ({"age": 30, "check": "YES"}, NOON)
    assert store.forms.contents(CAMPAIGN)[CONSENT.digest] == CONSENT.model_dump(mode="json")


def test_the_first_answers_stand_however_often_they_are_sent(desk: FormDesk, store: Store) -> None:
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    desk.answer("ada", SURVEY.digest, GOOD, declined=False)
    for other in (GOOD, {"age": 99, "check": "no"}):
        assert ids(desk.answer("ada", SURVEY.digest, other, declined=False)) == []
    assert ids(desk.answer("ada", CONSENT.digest, {}, declined=True)) == []
    assert {one.outcome for one in store.forms.all_answers(CAMPAIGN)} == {"given"}


def test_whoever_declines_is_asked_again_and_does_no_work_until_then(desk: FormDesk, store: Store) -> None:
    assert ids(desk.answer("ada", CONSENT.digest, {}, declined=True)) == [CONSENT.digest, SURVEY.digest]
    with pytest.raises(FormsPending):
        desk.check("ada")
    [kept] = store.forms.all_answers(CAMPAIGN)
    assert (kept.outcome, kept.answers) == ("declined", {})
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    [kept] = store.forms.all_answers(CAMPAIGN)
    assert kept.outcome == "given"


def test_forms_are_answered_in_order(desk: FormDesk, store: Store) -> None:
    with pytest.raises(FormsPending):
        desk.answer("ada", SURVEY.digest, GOOD, declined=False)
    assert list(store.forms.all_answers(CAMPAIGN)) == []
    desk.answer("ada", CONSENT.digest, {}, declined=True)
    for given in (GOOD, {**GOOD, "check": "no"}):
        with pytest.raises(FormsPending):
            desk.answer("ada", SURVEY.digest, given, declined=False)
    assert [one.outcome for one in store.forms.all_answers(CAMPAIGN)] == ["declined"]
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    assert ids(desk.answer("ada", SURVEY.digest, GOOD, declined=False)) == []


def test_a_failed_check_ends_the_work_for_good(desk: FormDesk, store: Store) -> None:
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    for given in ({**GOOD, "check": "no"}, GOOD):
        with pytest.raises(Refused, match="you cannot go on with this study"):
            desk.answer("ada", SURVEY.digest, given, declined=False)
    for again in (desk, FormDesk(BoundCampaign.open(store, CAMPAIGN), [CONSENT, SURVEY])):
        with pytest.raises(Refused, match="you cannot go on with this study"):
            again.admit("ada", True)
        with pytest.raises(Refused, match="you cannot go on with this study"):
            again.check("ada")


@pytest.mark.parametrize(
    "now_asked",
    [
        [CONSENT, SURVEY.model_copy(update={"title": "About you", "refuses": False})],
        [CONSENT, SURVEY.model_copy(update={"name": "renamed", "version": "2"})],
        [CONSENT],
        [],
    ],
)
def test_a_failed_check_still_counts_after_the_form_is_changed(
    desk: FormDesk, store: Store, now_asked: list[Form]
) -> None:
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    with pytest.raises(Refused, match="you cannot go on"):
        desk.answer("ada", SURVEY.digest, {**GOOD, "check": "no"}, declined=False)
    resumed = FormDesk(
        BoundCampaign.open(store, CAMPAIGN), [Form.model_validate(one.model_dump()) for one in now_asked]
    )
    for enter in (lambda: resumed.admit("ada", True), lambda: resumed.check("ada"), lambda: resumed.page("ada")):
        with pytest.raises(Refused, match="you cannot go on"):
            enter()
    resumed.admit("bo", True)


def test_a_changed_form_is_asked_of_those_who_have_answered_the_old_one(desk: FormDesk, store: Store) -> None:
    desk.answer("ada", CONSENT.digest, {}, declined=False)
    changed = CONSENT.model_copy(update={"version": "2", "text": "Do you agree to this, too?"})
    other = FormDesk(BoundCampaign.open(store, CAMPAIGN), [Form.model_validate(changed.model_dump())])
    assert ids(other.page("ada")) != [CONSENT.digest]
    with pytest.raises(FormsPending):
        other.check("ada")
    with pytest.raises(InvalidInput, match="is not asked any more"):
        other.answer("ada", CONSENT.digest, {}, declined=False)
    assert len(store.forms.contents(CAMPAIGN)) == 3


@pytest.mark.parametrize(
    ("form", "given", "declined", "said"),
    [
        ("0" * 64, {}, False, "is not asked any more"),
        (SURVEY.digest, {}, True, "Only consent can be declined"),
        (SURVEY.digest, [], False, "must be a JSON object"),
        (SURVEY.digest, None, False, "must be a JSON object"),
        (SURVEY.digest, {"age": 30}, False, "please answer this question"),
        (CONSENT.digest, {"age": 30}, False, "no question 'age'"),
        (SURVEY.digest, {"age": 30, "check": "x" * 1_000_000}, False, "at most 1,000 are allowed"),
    ],
)
def test_what_is_no_answer_is_refused_and_keeps_nothing(
    desk: FormDesk, store: Store, form: str, given: object, declined: bool, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        desk.answer("ada", form, given, declined=declined)
    assert list(store.forms.all_answers(CAMPAIGN)) == []


def test_without_forms_nothing_is_asked(store: Store) -> None:
    store.campaigns.create(campaign(CAMPAIGN))
    desk = FormDesk(BoundCampaign.open(store, CAMPAIGN), [])
    desk.check("ada")
    assert not desk.asks
    assert ids(desk.page("ada")) == []


def test_forms_after_the_hits_are_offered_until_they_are_answered(following: FormDesk, store: Store) -> None:
    assert following.follows
    following.answer("ada", CONSENT.digest, {}, declined=False)
    following.check("ada")  # nothing waits for what comes after
    for _ in range(2):
        assert ids(following.page_after("ada")) == [AFTER.digest, DEBRIEFING.digest]
    assert ids(following.answer_after("ada", AFTER.digest, {"liked": 4})) == [DEBRIEFING.digest]
    assert ids(following.answer_after("ada", AFTER.digest, {"liked": 1})) == [DEBRIEFING.digest]
    assert ids(following.answer_after("ada", DEBRIEFING.digest, {})) == []
    kept = {one.form: one.answers for one in store.forms.all_answers(CAMPAIGN) if one.form != CONSENT.digest}
    assert kept == {AFTER.digest: {"liked": 4}, DEBRIEFING.digest: {}}
    assert store.forms.counts(CAMPAIGN)[AFTER.digest] == {"given": 1}


def test_nobody_is_offered_anything_after_a_hit_who_takes_no_part(following: FormDesk, store: Store) -> None:
    for worker in ("bo", "zoe"):  # one has not agreed, one has withdrawn
        assert ids(following.page_after(worker)) == []
        with pytest.raises(Refused):
            following.answer_after(worker, AFTER.digest, {"liked": 4})
    assert list(store.forms.all_answers(CAMPAIGN)) == []


@pytest.mark.parametrize("given", [{}, {"liked": 9}, {"liked": "x" * 1_000_000}, {"other": 1}, [], None])
def test_bad_answers_after_a_hit_are_refused(following: FormDesk, store: Store, given: object) -> None:
    following.answer("ada", CONSENT.digest, {}, declined=False)
    with pytest.raises(InvalidInput):
        following.answer_after("ada", AFTER.digest, given)
    with pytest.raises(InvalidInput, match="not asked any more"):
        following.answer_after("ada", CONSENT.digest, {})
    with pytest.raises(InvalidInput, match="not asked any more"):
        following.answer("ada", AFTER.digest, {"liked": 4}, declined=False)
    assert [one.form for one in store.forms.all_answers(CAMPAIGN)] == [CONSENT.digest]


def test_the_debriefing_reaches_whoever_declines(following: FormDesk) -> None:
    shown = following.answer("bo", CONSENT.digest, {}, declined=True)
    assert (ids(shown), [form["id"] for form in shown["debriefing"]]) == ([CONSENT.digest], [DEBRIEFING.digest])


def test_whoever_has_worked_and_declines_a_changed_consent_reads_every_notice(store: Store) -> None:
    made = accepted(store, "bo")
    notice = Form(name="more", kind="notice", title="More", text="More.")
    desk = FormDesk(BoundCampaign.open(store, CAMPAIGN), [CONSENT], lambda: NOON, after=[AFTER, notice, DEBRIEFING])

    def debriefing() -> list[str]:
        return [form["id"] for form in desk.answer("bo", CONSENT.digest, {}, declined=True)["debriefing"]]

    assert debriefing() == [DEBRIEFING.digest]
    store.assignments.submit(made.id, None, NOON)
    assert debriefing() == [notice.digest, DEBRIEFING.digest]  # and no survey


def test_a_stage_waits_for_those_who_are_at_a_form(store: Store) -> None:
    store.campaigns.create(campaign(CAMPAIGN))
    clock = [NOON]
    desk = FormDesk(BoundCampaign.open(store, CAMPAIGN), [], lambda: clock[0], after=[AFTER])
    assert not desk.is_expecting()
    for worker in ("ada", "bo", "cy"):
        desk.expect(worker)
    desk.answer_after("ada", AFTER.digest, {"liked": 4})
    desk.dismiss("bo")
    assert desk.is_expecting()
    clock[0] += timedelta(minutes=11)
    assert not desk.is_expecting()
    desk.expect("ada")  # has answered
    assert not desk.is_expecting()
    desk.expect("bo")
    assert desk.is_expecting()
