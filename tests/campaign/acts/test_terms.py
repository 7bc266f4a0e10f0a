"""Settings that change while a campaign goes on: what they cost, and what an operator that serves it sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.closing import CloseStage
from beat_the_ai.campaign.acts.round_acts import OpenRound
from beat_the_ai.campaign.acts.terms import ChangeTerms, changeable, present
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.writing import OpenHits
from tests.campaign.acts.begun import ANN, HITS, ROOT, begin
from tests.cli.launching import NAME
from tests.store.builders import at_once

HIT_CENTS = 240  # with the fee
FOR_SIX = f"pay.cap_cents={6 * HIT_CENTS}"


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[Place, OpenHits]]:
    place, offer = begin(tmp_path, FOR_SIX, "crowd=mturk")
    yield place, offer
    place.store.close()


def more(*values: str) -> ChangeTerms:
    return ChangeTerms(values=values)


def test_more_hits_are_offered_by_an_operator_that_serves_and_logged_with_their_cost(
    begun: tuple[Place, OpenHits],
) -> None:
    place, offer = begun
    estimate = more("round.max_hits=6").estimate(place)
    assert (estimate.before_cents, estimate.worst_cents) == (HITS * HIT_CENTS, 6 * HIT_CENTS)
    assert (estimate.cap_cents, estimate.needs_consent) == (6 * HIT_CENTS, True)
    assert len(offer.hits()) == HITS
    told = more("round.max_hits=6").do(place, ANN, estimate.worst_cents)
    assert (told.has_changed, "at once" in told.told) == (True, True)
    assert (len(offer.hits()), len(offer.open())) == (6, 6)
    assert more("round.max_hits=6").do(place, ANN).has_changed is False
    [entry] = place.store.audit.entries()
    assert (entry.who, entry.action, entry.subject) == ("ann", "change_terms", NAME)
    assert entry.note.startswith("round.max_hits: 6, 4 before")
    assert entry.note.endswith("at most $14.40, $9.60 before")


@pytest.mark.parametrize("key", ["round.hits_per_context", "round.reoffers"])
def test_hits_beyond_any_need_are_refused_before_they_are_listed(begun: tuple[Place, OpenHits], key: str) -> None:
    place, _ = begun
    with pytest.raises(InvalidInput, match="less than or equal to 1000"):
        more(f"{key}=1001").estimate(place)


def test_the_log_has_no_address_that_lets_whoever_knows_it_post(begun: tuple[Place, OpenHits]) -> None:
    place, _ = begun
    for path in ("first", "second"):
        more(f"alerts.webhook=https://hooks.example.org/{path}").do(place, ROOT)
    notes = [entry.note for entry in place.store.audit.entries()]
    assert [note.startswith("alerts.webhook: another address") for note in notes] == [True, True]
    CloseStage().do(place, ROOT)
    assert OpenRound(number=2, values=("alerts.webhook=https://hooks.example.org/third",)).do(place, ROOT).has_changed
    notes = [entry.note for entry in place.store.audit.entries()]
    assert notes[0] == "round 2 alerts.webhook=…"
    assert "example.org" not in str(notes)


def test_an_operator_that_serves_follows_the_number_of_further_offers(begun: tuple[Place, OpenHits]) -> None:
    place, offer = begun
    assert offer._offers().most == 1
    more("round.reoffers=1", "pay.cap_cents=100000").do(place, ANN)
    assert offer._offers().most == 2


@pytest.mark.parametrize(
    ("value", "error", "told"),
    [
        ("round.max_hits=7", Refused, "could cost up to"),
        ("round.max_hits=3", InvalidInput, "3 was given; it may grow, and never shrink"),
        ("pay.reward_cents=300", InvalidInput, "People were told other terms"),
        ("name=other", InvalidInput, "which campaign this is"),
        ("store.url=other.db", InvalidInput, "which campaign this is"),
        ("round.no_such=1", InvalidInput, "There is no such setting"),
    ],
)
def test_what_may_not_change_changes_nothing(
    begun: tuple[Place, OpenHits], value: str, error: type[Exception], told: str
) -> None:
    place, offer = begun
    before = present(place)
    for act in (more(value).estimate, lambda place: more(value).do(place, ROOT)):
        with pytest.raises(error, match=told):
            act(place)
    assert present(place) == before
    assert (len(offer.hits()), place.store.audit.entries()) == (HITS, [])


def test_more_than_a_person_has_agreed_to_is_refused(begun: tuple[Place, OpenHits]) -> None:
    place, offer = begun
    with pytest.raises(Refused, match="more by now than was agreed"):
        more("round.max_hits=6").do(place, ANN, 6 * HIT_CENTS - 1)
    assert len(offer.hits()) == HITS


def test_changes_at_the_same_time_are_all_made_or_refused_and_none_reverts_another(
    begun: tuple[Place, OpenHits],
) -> None:
    place, offer = begun
    values = ["round.max_hits=5", "round.max_hits=6", "review.appeal_days=9", "keeping.people_days=90"]

    def do(number: int) -> bool:
        try:
            return more(values[number]).do(place, ANN).has_changed
        except InvalidInput:  # fewer HITs than another has offered meanwhile
            return False

    done = at_once(4, do)
    assert done[1:] == [True, True, True]
    _, settings = present(place)
    assert (settings.round.max_hits, settings.review.appeal_days, settings.keeping.people_days) == (6, 9, 90)
    assert len(offer.hits()) == 6
    assert len(place.store.audit.entries()) == sum(done)


def test_a_stage_is_closed_once_and_offers_nothing_more(begun: tuple[Place, OpenHits]) -> None:
    place, _ = begun
    with pytest.raises(InvalidInput, match="ends by itself"):
        CloseStage(stage=Stage.VALIDATION).do(place, ANN)
    with pytest.raises(Refused, match="was never launched"):
        CloseStage(stage=Stage.SCREENING).do(place, ANN)
    assert [CloseStage().do(place, ANN).has_changed for _ in range(2)] == [True, False]
    with pytest.raises(Refused, match="offers no more HITs"):
        more("round.max_hits=6").do(place, ANN)
    assert [each.action for each in place.store.audit.entries()] == ["close_stage"]


def test_all_settings_are_listed_with_the_reason_why_they_may_change_or_not(begun: tuple[Place, OpenHits]) -> None:
    place, _ = begun
    listed = {each.key: each for each in changeable(place)}
    assert (listed["round.max_hits"].may_change, listed["round.max_hits"].takes_effect) == (True, "at once")
    assert listed["profile.port"].takes_effect == "when the stage is served again"
    assert (listed["pay.reward_cents"].may_change, listed["pay.reward_cents"].takes_effect) == (False, "")
    assert "when the writing began" in listed["pay.reward_cents"].reason
    assert "until the validation begins" in listed["validation.terms.reward_cents"].reason
    assert not listed["name"].may_change
    for key, each in listed.items():  # the list and the check agree
        if each.may_change and isinstance(each.value, int) and not isinstance(each.value, bool) and key != "seed":
            more(f"{key}={each.value}").do(place, ROOT)


def test_a_page_sets_nothing_that_names_a_file_or_a_program(begun: tuple[Place, OpenHits]) -> None:
    place, _ = begun
    for value in ("crowd.page_url=http://x", "++adversary.device=cpu", "contexts=/etc/passwd", "forms.before=[x.md]"):
        with pytest.raises(InvalidInput, match="only be set on the command line"):
            more(value).do(place, ANN)
    assert more("crowd.page_url=http://x").do(place, ROOT).has_changed
