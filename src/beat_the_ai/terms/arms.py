"""The arms of a round: named sets of settings that some of its writers have, for comparisons between writers.

Bartolo et al. 2020 (§4.1, §4.3) and Wallace et al. 2019 (§5) set what was written against one model beside what was
written against another, or against none, and ask the same models about all of it. So in an arm that shows no model the
model is asked all the same: its writer learns nothing of the answers, and the verdict decides what is a win, as in
every other arm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from beat_the_ai.terms.config_group import ConfigGroup

ArmName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
FEWEST = 2
_PART = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"
_FILE = f"^{_PART}(/{_PART})*$"


class ArmRound(ConfigGroup):
    """The tries and wins of a HIT. A setting that is left out is the round's; so it is below."""

    wins_wanted: int | None = None
    max_wins: int | None = None
    max_tries: int | None = None
    min_tries: int | None = Field(default=None, ge=0)


class ArmPay(ConfigGroup):
    """The bonuses. The reward is that of the HIT, which is offered to all arms."""

    bonus_cents_per_win: int | None = Field(default=None, ge=0)
    bonus_cents_per_verified_win: int | None = Field(default=None, ge=0)
    streak_bonus_cents: dict[int, int] | None = None
    verified_streaks: bool | None = None


class ArmAdversary(ConfigGroup):
    """The members of the pool among which one is drawn for each attempt, by their names."""

    members: tuple[str, ...] | None = Field(default=None, min_length=1)


class ArmSettings(ConfigGroup):
    """The settings that an arm has of its own. `words` is a folder of words in the task folder.

    `suggestions` is a file there, of works that a model suggests to its writers. Without `shows_model` they see neither
    answers nor verdicts of the model.
    """

    shows_model: bool = True
    suggestions: str | None = Field(default=None, pattern=_FILE, max_length=200)
    words: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{1,80}$")
    adversary: ArmAdversary = ArmAdversary()
    pay: ArmPay = ArmPay()
    round: ArmRound = ArmRound()

    @model_validator(mode="before")
    @classmethod
    def _names_what_it_may(cls, content: Any) -> Any:
        """Name all that an arm may change beside what it may not."""
        allowed = list(_keys(cls))
        unknown = [key for key in _given(content) if key not in allowed] if isinstance(content, Mapping) else []
        if unknown:
            raise ValueError(f"An arm has no {', '.join(unknown)} of its own. Allowed: {', '.join(allowed)}")
        return content

    def __str__(self) -> str:
        """Return the settings that differ from those of all writers, as KEY=VALUE."""
        own = self.model_dump(exclude_defaults=True, exclude_none=True)
        pairs = [pair for name, value in own.items() for pair in _pairs(name, value)]
        return ", ".join(pairs) or "those of all"


def _pairs(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and isinstance(ArmSettings.model_fields[name].default, ConfigGroup):
        yield from (f"{name}.{key}={_shown(one)}" for key, one in value.items())
    else:
        yield f"{name}={_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def _keys(group: type[ConfigGroup]) -> Iterator[str]:
    for name, field in group.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, ConfigGroup):
            yield from (f"{name}.{key}" for key in _keys(field.annotation))
        else:
            yield name


def _given(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the dotted keys of what is given, as far down as an arm has sections."""
    for name, value in content.items():
        field = ArmSettings.model_fields.get(name)
        if field is not None and isinstance(field.default, ConfigGroup) and isinstance(value, Mapping):
            yield from (f"{name}.{key}" for key in value)
        else:
            yield name
