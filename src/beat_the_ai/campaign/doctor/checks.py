"""Checks by their names: each is a function that looks at one thing, and says what it found.

They run beside each other, each within its time. One that fails or takes too long is a fault, and the others go on.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.errors import BeatTheAIError

SECONDS = 20.0
SECRET_VARIABLES = re.compile(r"TOKEN|SECRET|PASSWORD|_KEY$|ACCESS_KEY|CREDENTIAL|DATABASE", re.IGNORECASE)
URL_PASSWORD = re.compile(r"(://[^\s:@/]*):[^\s@]+@")
SHORTEST_SECRET = 6


@dataclass(frozen=True)
class Finding:
    """A thing that was looked at: `said` is how it is; `mend` is what to do where it is a fault, and else None."""

    check: str
    said: str
    mend: str | None = None

    @property
    def is_fault(self) -> bool:
        return self.mend is not None


def ok(said: str) -> tuple[str, None]:
    return said, None


def fault(said: str, mend: str) -> tuple[str, str]:
    return said, mend


Look = Callable[[Subject], Iterable[tuple[str, str | None]]]


@dataclass(frozen=True)
class Check:
    """A check. `mend` is what to do where it fails, or does not end within `seconds`."""

    name: str
    look: Look
    mend: str
    seconds: float

    @property
    def place(self) -> str:
        """Return the module that it is in."""
        return self.look.__module__


REGISTERED: list[Check] = []


def check(name: str, mend: str, seconds: float = SECONDS) -> Callable[[Look], Look]:
    """Add a check to the registry. It yields nothing where there is nothing to look at."""

    def add(look: Look) -> Look:
        REGISTERED.append(Check(name, look, mend, seconds))
        return look

    return add


def examine(subject: Subject, checks: Iterable[Check]) -> Iterator[Finding]:
    """Yield the findings of these checks in their order, each as soon as it is there."""
    begun = [_Begun(each, subject) for each in checks]
    for each in begun:
        each.thread.start()
    for each in begun:
        yield from each.findings()


@dataclass
class _Begun:
    """A check in a thread, which nobody waits for once its time is over."""

    check: Check
    subject: Subject
    found: list[Finding] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, name=f"check-{self.check.name}", daemon=True)

    def _run(self) -> None:
        name = self.check.name
        try:
            for said, mend in self.check.look(self.subject):
                self.found.append(_shown(Finding(name, said, mend)))
        except BeatTheAIError as error:
            self.found.append(_shown(Finding(name, str(error), self.check.mend)))
        except Exception as error:  # noqa: BLE001 - the boundary of a thread
            self.found.append(_shown(Finding(name, f"{type(error).__name__}: {error}", self.check.mend)))

    def findings(self) -> list[Finding]:
        self.thread.join(max(0.0, self.started + self.check.seconds - time.monotonic()))
        if self.thread.is_alive():
            late = f"There was no answer within {self.check.seconds:g} seconds."
            return [*self.found, Finding(self.check.name, late, self.check.mend)]
        return self.found


def _shown(finding: Finding) -> Finding:
    """Return it on one line, without secrets."""
    mend = None if finding.mend is None else masked(finding.mend)
    return Finding(finding.check, masked(finding.said), mend)


def masked(text: str) -> str:
    """Return a text on one line, without passwords in addresses, nor what secret variables of the environment hold."""
    secrets = {value for name, value in os.environ.items() if SECRET_VARIABLES.search(name)}
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "…")
    return " ".join(URL_PASSWORD.sub(r"\1:…@", text).split())
