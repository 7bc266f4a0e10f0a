"""The writing of a round divided among several operators, each with HITs, a router and a Mephisto database of its own.

What is divided are the contexts: all HITs on one are of the same share, whatever is added later, so that a context is
offered again, and its repeats are found, without asking the others. The store is what they have in common.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage

MOST = 64
WRITTEN = re.compile(r"([0-9]{1,3})/([0-9]{1,3})", re.ASCII)


@dataclass(frozen=True)
class Partition:
    """The part of operator `number`, counted from 1, of `of`."""

    number: int = 1
    of: int = 1

    @classmethod
    def read(cls, text: str) -> Partition:
        """As in `2/4`. Raises `InvalidInput`."""
        found = WRITTEN.fullmatch(text)
        share = cls(*map(int, found.groups())) if found else None
        if share is None or not 1 <= share.number <= share.of <= MOST:
            raise InvalidInput(
                "--share",
                f"--share {text[:20]} was given; the second of four operators, for example, has --share 2/4, and there "
                f"are {MOST} at most.",
            )
        return share

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def is_whole(self) -> bool:
        return self.of == 1

    def folder(self, run_name: str) -> str:
        """Return the folder of its Mephisto database."""
        return run_name if self.is_whole else f"{run_name}-{self.number}-of-{self.of}"

    def has(self, context_id: str) -> bool:
        digest = hashlib.blake2b(context_id.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.of == self.number - 1


WHOLE = Partition()


def operator_lease(campaign_id: str, run: str, share: Partition) -> str:
    """Return the name of the lease that the operator of a share holds (`store.leases`). `run` names stage and round."""
    return f"{campaign_id} {run} {share}"


def leased_share(campaign_id: str, run: str, lease: str) -> Partition | None:
    """Return the share that the lease of an operator of this run names; None for another lease."""
    share = lease.removeprefix(f"{campaign_id} {run} ")
    return None if share == lease else Partition.read(share)


def shared(settings: Settings, share: Partition | None) -> Settings:
    """The settings of an operator with that share; without one they stay as they are. Raises `InvalidInput`."""
    if share is None:
        return settings
    section = settings.round.model_copy(update={"shares": share.of})
    return settings.model_copy(update={"round": section})


def share_of(settings: Settings, stage: Stage, share: Partition | None) -> Partition:
    """Return the share that an operator serves.

    Raises `InvalidInput` for a share of an undivided stage, a missing one, and a store that others cannot reach.
    """
    if stage is not Stage.WRITING:
        if share is not None and not share.is_whole:
            raise InvalidInput("--share", f"Only the writing is divided; one operator serves all of the {stage.value}.")
        return WHOLE
    if share is None and settings.round.shares > 1:
        raise InvalidInput(
            "--share",
            f"The writing of this round is divided among {settings.round.shares} operators. Say which one this is: "
            f"--share 1/{settings.round.shares}, for example.",
        )
    if share is not None and not share.is_whole and not settings.store.url.startswith("postgresql"):
        raise InvalidInput("--share", "Several operators need a store that all of them reach: store=postgresql.")
    return share or WHOLE
