"""JSON as others write it: a document, an object a line, or objects one after another."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.content import read_text

_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # alone or of a pair
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")  # byte order marks, too: of files put one after another


class JsonFault(ValueError):
    """A fault of a JSON text, and the line on which the faulty value begins."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _RepeatedKey(ValueError):
    pass


def json_values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each value with the line on which it begins. Only a newline ends a line. Raises `JsonFault`."""
    line, position = 1, 0
    may_have_halves = _ESCAPED_HALF.search(text) is not None
    while True:
        start = _SPACE.match(text, position).end()  # type: ignore[union-attr] # it matches nothing, too
        line += text.count("\n", position, start)
        if start == len(text):
            return
        value, position = _value(text, start, line)
        if may_have_halves and (half := next(filter(_HALF.search, _texts(value)), None)) is not None:
            raise JsonFault(line, f"{half[:80]!a} has half of a UTF-16 pair, which is no character")
        yield line, value
        line += text.count("\n", start, position)


def read_json(path: Path, key: str) -> Any:
    """Return the one value of a file. Raises `InvalidInput` under `key` that names the file and what is wrong there."""
    try:
        values = [value for _, value in json_values(read_text(path, key))]
    except JsonFault as fault:
        raise InvalidInput(key, f"{path} cannot be read as JSON: {fault}.") from None
    if len(values) != 1:
        raise InvalidInput(key, f"{path} cannot be read as JSON: it holds {len(values)} values; one is needed.")
    return values[0]


def _value(text: str, start: int, line: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonFault(line, f"{error.msg}, at line {error.lineno}, column {error.colno}") from None
    except _RepeatedKey as error:
        raise JsonFault(line, str(error)) from None
    except ValueError:
        raise JsonFault(line, "a number in it has too many digits") from None
    except RecursionError:
        raise JsonFault(line, "it is nested too deeply") from None
    return value, end


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a value, names of fields included."""
    left = [value]
    while left:
        match left.pop():
            case str(text):
                yield text
            case dict(fields):
                left += [*fields, *fields.values()]
            case list(values):
                left += values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        [(repeated, times)] = Counter(name for name, _ in pairs).most_common(1)
        raise _RepeatedKey(f"{repeated[:80]!r} stands {times} times in one object, and only one can count")
    return content


def _constant(name: str) -> float | None:
    """Return none for NaN, with which pandas and Python fill a gap."""
    return None if name == "NaN" else float(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
