"""The seam to recruiters with an API: who arrives there, and what follows what happens here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Protocol

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people.studies import Study


class Recruiters(Protocol):
    """The recruiters of a marketplace's studies."""

    def check_link(self, study: Study, asked: Mapping[str, str], now: datetime) -> None:
        """Check the link with which a person arrives, if the study's links are signed. Raises `Refused`."""

    def check_place(self, study: Study, person: str, session: str) -> None:
        """Ask the recruiter whether this person holds this place in the study. Raises `Refused`."""

    def notify(self, headers: Mapping[str, str], body: bytes) -> None:
        """Look at once for changes, if a recruiter has signed this. Raises `Refused`."""

    def running(self) -> AbstractContextManager[None]:
        """Tell recruiters what happens here, for as long as the block lasts."""


class NoRecruiters:
    """`Recruiters` by link alone: nobody can be asked."""

    @classmethod
    def of(cls, market: Market) -> NoRecruiters:
        return cls()

    def check_link(self, study: Study, asked: Mapping[str, str], now: datetime) -> None:
        """Let everybody pass."""

    def check_place(self, study: Study, person: str, session: str) -> None:
        """Let everybody pass."""

    def notify(self, headers: Mapping[str, str], body: bytes) -> None:
        raise Refused("No recruiter sends notifications here.")

    def running(self) -> AbstractContextManager[None]:
        return nullcontext()
