"""Acts that write a campaign's data: its export, for requesters to download, and a backup in the server's folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from beat_the_ai.campaign.acts.act import Actor, Place, Report
from beat_the_ai.campaign.acts.jobs import job_of, jobs_of, start_job
from beat_the_ai.campaign.backup.making import FOLDER_VARIABLE
from beat_the_ai.errors import Refused
from beat_the_ai.files.permissions import make_private_folder
from beat_the_ai.process.job import JobState
from beat_the_ai.store.audit import BACKED_UP, EXPORTED
from beat_the_ai.terms.locate import EXPORTS, private_folder

EXPORT_FILE = "export.zip"
NO_FOLDER = f"Set {FOLDER_VARIABLE} to a private folder for backups where the console is started."


class Export(BaseModel):
    """Export the dataset into one file in the campaign's private folder, as `export` does."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = EXPORTED
    job: ClassVar[str] = "export"

    def estimate(self, place: Place) -> None:
        """Return None: it costs nothing. Raises `Refused` without the campaign's folder."""
        _ = place.out

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        file, job = export_file(place.out), job_of(place.out, self.job)
        make_private_folder(file.parent)
        with job.kept_idle() as is_idle:
            for draft in file.parent.glob(f".{file.name}.*") if is_idle else ():  # of one that was killed
                shutil.rmtree(draft, ignore_errors=True)
        arguments = ["export", str(place.out), "--out", str(file)]
        deed = actor.deed(self.action, place.campaign_id, file.name)
        return start_job(job, arguments, place, deed, "The export")


class BackUp(BaseModel):
    """Make a backup in the folder that the environment of this server names, as `backup` does."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = BACKED_UP
    job: ClassVar[str] = "backup"

    def estimate(self, place: Place) -> None:
        """Return None: it costs nothing. Raises `Refused` without the campaign's folder, or one for backups."""
        _ = place.out, _backup_folder()

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        to = _backup_folder()
        deed = actor.deed(self.action, place.campaign_id, to.name)
        arguments = ["backup", str(place.out), "--to", str(to)]
        return start_job(job_of(place.out, self.job), arguments, place, deed, "The backup")


def export_file(out: Path) -> Path:
    """Return the file that `Export` writes."""
    return private_folder(out) / EXPORTS / EXPORT_FILE


def data_jobs(place: Place) -> list[JobState]:
    """Return how the export and the backup stand, as far as they were ever started."""
    return [each for each in jobs_of(place) if each.name in (Export.job, BackUp.job)]


def _backup_folder() -> Path:
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise Refused(NO_FOLDER)
    return Path(folder).absolute()
