"""A room: a match that is being played, its moderator, and everybody who watches.

What somebody does is an event under a key of theirs. It is checked against the state, kept, and only then seen; the
same key again changes nothing. Models buzz by themselves before the next word is read, or the tossup closed, so that
people have had the time of a word. One moderator reads; whoever takes the chair takes it from the one before. Of
buzzes the first that reaches the room counts, and it counts at the word that has been read when it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timezone

from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.kinds.quizbowl.tournament.events import (
    MODERATOR,
    Answered,
    Begun,
    Buzzed,
    Closed,
    Event,
    Protested,
    Read,
    Ruled,
)
from beat_the_ai.kinds.quizbowl.tournament.log import Entry, MatchLog
from beat_the_ai.kinds.quizbowl.tournament.match import MatchState
from beat_the_ai.kinds.quizbowl.tournament.saying import said
from beat_the_ai.messages import message_of, sentences
from beat_the_ai.rules.text import check_key

# What is kept of a team until the next tossup begins, so that no team fills the disk or uses up what is another's.
MAX_REFUSALS = 200
MAX_STATEMENTS = 20  # answers and protests
Listener = Callable[[], None]


class Room:
    """One match. Not safe to use from threads: a room lives on one event loop, and nothing in it waits but the disk."""

    def __init__(self, log: MatchLog) -> None:
        """Takes a match up where its log ends."""
        self.match = log.match
        self.chair: str | None = None
        self._log = log
        self._known = {(entry.by, entry.key): entry for entry in log.entries}
        self._listeners: set[Listener] = set()
        self._kept: Counter[tuple[str, bool]] = Counter()  # since the tossup began, by team and whether it was refused
        lengths = tuple(tossup.length for tossup in self.match.tossups)
        self.state = MatchState(tuple(self.match.sides), lengths, self.match.scoring)
        for entry in log.entries:
            self._count(entry)
            if entry.refusal is None:
                self.state = self.state.after(entry.event)

    def take_chair(self, moderator: str) -> None:
        """From now on this is the page that reads and rules."""
        self.chair = moderator
        self._tell()

    def moderate(self, moderator: str, key: str, event: Event) -> Entry:
        """Raises `Refused` for a page that does not have the chair, and for what cannot happen now."""
        if moderator != self.chair:
            raise Refused(said("event_refusals.chair"))
        if isinstance(event, Buzzed):
            raise Refused(said("event_refusals.only_teams"))
        again = (MODERATOR, key) in self._known
        if isinstance(event, Read | Closed) and not again and (entry := self._model_buzz()) is not None:
            return entry
        return self._submit(MODERATOR, key, event)

    def play(self, team: str, key: str, event: Event) -> Entry:
        """Submit a team's event. Raises `Refused`; a refused buzz is kept, with the reason.

        A team that has made too many statements on a tossup makes no more until the next one begins.
        """
        if team not in self.match.teams or getattr(event, "team", None) != team:
            raise Refused(said("event_refusals.own_team"))
        if isinstance(event, Ruled):
            raise Refused(said("event_refusals.only_moderator"))
        return self._submit(team, key, event)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """`listener` is called after every change, until the function that is returned is called."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def _submit(self, by: str, key: str, event: Event) -> Entry:
        check_key("key", key)
        if (known := self._known.get((by, key))) is not None:
            if known.refusal is not None:
                raise Refused(known.reason)
            return known
        if isinstance(event, Answered | Protested) and self._kept[by, False] >= MAX_STATEMENTS:
            raise Refused(said("event_refusals.statements", count=MAX_STATEMENTS))
        try:
            state = self.state.after(event)
        except BeatTheAIError as error:
            if isinstance(event, Buzzed):
                self._keep_refusal(by, key, event, message_of(error))
            raise
        entry = self._entry(by, key, event)
        self._keep([entry])
        self.state = state
        self._tell()
        return entry

    def _keep_refusal(self, by: str, key: str, buzz: Buzzed, reason: str) -> None:
        if self._kept[by, True] < MAX_REFUSALS:
            self._keep([self._entry(by, key, buzz, reason)])

    def _model_buzz(self) -> Entry | None:
        """A model that has made up its mind buzzes in the place of what comes next, and is ruled on at once."""
        if (answer := self._next_model()) is None:
            return None
        number, (name, page) = len(self.state.tossups), answer
        correct = page == self.match.tossups[number - 1].answer.page
        buzz = Buzzed(tossup=number, team=name, player=name, answer=page)
        ruling = Ruled(tossup=number, team=name, correct=correct)
        state = self.state.after(buzz).after(ruling)
        first = self._entry(name, f"{number}-buzz", buzz)
        second = self._entry(name, f"{number}-ruling", ruling, number=first.number + 1)
        self._keep([first, second])
        self.state = state
        self._tell()
        return second

    def _next_model(self) -> tuple[str, str] | None:
        """The model that was sure first of those that would buzz now, and what it says."""
        tossup = self.state.current
        if tossup is None or tossup.over or tossup.on_the_floor is not None:
            return None
        tossup_id = self.match.tossups[len(self.state.tossups) - 1].id
        ready = [
            (*model.buzzes[tossup_id], model.name)
            for model in self.match.models
            if tossup_id in model.buzzes and tossup.buzz(model.name) is None
        ]
        _, page, name = min((each for each in ready if each[0] <= tossup.words_read), default=(0, "", None))
        return None if name is None else (name, page)

    def _entry(self, by: str, key: str, event: Event, refusal: str | None = None, number: int | None = None) -> Entry:
        return Entry(
            number=number or len(self._log.entries) + 1,
            at=datetime.now(timezone.utc),
            key=key,
            by=by,
            event=event,
            refusal=refusal,
            said=tuple(sentences(refusal)) if refusal is not None else (),
        )

    def _keep(self, entries: list[Entry]) -> None:
        self._log.add(entries)
        self._known |= {(entry.by, entry.key): entry for entry in entries}
        for entry in entries:
            self._count(entry)

    def _count(self, entry: Entry) -> None:
        if isinstance(entry.event, Begun):
            self._kept.clear()
        elif isinstance(entry.event, Answered | Protested) or entry.refusal is not None:
            self._kept[entry.by, entry.refusal is not None] += 1

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener()
