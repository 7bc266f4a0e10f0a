"""The cases that only `make thorough` runs: `make test` has fewer, among which is each value that matters.

A test belongs here as a whole when others show the same with less work. pytest counts those left out ("deselected").
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def cases(values: Mapping[str, Any], usual: Container[str]) -> list[ParameterSet]:
    """Return parameters of a test by their ids: all but the usual ones are for `make thorough` alone."""
    return [
        pytest.param(value, id=name, marks=() if name in usual else pytest.mark.thorough)
        for name, value in values.items()
    ]


def names(values: Iterable[str], usual: Container[str]) -> list[ParameterSet]:
    """Return the same of values that are their own ids."""
    return cases({value: value for value in values}, usual)
