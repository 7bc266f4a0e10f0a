"""A round as its settings plan it: the contexts and HITs that it offers already, and those that it would offer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from beat_the_ai.adversary.training_texts import number_trained_on
from beat_the_ai.campaign.settings.changes import closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.splits import handed_in
from beat_the_ai.contexts.draw import draw_contexts, draw_in_balance, same_text
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Offering, Store
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.terms.division import divide


class PlannedRound:
    """The round of some settings, and the store of its campaign, which may not be in there yet.

    It would offer the contexts in `added` too.
    """

    def __init__(self, store: Store, settings: Settings, added: Sequence[Context] = ()) -> None:
        self.store = store
        self.settings = settings
        self.added = added

    @property
    def campaign(self) -> BoundCampaign | None:
        """The campaign as the store has it now, if it has begun."""
        return BoundCampaign.find(self.store, self.settings.name)

    @property
    def number(self) -> int:
        return self.settings.round.number

    @property
    def is_closed(self) -> bool:
        return self.store.rounds.is_closed(self.settings.name, self.number)

    def contexts(self) -> list[Context]:
        """Return the contexts of the round in the order in which HITs are offered, those on offer and missing ones.

        New contexts are drawn from the file, without those of other rounds: a context never crosses rounds. A closed
        round keeps those it has. Raises `Refused` where there are none.
        """
        settings, by_round = self.settings, self.store.campaigns.contexts(self.settings.name)
        offered = by_round.pop(self.number, [])
        there = {context.id for context in offered}
        offered += [context for context in self.added if context.id not in there]
        if self.is_closed:
            if not offered:
                raise Refused(closed_stage(Stage.WRITING, settings))
            return draw_contexts(offered, settings.seed, len(offered))
        others = [context for contexts in by_round.values() for context in contexts]
        ids = {context.id for context in (*offered, *others)}
        texts = {same_text(context.text) for context in others}
        in_file = load_contexts(settings)
        new = [context for context in in_file if context.id not in ids and same_text(context.text) not in texts]
        wanted = -(-number_of_hits(settings, [*offered, *new]) // settings.round.hits_per_context)
        if not offered and not new:
            raise Refused(
                f"Every context of {settings.contexts} belongs to another round of this campaign, and a context never "
                "crosses rounds. Name other contexts: contexts=FILE."
            )
        missing = max(0, wanted - len(offered))
        drawn = [*offered, *draw_in_balance(new, settings.seed, missing, settings.kind.genre)]
        return draw_contexts(drawn, settings.seed, len(drawn))

    def offering(self) -> Offering:
        """Return the contexts of the round with their HITs, those on offer and missing ones. Raises as `contexts`."""
        contexts, section = self.contexts(), self.settings.round
        most = number_of_hits(self.settings, contexts)
        return Offering(contexts, self.number, section.hits_per_context, most, self.prompt, self.parts(contexts))

    def check_contexts(self) -> None:
        """Check before the round is opened that its file gives no context of an earlier round another name.

        The file itself may be an earlier round's. Raises `InvalidInput` for a text of an earlier round under another
        id, and for such an id with another text.
        """
        by_round = self.store.campaigns.contexts(self.settings.name)
        text_of = {context.id: same_text(context.text) for contexts in by_round.values() for context in contexts}
        ids_of: dict[str, set[str]] = defaultdict(set)
        for name, text in text_of.items():
            ids_of[text].add(name)
        for context in load_contexts(self.settings):
            text = same_text(context.text)
            if context.id in text_of and text_of[context.id] != text:
                fault = f"the id {context.id!r}, with another text"
            elif text in ids_of and context.id not in ids_of[text]:
                fault = f"the text of {context.id!r}, as {min(ids_of[text])!r}"
            else:
                continue
            raise InvalidInput(
                "contexts",
                f"An earlier round of this campaign has {fault}, and a context never crosses rounds. Leave it out of "
                f"{self.settings.contexts}; `beat-the-ai contexts --not-in OUT` chooses others.",
            )

    def prompt(self, context: Context, slot: int) -> Mapping[str, Any]:
        """Return the prompt of a HIT, as the kind of task has it."""
        return self.settings.kind.writing.brief(context, slot, self.settings.seed)

    def slots(self, contexts: Sequence[Context]) -> list[tuple[str, int]]:
        """Return the round's HITs as `(context id, slot)`, in the order in which they are offered."""
        section = self.settings.round
        slots = [(context.id, slot) for slot in range(section.hits_per_context) for context in contexts]
        return slots[: section.max_hits]

    def parts(self, contexts: Sequence[Context]) -> dict[str, str]:
        """Return `{context id: part}` with these contexts of the round, as if nobody had written anything."""
        settings, campaigns = self.settings, self.store.campaigns
        by_round = {**campaigns.contexts(settings.name), self.number: contexts}
        division, kept = settings.dataset.division(settings.seed), campaigns.parts(settings.name)
        if settings.dataset.splits is not None:
            kept |= handed_in(settings.dataset.splits, contexts, kept)
        return divide(by_round, kept, [], dict.fromkeys(by_round, division))

    def part_sizes(self) -> Counter[str]:
        """Return the number of the round's contexts in each part, as if nobody's work had moved any."""
        contexts = self.contexts()
        part_of = self.parts(contexts)
        return Counter(part_of[context.id] for context in contexts)

    def discarded_contexts(self) -> list[str]:
        """Return the contexts whose HITs are all done and whose work is all discarded or erased."""
        store, name = self.store, self.settings.name
        offered = store.campaigns.offered(name, self.number)
        counting = store.attempts.done_hits(name)
        waiting = {context_id for hit, context_id in offered.items() if hit not in counting}
        discarded = store.standings.discarded(name)
        writers = store.attempts.writers(name)
        gone = {context_id for context_id, worker in writers if worker in discarded}
        gone |= store.attempts.without_writer(name)
        kept = {context_id for context_id, worker in writers if worker not in discarded}
        return sorted((gone - kept - waiting) & set(offered.values()))

    def begun_stages(self) -> set[Stage]:
        """Return the stages that have begun, whose terms are fixed; the screening is the whole campaign's."""
        campaign = self.campaign
        if campaign is None:
            return set()
        begun = {Stage(name) for name in self.store.rounds.get(campaign.id, self.number).frozen}
        samples = campaign.samples
        return begun | {Stage.SCREENING} if samples is not None and samples.current.record.frozen else begun

    def closed_stages(self) -> set[Stage]:
        """Return the stages that offer no more HITs; validation ends by itself and is none of them."""
        name, rounds = self.settings.name, self.store.rounds
        closed = {Stage.SCREENING} if rounds.is_closed(sample_campaign_id(name), 1) else set()
        return closed | {Stage.WRITING} if self.is_closed else closed


def load_contexts(settings: Settings) -> list[Context]:
    """Return all contexts of the file that the settings name."""
    return settings.kind.writing.load_contexts(settings.contexts)


def number_of_hits(settings: Settings, contexts: Sequence[Context]) -> int:
    """Return how many HITs the settings offer on these contexts."""
    everything = len(contexts) * settings.round.hits_per_context
    return min(settings.round.max_hits or everything, everything)


def warnings_of_training_texts(settings: Settings) -> list[str]:
    """Return a warning for each adversary that was trained on some of the contexts, as far as that is known."""
    texts = [context.text for context in load_contexts(settings)]
    number_of = {member: number_trained_on(member, texts) for member in settings.adversary.members}
    return [
        f"{member} was trained on {number:,} of the {len(texts):,} contexts in {settings.contexts.name}. It is hard to "
        "beat on them, and little will be left to train on. Name others: contexts=FILE."
        for member, number in number_of.items()
        if number
    ]
