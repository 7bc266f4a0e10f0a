"""Simulated people play an event over its own sockets: a moderator for each room, and a player for each team.

They buzz and err as the paper's players did on regular questions (`People`), on either kind of question alike: what a
page of figures then shows of a difference between the two is chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.kinds.quizbowl.tournament.buzzing import People
from beat_the_ai.kinds.quizbowl.tournament.client import Client
from beat_the_ai.kinds.quizbowl.tournament.folder import RoomKeys
from beat_the_ai.kinds.quizbowl.tournament.log import Match, Tossup

WRONG = "something else"


@dataclass(frozen=True)
class _Knowledge:
    """After which word somebody buzzes, and what they say then."""

    word: int
    answer: str


class SimulatedRoom:
    """Plays the tossups of a match that have not been played."""

    def __init__(self, address: str, match: Match, keys: RoomKeys, seed: int) -> None:
        self._address = address
        self._match = match
        self._keys = keys
        self._random = random.Random(f"{seed}/{match.room}")  # noqa: S311
        self._people = People()

    def play(self, on_tossup: Callable[[int], None] = lambda number: None) -> None:
        """Until the match has ended; `on_tossup` is told of each that is over. Raises `BeatTheAIError`."""
        with ExitStack() as pages:
            moderator = self._page(pages, role="moderator", room=self._match.room, **self._moderator())
            teams = {
                team: self._page(pages, role="team", code=self._keys.teams[team], player=f"Player of {team}"[:40])
                for team in self._match.teams
            }
            for number, tossup in enumerate(self._match.tossups, start=1):
                if number > len(moderator.state["played"]):
                    self._play(moderator, teams, number, tossup)
                on_tossup(number)
            if not moderator.state["match"]["ended"]:
                _must(moderator.happen("ended"))

    def _moderator(self) -> Mapping[str, object]:
        return {"token": self._keys.moderator, "page": "simulated", "chair": True}

    def _page(self, pages: ExitStack, **hello: object) -> Client:
        page = Client(self._address, dict(hello))
        pages.callback(page.close)
        if page.problem is not None:
            raise BeatTheAIError(f"Room {self._match.room} did not let a simulated page in: {page.problem}")
        return page

    def _play(self, moderator: Client, teams: Mapping[str, Client], number: int, tossup: Tossup) -> None:
        known = {team: self._knowledge(tossup) for team in teams}
        by_speed = sorted(teams, key=lambda team: (known[team].word, self._random.random()))
        if moderator.state["tossup"] is None or moderator.tossup["number"] != number:
            _must(moderator.happen("begun", tossup=number))
        if (floor := moderator.tossup["floor"]) is not None:  # of an earlier run, which broke off there
            _must(moderator.happen("ruled", tossup=number, team=floor["side"], correct=False))
        while not self._is_over(moderator):  # what the moderator does next, a model may buzz instead of
            if (word := moderator.tossup["words_read"]) == tossup.length:
                _must(moderator.happen("closed", tossup=number))
                continue
            _must(moderator.happen("read", tossup=number, words=word + 1))
            for team in by_speed:
                if known[team].word == word + 1 == moderator.tossup["words_read"] and not self._is_over(moderator):
                    self._buzz(moderator, teams[team], team, number, known[team].answer, tossup)

    def _buzz(self, moderator: Client, player: Client, team: str, number: int, answer: str, tossup: Tossup) -> None:
        if player.send("buzz", tossup=number) is None:
            _must(player.send("say", tossup=number, answer=answer))
            _must(moderator.happen("ruled", tossup=number, team=team, correct=answer == tossup.answer.name))

    @staticmethod
    def _is_over(moderator: Client) -> bool:
        return bool(moderator.tossup["over"])

    def _knowledge(self, tossup: Tossup) -> _Knowledge:
        """Draw a simulated person's knowledge of a tossup.

        By the share s of a question somebody has buzzed with probability s^k; the draw takes the inverse of that.
        """
        share = self._random.random() ** ((1 - self._people.position) / self._people.position)
        knows = self._random.random() < self._people.accuracy
        return _Knowledge(max(1, round(share * tossup.length)), tossup.answer.name if knows else WRONG)


def _must(refusal: str | None) -> None:
    if refusal is not None:
        raise BeatTheAIError(f"The event refused what its moderator did: {refusal}")
