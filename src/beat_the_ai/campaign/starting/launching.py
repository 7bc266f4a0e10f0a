"""The launch of a draft: its campaign's folder appears whole or not at all, then its first stage is opened, once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.campaign.acts.act import Actor, Place, Report
from beat_the_ai.campaign.acts.jobs import OpenStage
from beat_the_ai.campaign.acts.terms import check_consent, present
from beat_the_ai.campaign.models.check import KEPT as KEPT_CHECKS
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.campaign.starting.drafts import Draft
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.campaign.starting.planning import (
    CONTEXTS,
    Plan,
    asked_estimate,
    contexts_of,
    first_stage,
    plan_of_draft,
    yaml_of,
)
from beat_the_ai.campaign.starting.values import Values
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.atomic_write import copy_file, replacing, sync_folder
from beat_the_ai.files.permissions import PRIVATE, make_private, make_private_folder
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.locate import private_folder, store_file

YAML_FILE = "campaign.yaml"
MARK = "draft"  # the file in a campaign's private folder that names the draft that it comes from
PREPARED = "campaign"


@dataclass(frozen=True)
class Launch:
    """The launch of drafts. `admit` lets the person who launches into the new campaign's store."""

    ground: Ground
    actor: Actor
    admit: Callable[[Store], None]

    def launch(self, draft_id: str, revision: int, agreed_cents: int | None) -> tuple[str, str]:
        """Begin the campaign of a draft, and open its first stage in a process of its own. Return name and report.

        Whoever launches it again, here or in another console, gets the same report. Raises `Refused` for a draft with
        faults or of another revision, for more than was agreed to, and as `OpenStage`.
        """
        drafts = self.ground.drafts
        with drafts.locked(draft_id) as draft:
            if draft.told is not None:
                return draft.name, draft.told
            if not self._has_begun(draft):
                draft.check_revision(revision)
                self._begin(draft, plan_of_draft(self.ground, draft, self.actor), agreed_cents)
            if draft.campaign is None:
                draft = drafts.keep_launched(draft)
            report = self._open(self.ground.out(draft.name).resolve(), draft.name, agreed_cents)
            drafts.keep_launched(draft, report.told)
            return draft.name, report.told

    def _begin(self, draft: Draft, plan: Plan, agreed_cents: int | None) -> None:
        plan.checked()
        estimate = asked_estimate(plan)
        check_consent(estimate, agreed_cents)
        if estimate.refusal is not None:
            raise Refused(estimate.refusal)
        prepared = self._prepared(draft, plan)
        out = self.ground.out(draft.name)
        try:
            prepared.rename(out)
        except OSError as error:
            raise InvalidInput("name", f"{out.name} is there already. Choose another name.") from error
        sync_folder(out.parent)

    def _prepared(self, draft: Draft, plan: Plan) -> Path:
        """Return a new folder with everything that the campaign begins with."""
        place = self.ground.drafts.place(draft.id)
        folder, kept = place / PREPARED, contexts_of(self.ground, draft)
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
        private = private_folder(folder)
        (private / MARK).write_text(draft.id, encoding="utf-8")
        if kept is not None:
            make_private_folder(private / CONTEXTS)
            copy_file(kept, private / CONTEXTS / kept.name)
        for name in (KEPT_FORECAST.name, KEPT_CHECKS.name):
            if (place / name).is_file():
                copy_file(place / name, folder / name)
        with replacing(private / YAML_FILE) as file:  # a recruiter's codes are in it
            file.write(yaml_of(self.ground, draft, plan).encode())
        overrides = Values(self.ground, draft.choices, self.actor, kept).overrides()
        for path in private.rglob("*"):
            make_private(path)
        settings = read_settings(self.ground.task(draft.choices.task), overrides, out=folder)
        if kept is not None:
            settings = settings.model_copy(update={"contexts": self._private(draft) / CONTEXTS / kept.name})
        with closing(open_store(settings.store.url)) as store:
            begin_or_resume(PlannedRound(store, settings))
            self.admit(store)
        return folder

    def _has_begun(self, draft: Draft) -> bool:
        """Return whether the draft's campaign is in its folder."""
        mark = self._private(draft) / MARK
        return draft.campaign is not None or (mark.is_file() and mark.read_text(encoding="utf-8") == draft.id)

    def _private(self, draft: Draft) -> Path:
        return self.ground.out(draft.name).resolve() / PRIVATE

    def _open(self, out: Path, name: str, agreed_cents: int | None) -> Report:
        file = store_file(out)
        if file is None:
            raise Refused(f"The campaign {name!r} was launched before, and its folder is gone.")
        with closing(open_store(str(file))) as store:
            place = Place(store, name, out)
            _, settings = present(place)
            return OpenStage(stage=first_stage(settings)).do(place, self.actor, agreed_cents)
