"""The trials among all attempts: those by which it is told how hard a model is to beat."""

from __future__ import annotations

from pydantic import BaseModel

from beat_the_ai.dataset.names import BY_REVIEWER, DISCARDED


def is_trial(*, retracted: bool, in_part: bool, dropped: str | None, discarded_by: str | None) -> bool:
    """Return whether an attempt is a `Trial`: it was not taken back, it counts, and no reviewer has revoked its writer.

    `in_part`: it belongs to a part, in the dataset or not. Work that is discarded for what others say of it was tried,
    too. The other two are as in an export's table of attempts.
    """
    counts = in_part or dropped == DISCARDED
    return counts and not retracted and discarded_by != BY_REVIEWER


class TriedRow(BaseModel):
    """The columns of an export's attempts that tell whether one is a trial."""

    retracted: bool
    part: str | None = None
    dropped: str | None = None
    discarded_by: str | None = None

    @property
    def is_trial(self) -> bool:
        return is_trial(
            retracted=self.retracted,
            in_part=self.part is not None,
            dropped=self.dropped,
            discarded_by=self.discarded_by,
        )
