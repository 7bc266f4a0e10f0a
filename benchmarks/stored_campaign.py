"""A campaign as it stands after many attempts, written into its store in bulk: what `growth` reads.

HITs on passages of 130 words, five attempts in each, twenty HITs a writer; nearly all is handed in, confirmed,
reviewed, validated and paid. What waits is as much in a small campaign as in a large one.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from itertools import accumulate
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.dataset.transcript.contents import record
from beat_the_ai.payments import Owed, State
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, open_store, tables, works
from beat_the_ai.store.batches import batched
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import DEV, TEST
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.workforce.sampling import choose

NAME = "growth"
PASSAGES = "passages.jsonl"
TASK = Path(__file__).parents[1] / "tasks" / "reading_comprehension"
ATTEMPTS_PER_HIT = 5
HITS_PER_WRITER = 20
HITS_PER_CONTEXT = 2
WORKS_PER_VALIDATION_HIT = 8
VOTES = 3
LEFT_ON_OFFER = 5  # contexts
LEFT_UNPAID = 10  # HITs
LEFT_UNREVIEWED = 2  # writers
OPEN_WORKS = 48
ABANDONED = 20  # one HIT of so many was taken before and never handed in
REVOKED = 50  # one writer of so many
SYLLABLES = [first + second for first in "bdfgklmnprst" for second in ("a", "e", "i", "o", "u", "an", "el", "or")]
WORDS = [one + two for one in SYLLABLES for two in SYLLABLES][:5000]
SHARES = list(accumulate(1 / rank for rank in range(1, len(WORDS) + 1)))  # as words of a language are distributed
BEGAN = datetime(2026, 1, 1, tzinfo=timezone.utc)

Row = dict[str, Any]


def stored_campaign(folder: Path, attempts: int, open_works: int = OPEN_WORKS) -> None:
    """Make it in `folder`, with so many attempts that were handed in, and a few HITs that nobody has taken yet.

    `open_works` wait for votes, or as many as there are.
    """
    hits = attempts // ATTEMPTS_PER_HIT
    folder.mkdir(parents=True)
    passages = (_passage(number) for number in range(hits // HITS_PER_CONTEXT + LEFT_ON_OFFER))
    (folder / PASSAGES).write_text("".join(f"{json.dumps(passage)}\n" for passage in passages), encoding="utf-8")
    settings = settings_in(folder)
    store = open_store(settings.store.url)
    try:
        begin_or_resume(PlannedRound(store, settings), "k" * 32)
        _fill(store, settings, hits, open_works)
        record(BoundCampaign.open(store, NAME))  # as its operators would have
    finally:
        store.close()


def settings_in(folder: Path) -> Settings:
    private_folder(folder)
    changes = ["pay.bonus_cents_per_win=10", "pay.bonus_cents_per_verified_win=20", "pay.cap_cents=1000000000"]
    changes += [f"round.hits_per_context={HITS_PER_CONTEXT}", "crowd=mock"]
    return read_settings(TASK, changes, name=NAME, contexts=folder / PASSAGES, out=folder)


def text(number: int, words: int) -> str:
    """So many words, other ones for every number."""
    rng = random.Random(f"{number}/{words}")  # words, not secrets
    return " ".join(rng.choices(WORDS, cum_weights=SHARES, k=words))


def _passage(number: int) -> Row:
    passage = text(number, 130)
    known = [{"question": f"{text(number + more, 6)}?", "answer": _answer(passage, more)} for more in range(2)]
    return {"id": f"passage-{number:06}", "title": f"title {number % 50}", "context": passage, "questions": known}


def _answer(passage: str, word: int) -> Row:
    """One word of the passage as a span."""
    start = sum(len(each) + 1 for each in passage.split()[:word])
    return {"text": passage.split()[word], "start": start}


def _fill(store: Store, settings: Settings, hits: int, open_works: int) -> None:
    planned = PlannedRound(store, settings)
    contexts = planned.contexts()
    offered = list(
        store.campaigns.offer(NAME, contexts, round_number=1, slots=HITS_PER_CONTEXT, brief=planned.prompt).items()
    )
    passage_of = {context.id: context.text for context in contexts}
    taken = [_assignment(number, hit) for number, (hit, _) in enumerate(offered[:hits])]
    abandoned = [_abandoned(number, row) for number, row in enumerate(taken) if number % ABANDONED == 0]
    made = [
        _attempt(row, passage_of[context_id], number * ATTEMPTS_PER_HIT + ordinal)
        for number, (row, (_, context_id)) in enumerate(zip(taken, offered, strict=False))
        for ordinal in range(ATTEMPTS_PER_HIT)
    ]
    with store.database.writing() as connection:
        connection.execute(sa.insert(tables.assignments), taken)
        won = tables.hits.c.id.in_(sa.select(tables.assignments.c.hit_id))
        connection.execute(sa.update(tables.hits).where(won).values(outcome="won"))
        connection.execute(sa.insert(tables.assignments), abandoned)
        connection.execute(sa.insert(tables.attempts), made)
        connection.execute(sa.insert(tables.telemetry), [_telemetry(row) for row in made])
        _stand(connection, taken)
        _review(connection, settings.seed, taken)
    _validate(store, made, dict(offered), {row["id"]: row for row in taken}, open_works)
    _pay(store, {row["registration"].partition("-")[0] for row in taken[-LEFT_UNPAID:]})


def _assignment(number: int, hit: str) -> Row:
    worker = f"W{number // HITS_PER_WRITER:05}"
    at = BEGAN + timedelta(minutes=number)
    handed_in = {"submitted_at": at + timedelta(minutes=20), "confirmed_at": at + timedelta(minutes=21)}
    crowd_assignment = f"A{number:06}"
    return {
        "id": short_hash(hit, 0),
        "campaign_id": NAME,
        "stage": Stage.WRITING,
        "hit": hit,
        "hit_id": hit,
        "worker": worker,
        "registration": f"{crowd_assignment}-{worker}",
        "crowd_assignment": crowd_assignment,
        "accepted_at": at,
        **handed_in,
    }


def _abandoned(number: int, taken: Row) -> Row:
    """Return HITs that somebody else took before and never submitted."""
    worker = f"X{number:05}"
    began = {"accepted_at": taken["accepted_at"] - timedelta(days=1), "submitted_at": None, "confirmed_at": None}
    return {
        **taken,
        **began,
        "id": short_hash(taken["hit_id"], 1),
        "worker": worker,
        "registration": f"B-{worker}",
        "crowd_assignment": "B",
    }


def _attempt(assignment: Row, passage: str, number: int) -> Row:
    """Three of five beat the model; one of fifty was taken back."""
    ordinal = number % ATTEMPTS_PER_HIT
    at = assignment["accepted_at"] + timedelta(minutes=3 * ordinal + 2)
    return {
        "id": short_hash(assignment["id"], ordinal),
        "assignment_id": assignment["id"],
        "key": str(ordinal),
        "ordinal": ordinal + 1,
        "work": {"question": f"{text(number, 11)}?", "answer": _answer(passage, ordinal)},
        "prediction": {**_answer(passage, ordinal + 20), "score": 0.5},
        "fooled": ordinal < 3,
        "scores": {"f1": 0.25},
        "member": "m",
        "model_name": "model",
        "model_hash": "a" * 64,
        "model_precision": "fp32",
        "created_at": at,
        "retracted_at": at if number % 50 == 1 else None,
        "fingerprint": short_hash("fingerprint", number),
    }


def _telemetry(attempt: Row) -> Row:
    counted = {"pastes": 0, "pasted_chars": 0, "keystrokes": 70, "focused_seconds": 60.0, "first_key_seconds": 5.0}
    return {"attempt_id": attempt["id"], **counted}


def _stand(connection: sa.Connection, taken: Sequence[Row]) -> None:
    """Everybody is qualified, and then some revoked."""
    workers = sorted({row["worker"] for row in taken})
    events = [("qualified", worker) for worker in workers] + [("revoked", worker) for worker in workers[::REVOKED][1:]]
    said = {"campaign_id": NAME, "by": "ann", "reason": "looked at", "at": BEGAN}
    connection.execute(
        sa.insert(tables.standing_events), [{**said, "standing": kind, "worker": name} for kind, name in events]
    )


def _review(connection: sa.Connection, seed: int, taken: Sequence[Row]) -> None:
    """The sample is drawn, and judged but for the last writers'."""
    of_worker: defaultdict[str, list[str]] = defaultdict(list)
    for row in taken:
        of_worker[row["worker"]].append(row["id"])
    drawn = {worker: choose(seed, worker, ids, set()) for worker, ids in of_worker.items()}
    draws = [
        {"assignment_id": name, "completed": len(of_worker[worker]), "at": BEGAN}
        for worker, names in drawn.items()
        for name in names
    ]
    judged = [name for names in list(drawn.values())[:-LEFT_UNREVIEWED] for name in names]
    reviews = [
        {"assignment_id": name, "reviewer": "ann", "verdict": "reject" if number % 20 == 0 else "accept"}
        for number, name in enumerate(judged)
    ]
    connection.execute(sa.insert(tables.review_draws), draws)
    if reviews:
        connection.execute(sa.insert(tables.reviews), [{**review, "reason": "seen", "at": BEGAN} for review in reviews])


def _validate(
    store: Store, made: Sequence[Row], context_of: dict[str, str], taken: dict[str, Row], open_works: int
) -> None:
    """Three votes on what beat the model in dev and test, two of which agree; none on the last works."""
    campaign = store.campaigns.get(NAME)
    part_of = parts_of(BoundCampaign.open(store, campaign.id))
    context = {name: context_of[assignment["hit_id"]] for name, assignment in taken.items()}
    checked = [
        row
        for row in made
        if row["fooled"] and row["retracted_at"] is None and part_of[context[row["assignment_id"]]] in (DEV, TEST)
    ][:-open_works]
    assignments, items, votes = [], [], []
    for number, asked in enumerate(batched(checked, WORKS_PER_VALIDATION_HIT)):
        for turn in range(VOTES):
            validator = f"V{turn}{number // HITS_PER_WRITER:05}"
            at = BEGAN + timedelta(days=30, minutes=number)
            name, crowd_assignment = short_hash("validation", number, turn), f"C{turn}{number:06}"
            hit: Row = {"id": name, "campaign_id": NAME, "stage": Stage.VALIDATION, "hit": f"v{number}-{turn}"}
            hit |= {"worker": validator, "registration": f"{crowd_assignment}-{validator}", "accepted_at": at}
            hit |= {"crowd_assignment": crowd_assignment}
            later = at + timedelta(minutes=15)
            assignments.append({**hit, "submitted_at": later, "confirmed_at": later})
            gold = {**asked[0], "id": None, "work": {**asked[0]["work"], "question": f"known {number}?"}}
            for position, work in enumerate([*asked, gold]):
                name = short_hash(hit["id"], position)
                place = {"id": name, "assignment_id": hit["id"], "position": position, "campaign_id": NAME}
                place |= {"context_id": context[work["assignment_id"]], "attempt_id": work["id"]}
                items.append({**place, "gold": None if work["id"] else work["work"]})
                answer = work["work"]["answer"] if turn < 2 or not work["id"] else None
                vote = {"item_id": name, "ordinal": 1, "key": "k", "vote": {"answer": answer}, "created_at": later}
                votes.append(vote)
    with store.database.writing() as connection:
        if assignments:
            connection.execute(sa.insert(tables.assignments), assignments)
            connection.execute(sa.insert(tables.validation_items), items)
            connection.execute(sa.insert(tables.validation_votes), votes)
        connection.execute(works.adding())


def _pay(store: Store, unpaid: set[str]) -> None:
    """All that is owed but for some HITs."""
    owed = [one for one in payables_of(BoundCampaign.open(store, NAME)).owed if one.key.assignment not in unpaid]
    with store.database.writing() as connection:
        connection.execute(sa.insert(tables.payments), [_payment(one) for one in owed])


def _payment(one: Owed) -> Row:
    key = {"campaign_id": NAME, "purpose": one.key.purpose, "worker": one.key.worker, "assignment": one.key.assignment}
    sent = {"state": State.CONFIRMED.value, "tries": 1, "created_at": BEGAN, "sent_at": BEGAN, "confirmed_at": BEGAN}
    return {**key, **sent, "cents": one.cents, "fee_cents": one.fee_cents, "token": one.key.token, "reason": one.reason}
