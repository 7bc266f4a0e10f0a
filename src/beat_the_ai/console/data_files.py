"""The files that acts write of a campaign's data, as requesters see them, and the download of its export."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from starlette.responses import Response, StreamingResponse

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.backup.latest import latest_backup
from beat_the_ai.console import act_views as views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.doors import Guest
from beat_the_ai.errors import UnknownName
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.review.visits import Guard, GuardedRoute, Visit, view
from beat_the_ai.rules.roles import Right

CHUNK_BYTES = 2**16
RENEWED_SECONDS = 2.0
Find = Callable[[Visit[Guest]], tuple[Watched, Reviewer]]


class DataFilesApi:
    """The endpoints of data files. `find` returns the campaign that a visit asks for."""

    def __init__(self, find: Find, guard: Guard[Guest]) -> None:
        self._find = find
        self._guard = guard

    def routes(self) -> list[GuardedRoute]:
        return [
            self._guard.shown("/acts/data-files", Right.ACT, self.files),
            self._guard.shown("/acts/export", Right.ACT, self.download),
        ]

    def files(self, visit: Visit[Guest]) -> Response:
        """Answer with the newest export and the newest backup."""
        watched, _ = self._find(visit)
        folder = watched.folder
        if folder is None:
            return view(views.DataFiles(export=None, backup=None, jobs=(), again_seconds=None))
        return view(_files(Place(watched.store, watched.id, folder), folder))

    def download(self, visit: Visit[Guest]) -> Response:
        """Answer with the newest export. Raises `UnknownName` while there is none."""
        watched, _ = self._find(visit)
        path = None if watched.folder is None else _acts().export_file(watched.folder)
        if path is None or not path.is_file():
            raise UnknownName("export", watched.id, [])
        file = path.open("rb")  # the next export replaces the name alone
        headers = {
            "Content-Length": str(os.fstat(file.fileno()).st_size),
            "Content-Disposition": f'attachment; filename="{watched.id}.zip"',
        }
        return StreamingResponse(_chunks(file), media_type="application/zip", headers=headers)


def _files(place: Place, folder: Path) -> views.DataFiles:
    acts = _acts()
    export, backup, jobs = acts.export_file(folder), latest_backup(folder), acts.data_jobs(place)
    runs = any(each.stands == "running" for each in jobs)
    shown = None
    if export.is_file():
        stat = export.stat()
        shown = views.ExportFile(at=datetime.fromtimestamp(stat.st_mtime, timezone.utc), bytes=stat.st_size)
    return views.DataFiles(
        export=shown,
        backup=None if backup is None else views.BackupFile(at=backup.made_at, name=Path(backup.path).name),
        jobs=tuple(map(views.Job.model_validate, jobs)),
        again_seconds=RENEWED_SECONDS if runs else None,
    )


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _acts() -> ModuleType:
    """Return the module that loads Mephisto, which takes a second."""
    from beat_the_ai.campaign.acts import data_files

    return data_files
