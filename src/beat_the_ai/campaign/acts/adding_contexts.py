"""Add contexts to the writing of the current round while it goes on: previewed, then offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from beat_the_ai.campaign.acts.act import Actor, Estimate, Place, Report
from beat_the_ai.campaign.acts.contexts_file import ContextsFile, Fault, read_contexts
from beat_the_ai.campaign.acts.terms import PlannedChange, change, present
from beat_the_ai.campaign.settings.changes import closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.contexts.draw import same_text
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage

SHOWN = 5  # faults in a message
NOT_BEGUN = "The writing of this round was never launched. Name its contexts when you launch it: contexts=FILE."


class ContextsPreview(BaseModel):
    """A file of contexts against those of the campaign.

    `new` contexts would be offered. `there` are in the campaign already, and `repeated` stand in the file before or in
    the campaign under another name. With `faults` nothing is offered. `estimate` is None if nothing can be.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str
    new: int
    there: int
    repeated: int
    faults: tuple[Fault, ...]
    estimate: Estimate | None


@dataclass(frozen=True)
class _Sorted:
    new: Sequence[Context]
    there: int
    repeated: int
    faults: Sequence[Fault]


class AddContexts(BaseModel):
    """Offer the contexts of a file or folder on this machine, as `contexts=FILE` reads it. Those on offer stay.

    `sha256` is of the file that was previewed, if one was: another content is refused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "add_contexts"

    file: Path
    sha256: str | None = None

    def preview(self, place: Place) -> ContextsPreview:
        """Return what the file would add, with all faults by line. Raises `Refused` if nothing can be added."""
        _, settings = present(place)
        read = self._read(settings)
        found = _sorted(place, read)
        offers = bool(found.new) and not found.faults
        return ContextsPreview(
            sha256=read.sha256,
            new=len(found.new),
            there=found.there,
            repeated=found.repeated,
            faults=tuple(found.faults),
            estimate=self._plan(place, read).estimate() if offers else None,
        )

    def estimate(self, place: Place) -> Estimate | None:
        """Return None if no context is new. Raises `InvalidInput` for faults in the file, and `Refused`."""
        _, settings = present(place)
        planned = self._plan(place, self._read(settings))
        return planned.estimate() if planned.planned.added else None

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        _, settings = present(place)
        read, words = self._read(settings), settings.kind.words
        done = change(lambda: self._plan(place, read), actor, self.action, agreed_cents)
        if done is None:
            return Report(has_changed=False, told=f"All {words.contexts} of the file are in the campaign already.")
        number = len(done[0].planned.added)
        return Report(has_changed=True, told=f"{number:,} new {words.contexts} are offered.")

    def _read(self, settings: Settings) -> ContextsFile:
        read = read_contexts(settings.kind.writing, self.file)
        check_previewed(self.file, read, self.sha256)
        return read

    def _plan(self, place: Place, read: ContextsFile) -> PlannedChange:
        mark, settings = present(place)
        check_offers(PlannedRound(place.store, settings))
        found = _sorted(place, read)
        if found.faults:
            more = "" if len(found.faults) <= SHOWN else f"\n  and {len(found.faults) - SHOWN} more"
            shown = "".join(f"\n  {fault}" for fault in found.faults[:SHOWN])
            raise InvalidInput("contexts", f"{self.file.name} cannot be offered; nothing was changed.{shown}{more}")
        return PlannedChange.of(PlannedRound(place.store, _with_more(settings, len(found.new)), found.new), mark)


def check_previewed(file: Path, read: ContextsFile, sha256: str | None) -> None:
    """Raise `Refused` for a file with another content than the one that was previewed, if one was."""
    if sha256 not in (None, read.sha256):
        raise Refused(f"{file.name} is not the file that was previewed. Preview it again.")


def check_offers(planned: PlannedRound) -> None:
    """Raise `Refused` unless the writing of a round has begun and goes on."""
    if planned.is_closed:
        raise Refused(closed_stage(Stage.WRITING, planned.settings))
    if Stage.WRITING not in planned.begun_stages():
        raise Refused(NOT_BEGUN)


def _with_more(settings: Settings, contexts: int) -> Settings:
    """Return settings that offer so many contexts more."""
    most = settings.round.max_hits
    if most is None:
        return settings
    more = most + contexts * settings.round.hits_per_context
    return settings.model_copy(update={"round": settings.round.model_copy(update={"max_hits": more})})


def _sorted(place: Place, read: ContextsFile) -> _Sorted:
    """Compare the contexts of a file with those of all rounds. The same text is the same context, whatever its id."""
    by_round = place.store.campaigns.texts(place.campaign_id)
    text_of = {each.id: same_text(each.text) for of_round in by_round.values() for each in of_round}
    texts = set(text_of.values())
    new: list[Context] = []
    there, repeated, faults = 0, 0, list(read.faults)
    for context in read.contexts:
        text = same_text(context.text)
        if context.id in text_of:
            there += 1
            if text_of[context.id] != text:
                message = f"The campaign has the id {context.id[:80]!r} with another text. Choose another id."
                faults.append(Fault(place="the file", message=message))
        elif text in texts:
            repeated += 1
        else:
            texts.add(text)
            new.append(context)
    return _Sorted(new, there, repeated, faults)
