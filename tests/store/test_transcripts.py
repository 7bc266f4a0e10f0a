"""The transcript in the store, on both databases: what gets into it, once, in a chain that erasures do not break."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.dataset.transcript.contents import CampaignFacts, is_recorded, record
from beat_the_ai.rules.ids import new_pseudonym, worker_pseudonym
from beat_the_ai.rules.transcript import GENESIS, Entry, commitment_of, next_head
from beat_the_ai.store import Store, now, tables
from beat_the_ai.store.transcripts import ASSIGNMENTS_AT_ONCE
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import NEW_YEAR
from tests.validation.written import answer_all, new_campaign, new_desk, passages, question, write

WRITER, OTHER, VOTER = "AZEBRA0001", "AOTHER0001", "AVOTER0001"


@pytest.fixture
def campaign(store: Store) -> BoundCampaign:
    new_campaign(store)
    return BoundCampaign.open(store, "pilot")


def lines(campaign: BoundCampaign) -> list[dict[str, Any]]:
    """Return the entries of a transcript, after a look at their chain."""
    text = "".join(campaign.store.transcripts.lines(campaign.id))
    read = [json.loads(line) for line in text.splitlines()]
    head = GENESIS
    for number, fields in enumerate(read, start=1):
        commitment = fields.get("commitment") or commitment_of(fields["salt"], fields["content"])
        head = next_head(head, fields["type"], commitment)
        assert (fields["number"], fields["head"]) == (number, head)
    known = campaign.store.transcripts.head(campaign.id)
    assert known is not None
    assert (known.entries, known.head) == (len(read), head)
    return read


def said(campaign: BoundCampaign, of_type: str) -> list[Mapping[str, Any]]:
    return [json.loads(fields["content"]) for fields in lines(campaign) if fields["type"] == of_type]


def nameless(_name: str, answer: str) -> dict[str, Any]:
    return question("of nobody", answer)


def validated(store: Store, campaign: BoundCampaign) -> list[str]:
    """Two writers, and a validator who answers everything."""
    made = write(store, writer=WRITER, answers=("1807", "Oxbow"), work=nameless)
    made += write(store, writer=OTHER, slot=1, work=nameless)
    answer_all(new_desk(store, campaign.record, works_per_hit=3), VOTER, dict.fromkeys(made, "1807"))
    return made


def test_it_has_works_and_votes_that_count_once(store: Store, campaign: BoundCampaign) -> None:
    made = validated(store, campaign)
    assert not is_recorded(campaign)
    record(campaign)
    assert is_recorded(campaign)
    assert [each["type"] for each in lines(campaign)][:2] == ["campaign", "round"]
    assert sorted(each["attempt_id"] for each in said(campaign, "attempt")) == sorted(made)
    assert sorted(each["attempt_id"] for each in said(campaign, "vote") if each["attempt_id"]) == sorted(made)
    before = store.transcripts.head("pilot")
    assert record(campaign) == before


def test_a_hit_gets_into_it_when_it_counts_or_is_set_aside(store: Store, campaign: BoundCampaign) -> None:
    write(store, writer=WRITER, submitted=False)
    record(campaign)
    assert said(campaign, "attempt") == []
    with store.database.reading() as connection:
        name = connection.scalars(sa.select(tables.assignments.c.id)).one()
    store.assignments.set_aside(name, "the crowd never received it", NEW_YEAR)
    record(campaign)
    assert [each["set_aside"] for each in said(campaign, "attempt")] == [True]


def test_a_reviewers_word_on_a_doubt_is_a_later_entry(store: Store, campaign: BoundCampaign) -> None:
    [name] = write(store, writer=WRITER, doubts=["It repeats another question."])
    record(campaign)
    store.attempts.settle_doubts(name, admitted=True)
    record(campaign)
    assert [(each["doubted"], each["admitted"]) for each in said(campaign, "attempt")] == [(True, None), (True, True)]


def test_terms_and_standings_are_entries_when_they_change(store: Store, campaign: BoundCampaign) -> None:
    record(campaign)
    for standing in ("qualified", "revoked"):
        store.standings.add("pilot", WRITER, standing, by="ann", reason="a secret", at=NEW_YEAR)
    task = {"kind": "reading_comprehension", "page": "", "title": "", "description": "", "keywords": ""}
    options = {"f1_threshold": 0.3}
    store.rounds.amend("pilot", 1, {"task": {**task, "options": options}})
    assert not is_recorded(campaign)
    record(campaign)
    assert [each["standing"] for each in said(campaign, "standing")] == ["qualified", "revoked"]
    assert [each["options"] for each in said(campaign, "round")] == [{}, options]
    assert "secret" not in json.dumps(lines(campaign))


def test_files_of_the_requesters_machine_are_in_no_terms(campaign: BoundCampaign) -> None:
    task = {"kind": "quizbowl", "page": "", "title": "", "description": "", "keywords": ""}
    options = {"known_questions": ["sample", "/home/ann/questions.json"], "late_share": 0.5, "list": "/home/ann/list"}
    campaign.store.rounds.amend("pilot", 1, {"task": {**task, "options": options}})
    [of_round] = campaign.store.rounds.of_campaign("pilot")
    assert CampaignFacts(campaign).round(of_round)["options"] == {"late_share": 0.5}


def test_no_entry_names_a_worker(store: Store, campaign: BoundCampaign) -> None:
    validated(store, campaign)
    store.standings.add("pilot", WRITER, "qualified", by="ann", reason="a secret", at=NEW_YEAR)
    record(campaign)
    text = json.dumps(lines(campaign))
    assert not [name for name in (WRITER, OTHER, VOTER) if name in text]
    assert worker_pseudonym(WRITER, campaign.record.pseudonym_key) in text


def test_many_who_write_it_at_once_write_everything_once(store: Store, campaign: BoundCampaign) -> None:
    store.campaigns.offer("pilot", passages(40)[3:], round_number=1, slots=4)
    made = [name for at in range(40) for slot in range(2) for name in write(store, f"mill/{at}", f"w{at}", slot=slot)]
    assert len(made) > ASSIGNMENTS_AT_ONCE
    threads = [threading.Thread(target=record, args=(campaign,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each["attempt_id"] for each in said(campaign, "attempt")) == sorted(made)


def test_an_erased_person_leaves_places_that_say_nothing_and_the_chain_whole(
    store: Store, campaign: BoundCampaign
) -> None:
    made = validated(store, campaign)
    for worker in (WRITER, OTHER):
        store.standings.add("pilot", worker, "qualified", by="ann", reason="", at=NEW_YEAR)
    record(campaign)
    before = lines(campaign)
    assert store.erasure.erase(WRITER, new_pseudonym(), now())
    after = lines(campaign)
    erased = [each["number"] for each in after if "commitment" in each]
    assert [each["type"] for each in after if "commitment" in each].count("attempt") == 2
    assert [each["type"] for each in after if "commitment" in each].count("vote") == 2  # others' votes on these works
    assert json.loads(after[-1]["content"]) == {"entries": erased}
    assert [each["head"] for each in before] == [each["head"] for each in after[:-1]]
    text = json.dumps(after)
    assert worker_pseudonym(WRITER, campaign.record.pseudonym_key) not in text
    assert [name in text for name in made] == [False, False, True]
    assert record(campaign) == store.transcripts.head("pilot")


def test_two_entries_that_say_the_same_have_other_commitments() -> None:
    salts = ("00" * 16, "01" * 16)
    assert len({commitment_of(salt, "{}") for salt in salts}) == 2
    assert Entry("vote", "c").is_redacted
