"""The files of suggestions of a round's arms, checked by the rules under which people write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound, load_contexts
from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.records import Record, read_records, row_of
from beat_the_ai.files.values import Id
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Suggestions
from beat_the_ai.rules.protocol import Context, TaskItem, Value
from beat_the_ai.writing import Suggested, SuggestionPool
from beat_the_ai.writing.gold import GoldGuard

NEEDED = "'context_id' and 'model'"


class _Row(BaseModel):
    """The part of a record that is the same in every kind of task."""

    model_config = ConfigDict(strict=True)

    context_id: Id
    model: Annotated[str, Field(pattern=r"\S", max_length=255)]
    id: Annotated[str, Field(pattern=r"^\S{1,64}$")] | None = None


def suggestion_pools(settings: Settings, offered: Iterable[Context] = ()) -> dict[str, SuggestionPool]:
    """Return the suggestions of each arm that has a file of them. Raises `InvalidInput` that names file and line.

    They are on contexts of the round's file, and on those that are `offered` already.
    """
    arms = {name: arm.suggestions for name, arm in settings.terms.arms.items() if arm.suggestions is not None}
    if not arms:
        return {}
    contexts = {context.id: context for context in (*load_contexts(settings), *offered)}
    return {name: _read(settings, f"round.arms.{name}.suggestions", file, contexts) for name, file in arms.items()}


def suggestions_told(planned: PlannedRound) -> dict[str, str]:
    """Return for each arm with suggestions how many there are, and how many HITs have none. Raises as above."""
    if all(arm.suggestions is None for arm in planned.settings.terms.arms.values()):
        return {}
    contexts = {context.id: context for context in planned.contexts()}
    slots = [
        TaskItem(contexts[name], planned.prompt(contexts[name], slot))
        for name, slot in planned.slots([*contexts.values()])
    ]
    told = {}
    for arm, pool in suggestion_pools(planned.settings, contexts.values()).items():
        number = sum(len(pool.by_context.get(name, ())) for name in contexts)
        without = sum(not pool.fitting(each) for each in slots)
        told[arm] = f"{number:,}; {without:,} of {len(slots):,} HITs have none"
    return told


def _read(settings: Settings, key: str, file: str, contexts: dict[str, Context]) -> SuggestionPool:
    path, kind = settings.task_dir / file, settings.kind
    assert kind.suggestions is not None, "settings are checked"
    gold = GoldGuard(kind.writing)
    places: dict[str, str] = {}
    by_context = defaultdict[str, list[Suggested]](list)
    for record in read_records(path, key, NEEDED):
        row = row_of(record, _Row, key, NEEDED)
        context = contexts.get(row.context_id)
        if context is None:
            raise InvalidInput(key, f"{record.place}: {settings.contexts.name} has no context {row.context_id[:80]!r}.")
        content = _content(kind.suggestions, record, key)
        try:
            content = kind.suggestions.check(content, context)
            gold.refuse(content, context)
        except InvalidInput as error:
            raise InvalidInput(key, f"{record.place}: {error.field}: {error}") from None
        name = row.id or short_hash(context.id, row.model, content.model_dump_json())
        if name in places:
            raise InvalidInput(key, f"{record.place}: the suggestion stands in {places[name]} already, under {name!r}.")
        places[name] = record.place
        by_context[context.id].append(Suggested(name, row.model, content))
    if not by_context:
        raise InvalidInput(key, f"{path} holds no suggestions.")
    return SuggestionPool(by_context, kind.suggestions)


def _content(rules: Suggestions, record: Record, key: str) -> Value:
    fields = {name: value for name, value in record.fields.items() if name not in _Row.model_fields}
    try:
        return rules.suggestion_type.model_validate(fields)
    except ValidationError as error:
        fault = first_fault(error, "row")
        names = ", ".join(_names(rules))
        raise InvalidInput(
            key, f"{record.place}: {fault.place}: {fault.reason}. Beside {NEEDED} a suggestion has: {names}."
        ) from None


def _names(rules: Suggestions) -> Iterable[str]:
    for name, field in rules.suggestion_type.model_fields.items():
        yield name if field.is_required() else f"{name} (optional)"
