"""The choices of a draft as KEY=VALUE, as the command line takes them, each with the field that it stands in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.acts.terms import check_values
from beat_the_ai.campaign.settings.changes import is_under
from beat_the_ai.campaign.settings.overrides import key_of, literal, quoted
from beat_the_ai.campaign.starting.drafts import Choices
from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.crowds import CROWDS
from beat_the_ai.errors import InvalidInput, UnknownName

GROUP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
AMOUNT = re.compile(r"([0-9]{1,7})(?:\.([0-9]{1,2}))?")
NUMBER = re.compile(r"[1-9][0-9]{0,6}")
MINUTES = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,2})?")
PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")
WORKSPACE = re.compile(r"[A-Za-z0-9]{1,64}")
_OF_ADDRESS = r"[^\s{}$'\"\\\x00-\x1f\x7f-\x9f]"
ADDRESS = re.compile(rf"https?://{_OF_ADDRESS}+(?:\{{code\}}{_OF_ADDRESS}*)?")
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]+")
SETTING = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+=.*")

FIELD_OF = {  # the field of a setting, by its key or one above it
    "name": "name",
    "preset": "preset",
    "contexts": "has_file",
    "adversary": "model",
    "forms": "has_consent",
    "pay.reward_cents": "reward",
    "pay.cap_cents": "cap",
    "round.max_hits": "hits",
    "crowd.prolific.workspace": "workspace",
    "crowd.prolific.minutes": "minutes",
    "crowd.recruiter.person": "person",
    "crowd.recruiter.done": "done",
    "crowd.recruiter": "finish_url",
    "crowd": "crowd",
}
OTHERS = "others"
HAS_A_FIELD = (*(key for key in FIELD_OF if "." not in key), "pay.reward_cents", "pay.cap_cents", "round.max_hits")
OF_A_CROWD: Mapping[str, tuple[str, ...]] = {
    "prolific": ("workspace", "minutes"),
    "link": ("person", "finish_url", "done"),
}


class Values:
    """The KEY=VALUE of a draft by field, without those that are faulty, and the faults by field."""

    def __init__(self, ground: Ground, choices: Choices, actor: Actor, contexts: Path | None) -> None:
        self.by_field: dict[str, Sequence[str]] = {}
        self.faults: dict[str, str] = {}
        for field, values in _fields(ground, choices, actor, contexts):
            try:
                self.by_field[field] = values()
            except InvalidInput as error:
                self.faults[field] = str(error)

    def overrides(self, without: Sequence[str] = ()) -> list[str]:
        """Return all KEY=VALUE but those of some fields."""
        return [value for field, values in self.by_field.items() if field not in without for value in values]


def field_of(key: str) -> str:
    """Return the field in which a setting, or a fault of it, is seen."""
    return next((field for name, field in FIELD_OF.items() if is_under(key, (name,))), OTHERS)


def _fields(
    ground: Ground, of: Choices, actor: Actor, contexts: Path | None
) -> Iterator[tuple[str, Callable[[], Sequence[str]]]]:
    """Yield fields with functions that return their KEY=VALUE, or raise `InvalidInput`."""
    yield "preset", lambda: _matching("preset", "preset", of.preset, GROUP_NAME, "Choose one of the list.")
    yield "name", lambda: _name(ground, of.name)
    yield "model", lambda: _matching("adversary", "model", of.model, GROUP_NAME, "Choose one of the list.")
    yield "crowd", lambda: _crowd(of.crowd)
    yield "has_file", lambda: _contexts(of, contexts)
    yield "has_consent", lambda: ["forms=consent"] if of.has_consent else []
    yield "reward", lambda: _amount("pay.reward_cents", "reward", of.reward)
    whole = "Write a whole number, such as 200."
    yield "hits", lambda: _matching("round.max_hits", "hits", of.hits, NUMBER, whole)
    yield "cap", lambda: _amount("pay.cap_cents", "cap", of.cap)
    yield from _of_crowd(of)
    yield OTHERS, lambda: _others(of.others, actor)


def _of_crowd(of: Choices) -> Iterator[tuple[str, Callable[[], Sequence[str]]]]:
    if of.crowd == "prolific":
        id_ = "Write the id of your workspace, as Prolific shows it."
        whole = "Prolific tells participants how long a HIT takes: write whole minutes."
        yield "workspace", lambda: _matching("crowd.prolific.workspace", "workspace", of.workspace, WORKSPACE, id_)
        yield "minutes", lambda: _matching("crowd.prolific.minutes", "minutes", of.minutes, NUMBER, whole)
    if of.crowd == "link":
        name = "Write the name of the parameter, such as participant_id."
        address = "Write an address that begins with https://; {code} stands for the code."
        code = "Write letters, digits, _ and -; at most 40."
        yield "person", lambda: _matching("crowd.recruiter.person", "person", of.person, PARAMETER, name)
        yield (
            "finish_url",
            lambda: _matching("crowd.recruiter.finish_url", "finish_url", of.finish_url, ADDRESS, address),
        )
        yield "done", lambda: _matching("crowd.recruiter.done", "done", of.done, CODE, code)


def amount_cents(field: str, text: str) -> int:
    """Return an amount in hundredths. Raises `InvalidInput`."""
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise InvalidInput(field, f"{text.strip()[:40]!r} is no amount. Write it as 2.50, without its unit.")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def minutes_of(text: str) -> float:
    """Return minutes. Raises `InvalidInput`."""
    if not MINUTES.fullmatch(text.strip()) or not 0.1 <= float(text) <= 1440:
        raise InvalidInput("minutes", f"{text.strip()[:40]!r} is no number of minutes from 0.1 to 1440.")
    return float(text)


def _name(ground: Ground, text: str) -> Sequence[str]:
    name = ground.out(text.strip()).name
    return [f"name={literal(name)}"]


def _crowd(text: str) -> Sequence[str]:
    if text not in CROWDS:
        raise UnknownName("crowd", text, CROWDS)
    return [f"crowd={text}"]


def _contexts(of: Choices, contexts: Path | None) -> Sequence[str]:
    if not of.has_file:
        return []
    if contexts is None:
        raise InvalidInput("has_file", "Choose a file.")
    path = str(contexts)
    return [f"contexts={path if PLAIN_PATH.fullmatch(path) else quoted(path)}"]


def _amount(key: str, field: str, text: str) -> Sequence[str]:
    return [f"{key}={amount_cents(field, text)}"] if text.strip() else []


def _matching(key: str, field: str, text: str, pattern: re.Pattern[str], wanted: str) -> Sequence[str]:
    """Return KEY=VALUE, or nothing for an empty text. Raises `InvalidInput` for one that does not match."""
    value = text.strip()
    if value and not pattern.fullmatch(value):
        raise InvalidInput(field, f"{value[:40]!r} was given. {wanted}")
    return [f"{key}={value if pattern is NUMBER else literal(value)}"] if value else []


def _others(text: str, actor: Actor) -> Sequence[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    keys = [key_of(line) for line in lines]
    for line in lines:
        if key_of(line) in HAS_A_FIELD:
            raise InvalidInput(OTHERS, f"{key_of(line)} has a field of its own. Set it there.")
        if not (SETTING.fullmatch(line) and line.isprintable()):
            raise InvalidInput(OTHERS, f"{line[:60]!r} is no setting. Write one a line, as round.max_tries=10.")
        if keys.count(key_of(line)) > 1:
            raise InvalidInput(OTHERS, f"{key_of(line)} is set twice. Set it once.")
    check_values(actor, lines)
    return lines
