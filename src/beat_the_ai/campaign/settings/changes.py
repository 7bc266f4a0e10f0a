"""The changes between a campaign's settings and those with which it continues, and the changes that are allowed.

The terms of a stage are frozen when it begins, because people were told them. `ANYTIME` are addresses, ports, time-outs
and advice to the people who decide. `MORE` adds HITs: their number may grow, never shrink, while the stage is open.
Before it grows, the cost of more is shown.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.config_group import leaves

ANYTIME = (
    "alerts",
    "adversary.batch_size",
    "adversary.device",
    "adversary.memory_gib",
    "adversary.published",
    "adversary.servers",  # a round keeps its models, wherever they are served
    "adversary.streams",
    "adversary.threads",
    "adversary.timeout_seconds",
    "crowd.check_seconds",
    "crowd.endpoint_url",
    "crowd.frame_height",
    "crowd.lifetime_seconds",
    "crowd.page_url",
    "crowd.people",  # a folder may move
    "crowd.prolific",
    "crowd.recruiter",
    "forms",  # a changed form is answered again
    "keeping",
    "language.choices",
    "language.pages",
    "out",
    "preset",  # the values that it sets are compared themselves
    "pay.cap_cents",
    "profile",
    "release",  # exports say it as it is when they are made
    "review",  # what is promised in a letter is kept with it
    "qualification.min_reviews",  # advice to those who decide
    "store",
    "task_dir",
    "validation.terms.open_hits",
)
AT_ONCE = (  # a stage in service takes them up; it has to be served again for all others
    "alerts",  # a console does
    "contexts",
    "keeping",
    "pay.cap_cents",
    "qualification.places",
    "release",
    "round.hits_per_context",
    "round.max_hits",
    "round.reoffers",
)
OF_THE_CAMPAIGN = ("name", "out", "round.number", "seed", "simulated", "store", "task.kind", "task_dir")
LONGEST_SHOWN = 60
MAY_GROW = "it may grow, and never shrink"


def _is_more(before: Any, given: Any) -> bool:
    """None is as much as there is."""
    return given is None or (before is not None and given >= before)


MORE: Mapping[str, Callable[[Any, Any], bool]] = {
    "contexts": lambda _before, _given: True,  # those that are on offer stay
    "qualification.places": _is_more,
    "round.hits_per_context": _is_more,
    "round.max_hits": _is_more,
    "round.reoffers": _is_more,
}
OF_STAGE = {  # all others are told of in every stage
    "contexts": Stage.WRITING,
    "dataset": Stage.WRITING,
    "pay": Stage.WRITING,
    "round": Stage.WRITING,
    "validation.parts": Stage.WRITING,
    "validation.rules": Stage.WRITING,  # writers were promised a bonus by them
    "validation": Stage.VALIDATION,
    "qualification.places": Stage.SCREENING,
    "qualification.quiz": Stage.SCREENING,
    "qualification.reward_cents": Stage.SCREENING,
    "qualification.time_limit_seconds": Stage.SCREENING,
}


@dataclass(frozen=True)
class Change:
    """A value of the configuration, named by its dotted path."""

    key: str
    before: Any
    given: Any

    def __str__(self) -> str:
        return f"{self.key}: {_shown(self.before)} in the campaign, {_shown(self.given)} was given"

    def is_allowed(self, frozen: Collection[Stage]) -> bool:
        """In a round of which these stages have begun."""
        if is_under(self.key, ANYTIME):
            return True
        if self.key in MORE and MORE[self.key](self.before, self.given):
            return True
        return not frozen if self.stage is None else self.stage not in frozen

    @property
    def stage(self) -> Stage | None:
        """The stage that it is about; None for all of them."""
        return next((of for prefix, of in OF_STAGE.items() if is_under(self.key, (prefix,))), None)

    def comes_too_late(self, closed: Collection[Stage]) -> bool:
        """Return whether it would add HITs to one of these stages, which are closed."""
        return self.key in MORE and self.stage in closed


def changes(before: Settings, given: Settings) -> list[Change]:
    """Everything that differs, in the order of the configuration."""
    old, new = (dict(leaves(settings.model_dump(mode="json"))) for settings in (before, given))
    return [Change(key, old.get(key), new.get(key)) for key in {**old, **new} if old.get(key) != new.get(key)]


@dataclass(frozen=True)
class Possibility:
    """A setting: its value, and whether and why it may change in a campaign that goes on.

    It `takes_effect` at once or when the stage is served again; empty if it may not change.
    """

    key: str
    value: Any
    may_change: bool
    reason: str
    takes_effect: str


def possibilities(settings: Settings, frozen: Collection[Stage], closed: Collection[Stage]) -> list[Possibility]:
    """Return all settings in the order of the configuration; these stages have begun, or offer no more HITs."""
    values = leaves(settings.model_dump(mode="json"))
    return [_possibility(Change(key, value, value), frozen, closed) for key, value in values]


def _possibility(of: Change, frozen: Collection[Stage], closed: Collection[Stage]) -> Possibility:
    may_change, reason = _reason(of, frozen, closed)
    effect = ("at once" if is_at_once(of.key) else "when the stage is served again") if may_change else ""
    return Possibility(of.key, of.before, may_change, reason, effect)


def _reason(of: Change, frozen: Collection[Stage], closed: Collection[Stage]) -> tuple[bool, str]:
    if is_of_the_campaign(of.key):
        return False, "It says which campaign this is, or where it lies."
    if is_under(of.key, ANYTIME):
        return True, "It may change at any time."
    if of.key in MORE:
        more = of.stage not in frozen or of.stage not in closed
        return more, f"{MAY_GROW[0].upper()}{MAY_GROW[1:]}." if more else f"The {_stage(of)} is closed."
    if of.is_allowed(frozen):
        return True, f"It may change until the {_stage(of)} begins."
    return False, f"Workers were told it when the {_stage(of)} began. A new round may have another."


def _stage(of: Change) -> str:
    return "first stage" if of.stage is None else of.stage.value


def is_at_once(key: str) -> bool:
    """Return whether a stage in service takes up a change of this setting."""
    return is_under(key, AT_ONCE)


def is_of_the_campaign(key: str) -> bool:
    """Return whether a setting says which campaign this is, or where it lies."""
    return is_under(key, OF_THE_CAMPAIGN)


def effects(of: Collection[Change]) -> list[str]:
    """Say which changes take effect at once, and which when the stage is served again."""
    at_once = [each.key for each in of if is_at_once(each.key)]
    later = [each.key for each in of if not is_at_once(each.key)]
    said = [f"{', '.join(at_once)}: in effect at once, also where the stage is being served."] if at_once else []
    if later:
        said.append(f"{', '.join(later)}: in effect when the stage is served again (stop it, then launch --resume).")
    return said


def check_changes(before: Settings, given: Settings, frozen: Collection[Stage], closed: Collection[Stage] = ()) -> None:
    """Raises `InvalidInput`, naming everything that may not differ and what to do; `Refused` in a closed stage."""
    different = changes(before, given)
    late = [change for change in different if change.comes_too_late(closed)]
    if late:
        told = "".join(f"  {change}\n" for change in late)
        raise Refused(f"{closed_stage(late[0].stage, given)} Nothing was changed:\n{told}")
    refused = [change for change in different if not change.is_allowed(frozen)]
    if refused:
        told = "".join(f"  {change}{_rule(change)}\n" for change in refused)
        raise InvalidInput(
            "configuration",
            f"People were told other terms when this campaign began:\n{told}"
            "Leave them as they were (without TASK_DIR, the campaign's own settings are taken), or open a round with "
            "terms of its own: beat-the-ai round open --out DIR KEY=VALUE.",
        )


def _rule(of: Change) -> str:
    return f"; {MAY_GROW}" if of.key in MORE else ""


def closed_stage(stage: Stage | None, settings: Settings) -> str:
    """Say that a stage offers nothing any more, and what to do."""
    if stage is Stage.SCREENING:
        return "The screening is closed and offers no more places. Let people in by hand: beat-the-ai review grant."
    opens = f"beat-the-ai round open --out {shlex.quote(str(settings.out))} KEY=VALUE"
    return f"Round {settings.round.number} is closed and offers no more HITs. Open the next round for more: {opens}"


def is_under(key: str, prefixes: Collection[str]) -> bool:
    """Return whether a key is one of these, or lies under one."""
    return any(key == prefix or key.startswith(f"{prefix}.") for prefix in prefixes)


def _shown(value: Any) -> str:
    text = "null" if value is None else str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} …"
