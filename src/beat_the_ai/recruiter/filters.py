"""The filters of a study: groups of participants decide who sees it, all other filters are kept and ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pydantic import Field

from beat_the_ai.recruiter.reading import Given, Id

ALLOWED, BLOCKED = "participant_group_allowlist", "participant_group_blocklist"
ALL_OF, ANY_OF = "and", "or"
MAX_DEPTH = 5

Filter = dict[str, Any]


class SelectFilter(Given):
    """A filter by values that are selected."""

    filter_id: Id
    selected_values: list[Id] = Field(max_length=10_000)
    weightings: dict[str, float] | None = None


class Range(Given):
    """The bounds of a range; None is the lowest or the highest possible value."""

    lower: int | float | str | None = None
    upper: int | float | str | None = None


class WeightedRange(Given):
    """The weight of a range."""

    selected_range: Range
    weighting: float


class RangeFilter(Given):
    """A filter by a range of values."""

    filter_id: Id
    selected_range: Range
    weightings: dict[str, WeightedRange] | None = None


def read_filter(given: Any, depth: int = 1) -> Filter:
    """Return a filter with the members that the document gives it. Raises `ValueError`."""
    if not isinstance(given, dict) or not isinstance(given.get("filter_id"), str):
        raise ValueError("a filter is an object with a filter_id")  # noqa: TRY004 - pydantic expects it
    if given["filter_id"] in (ALL_OF, ANY_OF):
        children = given.get("selected_filters")
        if depth == MAX_DEPTH or not isinstance(children, list):
            raise ValueError(f"a group of filters has a list selected_filters, at most {MAX_DEPTH} groups deep")
        return {"filter_id": given["filter_id"], "selected_filters": [read_filter(one, depth + 1) for one in children]}
    record = RangeFilter if "selected_range" in given else SelectFilter
    return record.model_validate(given).model_dump(exclude_none=True)


def groups_in(filters: list[Filter]) -> Iterator[str]:
    """Yield the ids of all groups that filters name."""
    for one in filters:
        if one["filter_id"] in (ALL_OF, ANY_OF):
            yield from groups_in(one["selected_filters"])
        elif one["filter_id"] in (ALLOWED, BLOCKED):
            yield from one["selected_values"]


def lets_in(filters: list[Filter], is_member: Callable[[str], bool]) -> bool:
    """Return whether the filters let a participant in, who `is_member` of some groups."""
    return all(_passes(one, is_member) for one in filters)


def _passes(one: Filter, is_member: Callable[[str], bool]) -> bool:
    if one["filter_id"] == ALLOWED:
        return any(map(is_member, one["selected_values"]))
    if one["filter_id"] == BLOCKED:
        return not any(map(is_member, one["selected_values"]))
    if one["filter_id"] == ALL_OF:
        return lets_in(one["selected_filters"], is_member)
    if one["filter_id"] == ANY_OF:
        return any(_passes(child, is_member) for child in one["selected_filters"])
    return True
