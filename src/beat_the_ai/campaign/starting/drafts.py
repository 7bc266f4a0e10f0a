"""Drafts of campaigns, each in a private folder of its own: the choices, a file of contexts, the rehearsal.

A change is on disk before it is acknowledged. It is made under a lock, which other consoles of the same folder see.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from beat_the_ai.errors import InvalidInput, Refused, UnknownName, first_fault
from beat_the_ai.files.atomic_write import replacing, sync_folder
from beat_the_ai.files.permissions import make_private_folder
from beat_the_ai.process.job import jobs_in
from beat_the_ai.store import now

ID = re.compile(r"[0-9a-f]{16}")
MOST = 100
FILE, LOCK, JOBS = "draft.json", "lock", "jobs"
TOO_MANY = f"There are {MOST} drafts. Discard some before you begin another one."
CHANGED = "Somebody else has changed this draft meanwhile, or you have in another tab. Reload the page to see it."
UNREADABLE = "{} cannot be read: {} Restore it from a backup, or discard the draft."
LAUNCHED = "This draft was launched as {!r}, and does not change any more."

Text = Annotated[str, Field(max_length=300)]


class NoDraft(UnknownName):
    """A draft that is not there."""

    def __init__(self, draft_id: str) -> None:
        message = f"There is no draft {draft_id[:80]!r}: it was discarded. Begin another one."
        InvalidInput.__init__(self, "draft", message)


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choices(_Kept):
    """The choices for a campaign, as texts that a person has written. An empty one leaves what the task has.

    `task`, `preset` and `model` are names. Amounts are in the unit of the crowd. `minutes` is how long a HIT takes;
    `hourly` is the pay by the hour that the reward is worked out from. `pilot` is a campaign of the console, by its
    key, to forecast from; empty for the rehearsal. `others` are KEY=VALUE, one a line.
    """

    task: Text
    name: Text = ""
    preset: Text = ""
    model: Text = ""
    crowd: Text = "own"
    has_file: bool = False
    has_consent: bool = False
    reward: Text = ""
    hits: Text = ""
    cap: Text = ""
    hourly: Text = ""
    minutes: Text = ""
    pilot: Text = ""
    workspace: Text = ""
    person: Text = ""
    finish_url: Text = ""
    done: Text = ""
    others: Annotated[str, Field(max_length=10_000)] = ""


class KeptContexts(_Kept):
    """A file of contexts that lies with the draft."""

    name: str
    sha256: str
    number: int


class Draft(_Kept):
    """A draft. Each change of its choices or its file has a new `revision`.

    `campaign` is what it was launched as; None before. `told` reports that in words, once its first stage was opened.
    """

    id: str
    by: str
    changed_at: datetime
    revision: int = 1
    choices: Choices
    contexts: KeptContexts | None = None
    campaign: str | None = None
    told: str | None = None

    @property
    def name(self) -> str:
        """The name of its campaign, as it was written: perhaps none that can be."""
        return self.choices.name.strip()

    def check_revision(self, revision: int) -> None:
        """Raise `Refused` unless this is the revision that somebody has seen."""
        if self.revision != revision:
            raise Refused(CHANGED)


@dataclass(frozen=True)
class Unreadable:
    """A draft whose file cannot be read, with its fault in words."""

    id: str
    fault: str


@dataclass(frozen=True)
class Listed:
    """The drafts of a folder, the one that was changed last first, and those that cannot be read."""

    drafts: Sequence[Draft]
    unreadable: Sequence[Unreadable]


@dataclass(frozen=True)
class Drafts:
    """The drafts in a folder."""

    folder: Path

    def listed(self) -> Listed:
        """Return all drafts."""
        drafts, unreadable = list[Draft](), list[Unreadable]()
        for draft_id in self._ids():
            try:
                drafts += filter(None, [self._read(draft_id)])
            except InvalidInput as error:
                unreadable.append(Unreadable(draft_id, str(error)))
        return Listed(sorted(drafts, key=lambda draft: draft.changed_at, reverse=True), unreadable)

    def get(self, draft_id: str) -> Draft:
        """Raise `UnknownName` for an id of none, and `InvalidInput` for a draft that cannot be read."""
        draft = self._read(draft_id)
        if draft is None:
            raise NoDraft(draft_id)
        return draft

    def begin(self, request: str, choices: Choices, by: str) -> Draft:
        """Return the draft of a request, which is begun unless it is there. Raises `Refused` if there are too many."""
        draft_id = hashlib.sha256(request.encode()).hexdigest()[:16]
        make_private_folder(self.folder)
        with self._locked(self.folder):
            if (known := self._read(draft_id)) is not None:
                return known
            if len(self._ids()) >= MOST:
                raise Refused(TOO_MANY)
            make_private_folder(self.place(draft_id))
            sync_folder(self.folder)
            return self._write(Draft(id=draft_id, by=by, changed_at=now(), choices=choices))

    def change(self, draft_id: str, by: str, revision: int, update: Callable[[Draft], Draft]) -> Draft:
        """Return the draft with an update. Raises `Refused` if it has another revision by now, or was launched."""
        with self.locked(draft_id) as draft:
            if draft.campaign is not None:
                raise Refused(LAUNCHED.format(draft.campaign))
            draft.check_revision(revision)
            changed = {"by": by, "changed_at": now(), "revision": revision + 1}
            return self._write(update(draft).model_copy(update=changed))

    def keep_launched(self, draft: Draft, told: str | None = None) -> Draft:
        """Keep that a draft was launched, and the report of that. The caller has it locked."""
        return self._write(draft.model_copy(update={"campaign": draft.name, "told": told}))

    def discard(self, draft_id: str) -> None:
        """Remove a draft, readable or not, with all that lies with it. Raises `Refused` while a job of it runs."""
        if draft_id not in self._ids():
            raise NoDraft(draft_id)
        with self._locked(self.place(draft_id)):
            if any(each.stands == "running" for each in jobs_in(self.place(draft_id) / JOBS)):
                raise Refused("A job of this draft runs. Stop it, or wait until it has ended. Then discard the draft.")
            shutil.rmtree(self.place(draft_id))

    @contextmanager
    def locked(self, draft_id: str) -> Iterator[Draft]:
        """Yield a draft that nobody else changes or launches meanwhile. Raises as `get`."""
        self.get(draft_id)
        with self._locked(self.place(draft_id)):
            yield self.get(draft_id)

    def place(self, draft_id: str) -> Path:
        """Return the folder of a draft. Raises `UnknownName` for what is no id."""
        if not ID.fullmatch(draft_id):
            raise NoDraft(draft_id)
        return self.folder / draft_id

    @contextmanager
    def _locked(self, folder: Path) -> Iterator[None]:
        with (folder / LOCK).open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _ids(self) -> list[str]:
        """Return the ids of all drafts. A folder without a file is one that was being begun or removed."""
        return sorted(path.parent.name for path in self.folder.glob(f"*/{FILE}") if ID.fullmatch(path.parent.name))

    def _read(self, draft_id: str) -> Draft | None:
        """Return None where there is no draft. Raises `InvalidInput` for one that cannot be read."""
        path = self.place(draft_id) / FILE
        try:
            return Draft.model_validate_json(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            reason = f"{error.strerror}."
        except ValidationError as error:
            fault = first_fault(error, "the file")
            reason = f"{fault.place}: {fault.reason}. It was cut off, or is of another version."
        raise InvalidInput("draft", UNREADABLE.format(path.relative_to(self.folder.parent), reason))

    def _write(self, draft: Draft) -> Draft:
        with replacing(self.place(draft.id) / FILE) as file:
            file.write(draft.model_dump_json(indent=1).encode())
        return draft
