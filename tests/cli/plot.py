"""Murders in a campaign, at exact moments: the n-th time that a moment comes, its n-th victim is killed with SIGKILL.

As a program it is an operator or a payer that takes part in the plot, and may be a victim of it:

    python -m tests.cli.plot FOLDER serve SETTINGS_FILE
    python -m tests.cli.plot FOLDER pay CAMPAIGN
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.process.gc_control import importing

with importing():
    from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
    from beat_the_ai.campaign.service import model_server
    from beat_the_ai.campaign.service.model_server import ModelServer
    from beat_the_ai.cli import main as command_line
    from beat_the_ai.mephisto.mturk import CampaignProvider
    from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
    from beat_the_ai.rehearsal import operator
    from beat_the_ai.requester import Requester, client
    from beat_the_ai.writing import WritingDesk

VICTIMS = ("marketplace", "router", "model server", "operator")


@dataclass(frozen=True)
class Plot:
    """Kept in a folder, so that it outlives its victims. `out` is the campaign's folder."""

    folder: Path
    out: Path

    @classmethod
    def made(cls, folder: Path, out: Path, victims: Mapping[str, Sequence[str]]) -> Plot:
        """`victims` by moment, in the order in which they die."""
        folder.mkdir()
        (folder / "plot.json").write_text(json.dumps({"out": str(out)}))
        for moment, those in victims.items():
            (folder / moment).mkdir()
            for number, victim in enumerate(those):
                (folder / moment / f"{number} {victim}.alive").touch()
        return cls(folder, out)

    @classmethod
    def read(cls, folder: Path) -> Plot:
        return cls(folder, Path(json.loads((folder / "plot.json").read_text())["out"]))

    def alive(self) -> list[str]:
        """Victims to come, with their moments."""
        return [f"{path.parent.name}: {_victim(path)}" for path in sorted(self.folder.glob("*/*.alive"))]

    def story(self) -> str:
        """Who was killed when, in this order."""
        path = self.folder / "story.txt"
        return path.read_text() if path.exists() else "nobody was killed\n"

    def introduce(self, who: str, pid: int) -> None:
        (self.folder / f"{who}.pid").write_text(str(pid))

    def strike(self, moment: str) -> None:
        for path in sorted(self.folder.glob(f"{moment}/*.alive")):
            with contextlib.suppress(FileNotFoundError):  # another thread was faster
                path.rename(path.with_suffix(".dead"))
                with (self.folder / "story.txt").open("a") as story:
                    story.write(f"{moment}: {_victim(path)}\n")
                with contextlib.suppress(ProcessLookupError):  # dead at this moment, by another's hand
                    os.kill(self._pid(_victim(path)), signal.SIGKILL)
                return

    def _pid(self, victim: str) -> int:
        if victim == "router":
            (address,) = self.out.glob("private/mephisto/**/router/address.json")
            return int(json.loads(address.read_text())["pid"])
        return int((self.folder / f"{victim}.pid").read_text())

    def around(self, owner: type, name: str, before: str | None = None, after: str | None = None) -> None:
        """Let the moments come before and after every call of a method."""
        method: Callable[..., Any] = getattr(owner, name)

        def wrapped(*arguments: Any, **named: Any) -> Any:
            if before is not None:
                self.strike(before)
            answer = method(*arguments, **named)
            if after is not None:
                self.strike(after)
            return answer

        setattr(owner, name, wrapped)


def _victim(path: Path) -> str:
    return path.stem.partition(" ")[2]


def main() -> None:
    folder, action, given = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    plot = Plot.read(folder)
    plot.introduce("operator", os.getpid())
    plot.around(CampaignProvider, "offer", before="before a HIT is created")
    plot.around(CampaignDatastore, "keep_hit", before="after a HIT was created")
    plot.around(WritingDesk, "accept", before="before an acceptance is stored", after="after an acceptance was stored")
    plot.around(ModelInTheLoop, "ask", before="before the model is asked", after="before an attempt is stored")
    plot.around(WritingDesk, "submit", after="before an attempt is answered")
    plot.around(WritingDesk, "finish", before="before a submission is stored", after="after a submission was stored")
    plot.around(WritingDesk, "confirm", before="before a hand-in counts", after="after a hand-in counts")
    plot.around(WritingDesk, "set_aside", before="before a hand-in is set aside", after="after a hand-in is set aside")
    plot.around(Requester, "approve", before="before an approval", after="after an approval")
    plot.around(Requester, "send_bonus", before="before a bonus", after="after a bonus")
    start = ModelServer._start

    def introducing(self: ModelServer, port: int) -> str:
        address = start(self, port)
        plot.introduce("model server", self.pid)
        return address

    ModelServer._start = introducing  # type: ignore[method-assign]
    model_server.REST_SECONDS = 0.1
    client.PAUSES_SECONDS = (*client.PAUSES_SECONDS, 16.0, 32.0)  # so long may a busy machine take to start the crowd
    if action == "pay":
        command_line(["pay", given, "--confirm"])
    else:
        sys.argv = [sys.argv[0], given]
        operator.main()


if __name__ == "__main__":
    main()
