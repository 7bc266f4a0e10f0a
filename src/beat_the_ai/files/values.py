"""Single values as other tools write them: ids and whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from beat_the_ai.errors import InvalidInput

ID_FIELDS = (  # in this order: predictions are often a column more in the rows of the dataset, and have the same id
    "pairID",
    "qanta_id",
    "qid",
    "id",
    "_id",
    "uid",
    "question_id",
    "example_id",
    "pair_id",
    "guid",
    "idx",
    "index",
    "fid",
)
_ID_FIELDS = frozenset(name.casefold() for name in ID_FIELDS)
_EXACT = 2**53  # above it a float does not say which whole number was meant


def id_text(value: object) -> str:
    """Return an id as text: 0 is "0", and 7.0, as pandas writes a column with a gap, is "7"; "" where there is none.

    Raises `ValueError` for what is no id.
    """
    if value is None or value != value:
        return ""
    value = whole(value)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise PydanticCustomError("id", "an id is a text or a whole number, and {given} was given", {"given": shown(value)})


def id_of(fields: Mapping[str, Any], place: str, key: str, names: Sequence[str] = ID_FIELDS) -> str:
    """Return the id of a record under the first of these names that has one, or "". Raises `InvalidInput`."""
    name = id_field(fields, names)
    try:
        return "" if name is None else id_text(fields[name])
    except ValueError as error:
        raise InvalidInput(key, f"{place}: {name} is wrong: {error}.") from None


def id_field(fields: Mapping[str, Any], names: Sequence[str] = ID_FIELDS) -> str | None:
    """Return the field that has the id: the first of these names, in any case, that is not empty."""
    filled = {field.casefold(): field for field, value in fields.items() if value not in (None, "") and value == value}
    found = (filled.get(name.casefold()) for name in names)
    return next((field for field in found if field is not None), None)


def is_id_field(name: str) -> bool:
    """Return whether a field of that name has ids."""
    return name.casefold() in _ID_FIELDS


def with_id(fields: Any) -> Any:
    """Return fields with their id under the name `id`; anything else as it is."""
    name = id_field(fields) if isinstance(fields, Mapping) else None
    return fields if name is None else {**fields, "id": fields[name]}


def whole(value: object) -> object:
    """Return 44 for 44.0, and everything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value


def _whole_number(value: object) -> int:
    found = whole(value)
    if isinstance(found, bool) or not isinstance(found, int):
        raise PydanticCustomError("whole", "a whole number instead of {given} is needed", {"given": shown(value)})
    return found


def shown(value: object) -> str:
    """Return a value for a message: what kind of value it is, and how it begins."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return f"an object with {', '.join(map(str, value))[:80] or 'nothing in it'}"
    if isinstance(value, list | tuple):
        return f"a list of {len(value):,}"
    return repr(value)[:40] if isinstance(value, str) else str(value)[:40]


def check_unique(ids: Iterable[str], where: object, key: str, called: str) -> None:
    """Raise `InvalidInput` under `key` where an id is there twice; `called` are the things in a file that have them."""
    [(repeated, times)] = Counter(ids).most_common(1) or [("", 0)]
    if times > 1:
        raise InvalidInput(key, f"{where} has {times} {called} with the id {repeated[:80]!r}; ids must be unique.")


Id = Annotated[str, BeforeValidator(id_text)]
Whole = Annotated[int, BeforeValidator(_whole_number)]
