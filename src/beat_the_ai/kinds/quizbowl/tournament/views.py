"""The views of a room: for everybody, and for its moderator alone.

Everybody sees the words that have been read, who answered, and the rulings. Nobody sees what the models will say, or
whether an open tossup is adversarial. Only the moderator sees unread words, the answer of an open tossup, and typed
answers before the ruling.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.kinds.quizbowl.answers import is_called, page_title
from beat_the_ai.kinds.quizbowl.tournament.log import Match, Tossup
from beat_the_ai.kinds.quizbowl.tournament.match import Buzz, Outcome, TossupState
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from beat_the_ai.kinds.quizbowl.wording import words

Parts = Mapping[str, Any]


def public_view(room: Room) -> Parts:
    """In parts that change at different times: `match`, `standings`, `tossup` and `played`."""
    match, state = room.match, room.state
    models = [model.name for model in match.models]
    current = state.current
    scores, tally = state.scores(), state.tally()
    over = [*state.tossups[:-1], *([current] if current is not None and current.over else [])]
    return {
        "match": {
            "room": match.room,
            "teams": match.teams,
            "models": models,
            "tossups": len(match.tossups),
            "ended": state.ended,
        },
        "standings": [
            {"side": side, "model": side in models, "points": scores[side]}
            | {outcome.value: tally[side][outcome] for outcome in Outcome}
            for side in match.sides
        ],
        "tossup": _current(match, len(state.tossups), current) if current is not None else None,
        "played": [_played(match, number, tossup) for number, tossup in enumerate(over, start=1)],
    }


def moderator_view(room: Room) -> Parts:
    """Return what only the moderator sees: `reading` and `protests`."""
    match, state = room.match, room.state
    current = state.current
    return {
        "reading": _reading(match.tossups[len(state.tossups) - 1], current) if current is not None else None,
        "protests": [
            {"tossup": number, "team": each.team, "against": each.against, "reason": each.reason}
            for number, tossup in enumerate(state.tossups, start=1)
            for each in tossup.protests
        ],
    }


def _current(match: Match, number: int, state: TossupState) -> Parts:
    text = match.tossups[number - 1].text
    floor = state.on_the_floor
    return {
        "number": number,
        "text": text[: words(text)[state.words_read - 1].end] if state.words_read else "",
        "words_read": state.words_read,
        "over": state.over,
        "floor": {"side": floor.team, "player": floor.player} if floor is not None else None,
        "buzzes": [_buzz(match, buzz) for buzz in state.buzzes],
    }


def _played(match: Match, number: int, state: TossupState) -> Parts:
    tossup = match.tossups[number - 1]
    points = match.scoring.points
    outcomes = {buzz.team: outcome for buzz, outcome in state.outcomes(match.scoring)}
    return {
        "number": number,
        "answer": tossup.answer.name,
        "category": tossup.category,
        "adversarial": tossup.adversarial,
        "words": tossup.length,
        "buzzes": [
            {**_buzz(match, buzz), "points": points[outcomes[buzz.team]] if buzz.team in outcomes else None}
            for buzz in state.buzzes
        ],
        "guesses": [
            {
                "model": model.name,
                "word": model.buzzes[tossup.id].word,
                "says": page_title(model.buzzes[tossup.id].page),
                "right": model.buzzes[tossup.id].page == tossup.answer.page,
            }
            for model in match.models
            if tossup.id in model.buzzes
        ],
        "protested": sorted({each.against for each in state.protests}),
    }


def _buzz(match: Match, buzz: Buzz) -> Parts:
    """Return a buzz; what was said is shown only after the ruling."""
    said = buzz.answer if buzz.correct is not None else None
    if said is not None and buzz.team not in match.teams:
        said = page_title(said)
    return {"side": buzz.team, "player": buzz.player, "word": buzz.word, "said": said, "right": buzz.correct}


def _reading(tossup: Tossup, state: TossupState) -> Parts:
    floor = state.on_the_floor
    said = floor.answer if floor is not None else None
    return {
        "text": tossup.text,
        "words": tossup.length,
        "answer": tossup.answer.name,
        "aliases": tossup.answer.aliases,
        "answer_line": tossup.answer_line,
        "said": said,
        "said_is_a_name": said is not None and is_called(tossup.answer, said),
    }
