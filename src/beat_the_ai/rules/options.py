"""Options of a configuration as the dataclass that they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault

T = TypeVar("T")


NO_OPTION = {"option": False}  # the metadata of a field that no configuration sets


def configured(of: type[T], section: str, options: Mapping[str, Any]) -> T:
    """Raises `InvalidInput` that names the option and what is wrong with it."""
    every = fields(of)  # type: ignore[arg-type]  # a dataclass
    names = [field.name for field in every if field.metadata.get("option", True)]
    for name in options:
        if name not in names:
            raise InvalidInput(section, f"{section}.{name} is no option. Allowed: {', '.join(names)}.")
    try:
        return cast(T, _adapter(cast(Any, of)).validate_python(dict(options)))
    except ValidationError as error:
        fault = first_fault(error, "")
        place = f"{section}.{fault.place}".removesuffix(".")
        raise InvalidInput(place, f"{place}={fault.given!r}: {fault.reason}.") from None


@cache
def _adapter(of: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(of)
