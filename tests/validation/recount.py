"""The votes of a campaign, counted independently of the store: the oracle of what it keeps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from beat_the_ai.rules.adjudication import Adjudication, Outcome
from beat_the_ai.rules.checking import Checking
from beat_the_ai.store import Snapshot, Store
from beat_the_ai.validation import CheckingByRound, counting_rules
from beat_the_ai.validation.counting import is_reliable
from beat_the_ai.validation.validators import gold_answers


def adjudicated(
    store: Store, campaign_id: str, checking_by_round: Mapping[int, Checking], *, adaptive: bool = False
) -> Snapshot:
    """Return the validation of a campaign with the votes on each work counted by these rules.

    Others may vote meanwhile: then it is read again.
    """
    seed = store.campaigns.get(campaign_id).seed
    rules = {
        number: counting_rules(checking, seed, adaptive=adaptive) for number, checking in checking_by_round.items()
    }
    while True:
        for number, of_round in rules.items():
            store.works.adjudicate(campaign_id, number, of_round)
        with store.at_one_moment() as then:
            if all(then.works.is_adjudicated(campaign_id, number, of_round) for number, of_round in rules.items()):
                return then.validations.snapshot(campaign_id)


def recounted(store: Store, campaign_id: str, checking_by_round: Mapping[int, Checking]) -> dict[str, Adjudication]:
    """Return `{attempt: adjudication}` from the votes alone, whatever the store has made of them."""
    snapshot = store.validations.snapshot(campaign_id)
    revoked = store.standings.discarded(campaign_id)
    predictions = {row.attempt.id: row.attempt.prediction for row in store.attempts.of_campaign(campaign_id)}
    votes = defaultdict(list)
    for placed in snapshot.placed:
        if placed.item.attempt_id is not None and placed.vote is not None and placed.counts:
            votes[placed.item.attempt_id].append(placed)
    found = {}
    for work in snapshot.outcomes:
        checking = checking_by_round[work.round]
        answers = gold_answers(snapshot.placed, checking).items()
        unreliable = {worker for worker, right in answers if not is_reliable(sum(right), len(right), checking)}
        counted = [each for each in votes[work.attempt_id] if each.worker not in unreliable | revoked]
        counted.sort(key=lambda each: (each.vote.created_at, each.item.assignment_id))  # type: ignore[union-attr]
        labels = [checking.vote_label(each.vote.vote) for each in counted if each.vote is not None]
        model = checking.model_label(predictions[work.attempt_id])
        found[work.attempt_id] = checking.adjudicate(checking.author_label(work.work), model, labels)
    return found


def discarded_writers(validated: Iterable[Outcome], checking_by_round: CheckingByRound) -> set[str]:
    """The writers all of whose work is discarded, for what others say of it: by the rules of the last round."""
    kept: dict[str, list[bool]] = defaultdict(list)
    for each in validated:
        if each.adjudication.settled:
            kept[each.writer].append(each.adjudication.kept)
    return {writer for writer, settled in kept.items() if checking_by_round[max(checking_by_round)].discards(settled)}
