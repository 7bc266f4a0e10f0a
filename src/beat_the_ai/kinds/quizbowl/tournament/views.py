"""The views of a room: for everybody, and for its moderator alone.

Everybody sees the words that have been read, who answered, and the rulings. Nobody sees what the models will say, or
whether an open tossup is adversarial. Only the moderator sees unread words, the answer of an open tossup, and typed
answers before the ruling.
"""

from __future__ import annotations

from typing import Literal

from beat_the_ai.kinds.quizbowl.answers import is_called, page_title
from beat_the_ai.kinds.quizbowl.tournament import log, match
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.protocol import Json, View


class ListedRoom(View):
    """A room of the event."""

    room: str
    teams: tuple[str, ...]


class ListedRooms(View):
    """The rooms that spectators choose from."""

    rooms: tuple[ListedRoom, ...]


class Match(View):
    """The match of a room."""

    room: str
    teams: tuple[str, ...]
    models: tuple[str, ...]
    tossups: int
    ended: bool


class Standing(View):
    """The points of a team or a model, and the number of its answers by their outcome."""

    side: str
    model: bool
    points: int
    power: int
    correct: int
    interrupt: int
    wrong: int


class Floor(View):
    """The player who answers now."""

    side: str
    player: str


class ShownBuzz(View):
    """An answer, after how many words it came, and the ruling. `said` and `right` are null before the ruling."""

    side: str
    player: str
    word: int
    said: str | None
    right: bool | None

    @classmethod
    def of(cls, played: log.Match, buzz: match.Buzz) -> ShownBuzz:
        said = buzz.answer if buzz.correct is not None else None
        if said is not None and buzz.team not in played.teams:
            said = page_title(said)
        return cls(side=buzz.team, player=buzz.player, word=buzz.word, said=said, right=buzz.correct)


class CountedBuzz(ShownBuzz):
    """An answer to a tossup that is over. `points` are null where the answer is void."""

    points: int | None


class Tossup(View):
    """The tossup that is being read. `text` ends with the last word read."""

    number: int
    text: str
    words_read: int
    over: bool
    floor: Floor | None
    buzzes: tuple[ShownBuzz, ...]


class ModelGuess(View):
    """The answer that a model had ready, and after how many words."""

    model: str
    word: int
    says: str
    right: bool


class Played(View):
    """A tossup that is over. `protested` are the sides whose answers were protested against."""

    number: int
    answer: str
    category: str
    adversarial: bool
    words: int
    buzzes: tuple[CountedBuzz, ...]
    guesses: tuple[ModelGuess, ...]
    protested: tuple[str, ...]


class Reading(View):
    """The tossup as its moderator reads it. `said` is the typed answer that waits for a ruling."""

    text: str
    words: int
    answer: str
    aliases: tuple[str, ...]
    answer_line: str
    said: str | None
    said_is_a_name: bool


class ShownProtest(View):
    """A team's protest against a ruling on the answer of the side `against`."""

    tossup: int
    team: str
    against: str
    reason: str


class PresentTeam(View):
    """A team, its code, and its players who are here."""

    team: str
    code: str
    players: tuple[str, ...]


class People(View):
    """The people in the room."""

    teams: tuple[PresentTeam, ...]
    spectators: int


class You(View):
    """The page itself. `chair` says who moderates, to pages of moderators alone."""

    role: Literal["spectator", "team", "moderator"]
    team: str | None
    player: str | None
    chair: Literal["yours", "other", "nobody"] | None


class PublicView(View):
    """The parts of a room that everybody sees; they change at different times."""

    match: Match
    standings: tuple[Standing, ...]
    tossup: Tossup | None
    played: tuple[Played, ...]


class ModeratorView(View):
    """The parts of a room that only its moderator sees."""

    reading: Reading | None
    protests: tuple[ShownProtest, ...]
    people: People


class Reply(View):
    """The reply to a command: why it was refused, or null. `said` are the messages of the error."""

    key: str
    error: str | None
    said: tuple[Json, ...]


class Problem(View):
    """The server does not let the page in, and why. `said` are the messages of the problem."""

    problem: str
    said: tuple[Json, ...]


def public_view(room: Room) -> PublicView:
    played, state = room.match, room.state
    current = state.current
    over = [*state.tossups[:-1], *([current] if current is not None and current.over else [])]
    return PublicView(
        match=Match(
            room=played.room,
            teams=tuple(played.teams),
            models=tuple(model.name for model in played.models),
            tossups=len(played.tossups),
            ended=state.ended,
        ),
        standings=_standings(room),
        tossup=_current(played, len(state.tossups), current) if current is not None else None,
        played=tuple(_played(played, number, tossup) for number, tossup in enumerate(over, start=1)),
    )


def moderator_view(room: Room, people: People) -> ModeratorView:
    played, state = room.match, room.state
    current = state.current
    return ModeratorView(
        reading=_reading(played.tossups[len(state.tossups) - 1], current) if current is not None else None,
        protests=tuple(
            ShownProtest(tossup=number, team=each.team, against=each.against, reason=each.reason)
            for number, tossup in enumerate(state.tossups, start=1)
            for each in tossup.protests
        ),
        people=people,
    )


def _standings(room: Room) -> tuple[Standing, ...]:
    models = {model.name for model in room.match.models}
    scores, tally = room.state.scores(), room.state.tally()
    return tuple(
        Standing(
            side=side,
            model=side in models,
            points=scores[side],
            **{outcome.value: tally[side][outcome] for outcome in match.Outcome},
        )
        for side in room.match.sides
    )


def _current(played: log.Match, number: int, state: match.TossupState) -> Tossup:
    text = played.tossups[number - 1].text
    floor = state.on_the_floor
    return Tossup(
        number=number,
        text=text[: words(text)[state.words_read - 1].end] if state.words_read else "",
        words_read=state.words_read,
        over=state.over,
        floor=Floor(side=floor.team, player=floor.player) if floor is not None else None,
        buzzes=tuple(ShownBuzz.of(played, buzz) for buzz in state.buzzes),
    )


def _played(played: log.Match, number: int, state: match.TossupState) -> Played:
    tossup = played.tossups[number - 1]
    points = {buzz.team: played.scoring.points[outcome] for buzz, outcome in state.outcomes(played.scoring)}
    return Played(
        number=number,
        answer=tossup.answer.name,
        category=tossup.category,
        adversarial=tossup.adversarial,
        words=tossup.length,
        buzzes=tuple(
            CountedBuzz(**dict(ShownBuzz.of(played, buzz)), points=points.get(buzz.team)) for buzz in state.buzzes
        ),
        guesses=tuple(
            ModelGuess(
                model=model.name,
                word=model.buzzes[tossup.id].word,
                says=page_title(model.buzzes[tossup.id].page),
                right=model.buzzes[tossup.id].page == tossup.answer.page,
            )
            for model in played.models
            if tossup.id in model.buzzes
        ),
        protested=tuple(sorted({each.against for each in state.protests})),
    )


def _reading(tossup: log.Tossup, state: match.TossupState) -> Reading:
    floor = state.on_the_floor
    said = floor.answer if floor is not None else None
    return Reading(
        text=tossup.text,
        words=tossup.length,
        answer=tossup.answer.name,
        aliases=tuple(tossup.answer.aliases),
        answer_line=tossup.answer_line,
        said=said,
        said_is_a_name=said is not None and is_called(tossup.answer, said),
    )
