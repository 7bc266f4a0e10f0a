"""The part of each attempt of a campaign, and the reason why it is not in the dataset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from beat_the_ai.contexts.draw import draw_contexts
from beat_the_ai.dataset.balance import Balance, Size, Stratum, balance, stratum
from beat_the_ai.dataset.names import BY_REVIEWER, BY_VOTES, DISCARDED
from beat_the_ai.dataset.records import Placed, example, seconds_to
from beat_the_ai.dataset.sizes import Eligible, Fit, fit
from beat_the_ai.dataset.validation import NOT_VALIDATED, Validation
from beat_the_ai.rules.adjudication import Outcome, is_confirmed
from beat_the_ai.rules.dataset import Example, Trial
from beat_the_ai.store import Assignment, AttemptInCampaign
from beat_the_ai.store.batches import batched
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import DEV, PARTS, TEST, Division, divide, text_key

UNBALANCED = "unbalanced"
SURPLUS = "surplus"  # its part has as many examples as it is to have
DOUBTFUL = "doubtful"  # a reviewer has to look at it
REJECTED = "rejected"  # and did not admit it
NOT_LOOKED_AT = "not_validated"
DRAWN, MOVED, HANDED_IN, SIZED = "drawn", "exclusive_writer", "handed_in", "size"  # how a context came into its part
BATCH_ATTEMPTS = 500  # whose votes are read together


def uncounted(assignment: Assignment) -> str | None:
    """Return the reason why nothing in an assignment counts; None when it does."""
    if assignment.set_aside_at is not None:
        return "set_aside"
    if not assignment.counts:
        return "not_handed_in" if assignment.submitted_at is None else "not_confirmed"
    return None


def trial(placed: Placed) -> Trial:
    """Return the trial of an attempt that was not taken back and whose writer nobody has revoked."""
    row, attempt = placed.row, placed.row.attempt
    return Trial(
        row.hit.context,
        row.hit.round,
        row.assignment.id,
        attempt.ordinal,
        seconds_to(row),
        attempt.fooled,
        is_confirmed(placed.validity, attempt.admitted),
        placed.is_checked,
        placed.exclusive,
        placed.dropped == DISCARDED,
        placed.tries_left,
        row.assignment.worker,
    )


def parts_of(campaign: BoundCampaign) -> dict[str, str]:
    """Return `{context id: part}` of every context that the campaign offered."""
    return _drawn_and_final(campaign)[1]


def _part_after(part: str, division: Division) -> str | None:
    """Return the part to which contexts go that this one needs no more; None where there is none."""
    after = PARTS[: PARTS.index(part)][::-1]
    return next((each for each in after if division.sizes[PARTS.index(each)]), None)


def _drawn_and_final(campaign: BoundCampaign) -> tuple[dict[str, str], dict[str, str]]:
    """Return the parts by context id as they were drawn, and with the contexts on which exclusive writers wrote."""
    store, divisions = campaign.store, campaign.divisions
    texts, kept = store.campaigns.texts(campaign.id), store.campaigns.parts(campaign.id)
    drawn = divide(texts, kept, (), divisions)
    if not any(each.may_move for each in divisions.values()):
        return drawn, drawn
    return drawn, divide(texts, kept, store.attempts.writers(campaign.id), divisions)


class Placement:
    """The places of a campaign's attempts, with what other people say of them; without the work of the revoked.

    An export and a report that are made of the same placement say the same.
    """

    def __init__(self, campaign: BoundCampaign, validation: Validation = NOT_VALIDATED) -> None:
        self.campaign = campaign
        self._revoked = campaign.store.standings.discarded(campaign.id)
        self.validation = validation.without(self._revoked)
        self._store = campaign.store
        self._dataset = campaign.kind.dataset
        self._divisions = campaign.divisions
        self._drawn_part_of, self._asked_part_of = _drawn_and_final(campaign)
        self.part_of = dict(self._asked_part_of)
        self._surplus = self._fit()

    def attempts(self) -> Iterator[Placed]:
        """Yield every attempt with its place, in the store's order."""
        for row, outcome in self._with_outcomes(self._store.attempts.of_campaign(self.campaign.id)):
            found, dropped = self._before_balance(row, outcome)
            if dropped is None and row.attempt.id in self._surplus:
                dropped = SURPLUS
            if dropped is None and row.attempt.id in self._left_out:
                dropped = UNBALANCED
            yield self._placed(row, found, dropped, outcome)

    def _placed(
        self, row: AttemptInCampaign, found: Example | None, dropped: str | None, outcome: Outcome | None
    ) -> Placed:
        writer, number, context_id = row.assignment.worker, row.hit.round, row.hit.context.id
        part = self.part_of[context_id]
        return Placed(
            row,
            found,
            dropped,
            part,
            self._divisions[number].is_exclusive(writer),
            outcome,
            self.part_by(context_id, number),
            self.discarded_by(writer),
            self._asked_part_of[context_id] in self.validation.parts.get(number, ()),
            self.campaign.is_adaptive,
            self._tries_left(row),
        )

    def _tries_left(self, row: AttemptInCampaign) -> int | None:
        tries = self.campaign.rounds[row.hit.round].terms.max_tries(row.assignment.arm)
        return None if tries is None else max(0, tries - row.attempt.ordinal)

    def part_by(self, context_id: str, number: int) -> str:
        """Return how a context of a round came into its part."""
        asked = self._asked_part_of[context_id]
        if self.part_of[context_id] != asked:
            return SIZED
        if asked != self._drawn_part_of[context_id]:
            return MOVED
        return DRAWN if self.campaign.rounds[number].terms.dataset.splits is None else HANDED_IN

    def discarded_by(self, writer: str) -> str | None:
        """Return who has all work of a writer discarded; None where nobody has."""
        if writer in self._revoked:
            return BY_REVIEWER
        return BY_VOTES if writer in self.validation.discarded_workers else None

    def _with_outcomes(self, rows: Iterable[AttemptInCampaign]) -> Iterator[tuple[AttemptInCampaign, Outcome | None]]:
        for some in batched(rows, BATCH_ATTEMPTS):
            outcomes = self.validation.outcomes([row.attempt.id for row in some])
            for row in some:
                yield row, outcomes.get(row.attempt.id)

    def _fit(self) -> frozenset[str]:
        """Move contexts that test, and then dev, need no more. Return the examples that a part has too many of."""
        surplus: set[str] = set()
        sections = {number: each.terms.dataset for number, each in self.campaign.rounds.items()}
        if not any(each.examples for each in sections.values()):
            return frozenset()
        texts = self._store.campaigns.texts(self.campaign.id)
        key_of = {text.id: text_key(text.text) for of_round in texts.values() for text in of_round}
        written = self._store.attempts.writers(self.campaign.id)
        for part in (TEST, DEV):
            sized = {number for number, each in sections.items() if part in each.examples}
            for number, examples in self._eligible(part, sized, key_of).items():
                division = self._divisions[number]
                drawn = draw_contexts(texts.get(number, []), division.seed, len(key_of))
                mine = dict.fromkeys(key_of[each.id] for each in drawn if self.part_of[each.id] == part)
                after = _part_after(part, division) if sections[number].splits is None else None
                fixed = {key_of[context_id] for context_id, writer in written if division.is_exclusive(writer)}
                found = self._fitted(number, part, examples, list(mine), mine.keys() - fixed if after else set())
                surplus |= found.surplus
                self.part_of |= {each.id: after for each in drawn if after and key_of[each.id] in found.leaving}
        return frozenset(surplus)

    def _fitted(
        self, number: int, part: str, examples: Sequence[Eligible], contexts: Sequence[bytes], may_leave: set[bytes]
    ) -> Fit:
        """Return what leaves a part with a size; of a balanced one contexts all of whose examples are left out."""
        section, seed = self.campaign.rounds[number].terms.dataset, self._divisions[number].seed
        if part in section.balanced:
            left_out = self._balanced([(number, part)])[number, part].left_out
            kept = {one.context for one in examples if one.id not in left_out}
            return Fit(frozenset(one.context for one in examples if one.context in may_leave - kept))
        most_exclusive = section.most_exclusive if part == TEST else None
        wanted = section.examples[part]
        return fit(examples, contexts, wanted, most_exclusive=most_exclusive, may_leave=may_leave, seed=seed)

    def _eligible(self, part: str, rounds: Collection[int], key_of: Mapping[str, bytes]) -> dict[int, list[Eligible]]:
        """Return what might be examples of a part of these rounds, by round."""
        found: dict[int, list[Eligible]] = {number: [] for number in rounds}
        for row, outcome in self._with_outcomes(self._store.attempts.kept(self.campaign.id)) if rounds else ():
            made, dropped = self._before_balance(row, outcome)
            if made is not None and dropped is None and made.part == part and made.round in found:
                found[made.round].append(Eligible(made.id, key_of[made.context.id], made.exclusive))
        return found

    @cached_property
    def balances(self) -> dict[tuple[int, str], Balance]:
        """Return the balance of each part of a round that is to be balanced."""
        divisions = self._divisions.items()
        return self._balanced([(number, part) for number, each in divisions for part in sorted(each.balanced)])

    def _balanced(self, places: Collection[tuple[int, str]]) -> dict[tuple[int, str], Balance]:
        """Return the balance of some parts of rounds."""
        strata: dict[tuple[int, str], dict[str, Stratum]] = {place: {} for place in places}
        exclusive: set[str] = set()
        for row, outcome in self._with_outcomes(self._store.attempts.kept(self.campaign.id)) if strata else ():
            found, dropped = self._before_balance(row, outcome)
            if found is not None and dropped is None and (found.round, found.part) in strata:
                strata[found.round, found.part][found.id] = stratum(found, self._dataset)
                if found.exclusive:
                    exclusive.add(found.id)
        return {
            (number, part): balance(
                of_part, self._dataset, self._divisions[number].seed, self._size(number, part, exclusive)
            )
            for (number, part), of_part in strata.items()
        }

    def _size(self, number: int, part: str, exclusive: Collection[str]) -> Size | None:
        """Return the size that a balanced part is to have; None for any."""
        section = self.campaign.rounds[number].terms.dataset
        if part not in section.examples:
            return None
        return Size(section.examples[part], exclusive, section.exclusive_test_share if part == TEST else None)

    @cached_property
    def _left_out(self) -> frozenset[str]:
        return frozenset(name for each in self.balances.values() for name in each.left_out)

    def _before_balance(self, row: AttemptInCampaign, outcome: Outcome | None) -> tuple[Example | None, str | None]:
        excluded = self._excluded(row)
        if excluded is not None:
            return None, excluded
        part = self.part_of[row.hit.context.id]
        return example(row, part, outcome, self._divisions[row.hit.round]), self._dropped(row, part, outcome)

    def _excluded(self, row: AttemptInCampaign) -> str | None:
        """Return the reason why an attempt belongs to no part of the dataset; None when it is in its context's."""
        discarded = row.assignment.worker in self.validation.discarded_workers
        return uncounted(row.assignment) or (DISCARDED if discarded else None)

    def _dropped(self, row: AttemptInCampaign, part: str, outcome: Outcome | None) -> str | None:
        if row.attempt.retracted:
            return "retracted"
        if row.attempt.doubted and not row.attempt.admitted:
            return DOUBTFUL if row.attempt.admitted is None else REJECTED
        if not row.attempt.fooled or (outcome is not None and outcome.adjudication.model_right):
            return None if part in self._dataset.parts_with_model_right else "model_right"
        validity = None if outcome is None else outcome.validity
        if self.validation.keeps(validity, row.hit.round, part):
            return None
        return validity.value if validity else NOT_LOOKED_AT
