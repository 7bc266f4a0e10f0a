"""Types in words, and records as tables: what a reference says of any declared record."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from beat_the_ai.rules.options import NO_OPTION

NAMES = {
    str: "text",
    bool: "true/false",
    int: "integer",
    float: "number",
    Decimal: "number",
    datetime: "ISO 8601 time",
    Path: "path",
    Any: "any",
    dict: "object",
}
BOUNDS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<", "min_length": "length ≥", "max_length": "length ≤"}


@dataclasses.dataclass(frozen=True)
class Field:
    """One field of a record. `default` is None where a value has to be given."""

    name: str
    type: str
    default: str | None
    meaning: str


def fields(record: type[Any]) -> Iterator[Field]:
    """Yield the fields of a pydantic model or of a dataclass."""
    if issubclass(record, BaseModel):
        for name, info in record.model_fields.items():
            yield Field(name, _type(info.annotation, info.metadata), _model_default(info), info.description or "")
        return
    hints = get_type_hints(record, include_extras=True)
    for field in dataclasses.fields(record):
        if field.metadata.items() >= NO_OPTION.items():
            continue
        yield Field(field.name, _type(hints[field.name], ()), _dataclass_default(field), "")


def _model_default(info: FieldInfo) -> str | None:
    if info.default_factory is not None:
        return shown(info.default_factory())  # type: ignore[call-arg]
    return None if info.default is PydanticUndefined else shown(info.default)


def _dataclass_default(field: dataclasses.Field[Any]) -> str | None:
    if field.default_factory is not dataclasses.MISSING:
        return shown(field.default_factory())
    return None if field.default is dataclasses.MISSING else shown(field.default)


def shown(value: Any) -> str:
    """Return a value as configurations write it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, BaseModel) or dataclasses.is_dataclass(value):
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Collection) and not isinstance(value, str):
        return "[" + ", ".join(shown(one) for one in value) + "]"
    return str(value) or '""'


def _type(annotation: Any, metadata: Sequence[Any]) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0], [*arguments[1:], *metadata])
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        name = " or ".join(f"`{one.value}`" for one in annotation)
    elif origin is Literal:
        name = " or ".join(f"`{one}`" for one in arguments)
    elif origin in (Union, types.UnionType):
        name = " or ".join("null" if one is types.NoneType else _type(one, ()) for one in arguments)
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        name = f"object of {_grouped(arguments[1])}"
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Collection):
        name = f"list of {_grouped(arguments[0])}"
    elif isinstance(annotation, TypeVar):
        name = f"the kind's {annotation.__name__.removesuffix('T').lower()}"
    else:
        name = NAMES.get(annotation) or record_name(annotation)
    return ", ".join([name, *(bound for one in metadata for bound in _bounds(one))])


def _grouped(annotation: Any) -> str:
    name = _type(annotation, ())
    return f"({name})" if " or " in name else name


def record_name(record: type[Any]) -> str:
    """Return the name of a record without its type parameters."""
    return re.sub(r"\[.*", "", record.__name__).lstrip("_")


def _bounds(constraint: Any) -> Iterator[str]:
    for part in getattr(constraint, "metadata", None) or [constraint]:
        for name, sign in BOUNDS.items():
            if (bound := getattr(part, name, None)) is not None:
                yield f"{sign} {bound:,}"


def inner_records(record: type[Any]) -> Iterator[type[Any]]:
    """Yield the records in the fields of a record, at any depth, each before those within it."""
    for annotation in get_type_hints(record, include_extras=True).values() if record.__annotations__ else ():
        yield from _records_in(annotation)


def _records_in(annotation: Any) -> Iterator[type[Any]]:
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or dataclasses.is_dataclass(annotation)):
        yield annotation
        yield from inner_records(annotation)
    for argument in get_args(annotation):
        yield from _records_in(argument)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n" for cells in lines)


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def record_section(record: type[Any], heading: str, *, deep: bool = True, seen: set[str] | None = None) -> str:
    """Return what a record's docstring says, and its fields; with `deep` the records within it, too."""
    seen = set() if seen is None else seen
    level = heading.partition(" ")[0]
    sections = []
    for one in dict.fromkeys([record, *(inner_records(record) if deep else ())]):
        name = record_name(one)
        if name in seen:
            continue
        seen.add(name)
        about = "" if _is_silent(one) else " ".join((one.__doc__ or "").split())
        title = heading if one is record else f"#{level} {name}"
        sections.append("\n\n".join(part for part in (title, about, field_table(one)) if part))
    return "\n".join(sections)


def _is_silent(record: type[Any]) -> bool:
    return not record.__doc__ or record.__doc__.startswith(f"{record.__name__}(") or record.__doc__ == BaseModel.__doc__


def field_table(record: type[Any]) -> str:
    """Return the fields as a table, without the columns in which nothing stands."""
    listed = list(fields(record))
    rows = [
        (code(one.name), one.type, "required" if one.default is None else code(one.default), one.meaning)
        for one in listed
    ]
    header = ("field", "type", "default", "meaning")
    kept = [
        place
        for place in range(len(header))
        if place < 2 or (any(one.default for one in listed) if place == 2 else any(row[place] for row in rows))
    ]
    return table([header[place] for place in kept], ([row[place] for place in kept] for row in rows))
