"""Requests checked against the service model, in full.

boto3 checks only required and unknown members, types and minimum lengths; enums, patterns and maxima are the
service's to refuse. The messages are those of AWS's own servers: "1 validation error detected: Value '0.9752' at
'bonusAmount' failed to satisfy constraint: …" [seen: Dallinger #1052, boto3 #1223].
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from functools import cache
from typing import Any

from botocore.model import ListShape, OperationModel, Shape, StringShape, StructureShape

from beat_the_ai.marketplace.errors import ParameterInvalid

SHOWN_CHARACTERS = 200
INTEGER = range(-(2**31), 2**31)
LONG = range(-(2**63), 2**63)
EARLIEST, LATEST = 0.0, datetime(9999, 1, 1, tzinfo=timezone.utc).timestamp()


class Unserializable(ParameterInvalid):
    """A value of another type than the model's, or no JSON at all."""

    type_name = "SerializationException"


def read_request(operation: OperationModel, body: bytes) -> dict[str, Any]:
    """The request's members; timestamps as datetimes, null members left out. Raises `ParameterInvalid`."""
    try:
        given = json.loads(body or b"{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Unserializable("The request body is not JSON.") from None
    assert operation.input_shape is not None
    return read_members(operation.input_shape, given, operation.name)


def read_members(shape: Shape, given: Any, name: str) -> dict[str, Any]:
    """The members of a structure, checked in full; `name` is the structure's. Raises `ParameterInvalid`."""
    request = _converted(shape, given, name)
    problems = list(_problems(shape, request, ""))
    if problems:
        plural = "s" if len(problems) > 1 else ""
        raise ParameterInvalid(f"{len(problems)} validation error{plural} detected: {'; '.join(problems)}")
    return dict(request)


def _refuse_constant(text: str) -> None:
    raise ValueError(text)


def _converted(shape: Shape, value: Any, path: str) -> Any:
    """The value in Python's types. Raises `Unserializable` at the first that is of another one."""
    if isinstance(shape, StructureShape):
        return _structure(shape, _of_type(value, dict, path, shape), path)
    if isinstance(shape, ListShape):
        items = _of_type(value, list, path, shape)
        return [_converted(shape.member, item, f"{path}.{number}") for number, item in enumerate(items, start=1)]
    if shape.type_name == "timestamp":
        return _timestamp(value, path)
    if shape.type_name == "boolean":
        return _of_type(value, bool, path, shape)
    if shape.type_name in ("integer", "long"):
        return _whole_number(shape, value, path)
    assert shape.type_name == "string", shape.type_name
    return _text(_of_type(value, str, path, shape), path)


def _structure(shape: StructureShape, value: Mapping[str, Any], path: str) -> dict[str, Any]:
    for name in value:
        if name not in shape.members:
            known = ", ".join(shape.members) or "none"
            raise ParameterInvalid(f"Unknown parameter {name[:80]!r} in {path}. Known ones: {known}.")
    present = {name: inner for name, inner in value.items() if inner is not None}
    return {name: _converted(shape.members[name], inner, _join(path, name)) for name, inner in present.items()}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _of_type(value: Any, kind: type, path: str, shape: Shape) -> Any:
    if not isinstance(value, kind):
        raise Unserializable(f"{path}: a {type(value).__name__} can not be converted to a {shape.type_name}.")
    return value


def _text(value: str, path: str) -> str:
    """Lone surrogates are JSON but no text, and U+0000 cannot be stored in PostgreSQL."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Unserializable(f"{path}: the string is not valid Unicode.") from None
    if "\0" in value:
        raise ParameterInvalid(f"{path}: the character U+0000 is not allowed.")
    return value


def _whole_number(shape: Shape, value: Any, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unserializable(f"{path}: a {type(value).__name__} can not be converted to an {shape.type_name}.")
    if value not in (INTEGER if shape.type_name == "integer" else LONG):
        raise Unserializable(f"{path}: {str(value)[:40]} is too large for an {shape.type_name}.")
    return value


def _timestamp(value: Any, path: str) -> datetime:
    """Seconds since 1970, as JSON 1.1 writes them."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not EARLIEST <= value <= LATEST:
        raise Unserializable(f"{path}: {str(value)[:40]} is not a time in seconds since 1970.")
    return datetime.fromtimestamp(value, timezone.utc)


def _problems(shape: Shape, value: Any, path: str) -> Iterator[str]:
    if isinstance(shape, StructureShape):
        for name in shape.required_members:
            if name not in value:
                missing = _shown(_join(path, name))
                yield f"Value null at '{missing}' failed to satisfy constraint: Member must not be null"
        for name, inner in value.items():
            yield from _problems(shape.members[name], inner, _join(path, name))
        return
    if isinstance(shape, ListShape):
        for number, item in enumerate(value, start=1):
            yield from _problems(shape.member, item, f"{path}.{number}.member")
    for constraint in _broken(shape, value):
        shown = str(value)[:SHOWN_CHARACTERS]
        yield f"Value '{shown}' at '{_shown(path)}' failed to satisfy constraint: Member must {constraint}"


def _shown(path: str) -> str:
    """Members are named with a small first letter: bonusAmount, hITId [seen]."""
    return ".".join(part[:1].lower() + part[1:] for part in path.split("."))


def _broken(shape: Shape, value: Any) -> Iterator[str]:
    """The constraints of the shape that the value breaks."""
    limits = shape.metadata
    if isinstance(shape, StringShape) and shape.enum and value not in shape.enum:
        yield f"satisfy enum value set: [{', '.join(shape.enum)}]"
    if "pattern" in limits and not _pattern(limits["pattern"]).fullmatch(value):
        yield f"satisfy regular expression pattern: {limits['pattern']}"
    is_number = shape.type_name in ("integer", "long")
    measured, measure = (value, "value") if is_number else (_length(value), "length")
    if "min" in limits and measured < limits["min"]:
        yield f"have {measure} greater than or equal to {limits['min']}"
    if "max" in limits and measured > limits["max"]:
        yield f"have {measure} less than or equal to {limits['max']}"


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | list) else 0


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)
