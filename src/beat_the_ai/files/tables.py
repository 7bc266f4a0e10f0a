"""Tables of text (CSV, and columns between tabs), and of Arrow (Parquet, Arrow's own files)."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput

PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
_DELIMITERS = "\t,;|"
_LINE_END = re.compile(r"\r\n?|\n")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def table_rows(text: str, path: Path, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a table with a header, each with its line; an empty cell is none.

    Cells of JSON are parsed, unless some of the column are text: then a bracket belongs to the text.

    Raises `InvalidInput` under `key` that names the line.
    """
    first, body = _first_line(text)
    skipped = first[:5].lower().startswith("sep=")  # as Excel tells itself
    body = body if skipped else text
    header_line = _first_line(body.lstrip("\r\n"))[0]
    delimiter = first[4:5] if skipped else max(_DELIMITERS, key=header_line.count)
    lines = _lines(body, delimiter or ",", path, key)
    header = [name.strip() for name in next(lines, (0, []))[1]]
    _check_header(header, path, key)
    rows = [(number + skipped, cells) for number, cells in lines]
    for line, cells in rows:
        if len(cells) != len(header):
            raise InvalidInput(
                key,
                f"{path}, line {line} has {len(cells)} fields, and the header names {len(header)}. Correct the line.",
            )
    columns = zip(*(cells for _, cells in rows), strict=True)
    are_json = [all(cell[0] in "{[" for cell in column if cell) for column in columns]
    for line, cells in rows:
        named = zip(header, cells, are_json, strict=True)
        yield line, {name: _cell(cell, is_json) for name, cell, is_json in named if name and cell}


def _first_line(text: str) -> tuple[str, str]:
    """Return the first line, and the text after it. Old Macs end lines with a carriage return."""
    end = _LINE_END.search(text)
    return (text[: end.start()], text[end.end() :]) if end else (text, "")


def arrow_rows(content: bytes, path: Path, key: str) -> list[dict[str, Any]]:
    """Return the rows of a Parquet or Arrow file; numbers of classes come as the names that the file has for them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pa.BufferReader(content)
    try:
        if content.startswith(PARQUET):
            table = pq.read_table(source)
        elif content.startswith(ARROW_FILE):
            table = pa.ipc.open_file(source).read_all()
        else:
            table = pa.ipc.open_stream(source).read_all()
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InvalidInput(key, f"{path} cannot be read: it is a damaged Parquet or Arrow file.") from error
    classes = _classes(table.schema.metadata or {}, path, key)
    for row in rows:
        for column, names in classes.items():
            if isinstance(row.get(column), int) and 0 <= row[column] < len(names):
                row[column] = names[row[column]]
    return rows


def _classes(metadata: Mapping[bytes, bytes], path: Path, key: str) -> dict[str, list[str]]:
    """Return the names of classes by column, as the library `datasets` keeps them in a file's schema."""
    try:
        features = json.loads(metadata.get(b"huggingface", b"{}")).get("info", {}).get("features", {})
        return {
            column: list(feature["names"])
            for column, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" and feature.get("names")
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise InvalidInput(
            key, f"{path}: the metadata `huggingface` of its schema is not as `datasets` has it."
        ) from error


def _lines(text: str, delimiter: str, path: Path, key: str) -> Iterator[tuple[int, list[str]]]:
    if delimiter == "\t" and (plain := _unquoted(text)) is not None:
        yield from plain
        return
    csv.field_size_limit(sys.maxsize)  # of passages, the default is too short
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for cells in reader:
            if any(cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(key, f"{path}, line {begins}: no row of a table: {error}.") from None


def _unquoted(text: str) -> list[tuple[int, list[str]]] | None:
    """Return the rows of a table whose quotation marks are text, as SNLI's, MultiNLI's and XNLI's; none of others."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
    rows = [(number, line.split("\t")) for number, line in lines if line.strip()]
    cells = [cell for _, row in rows for cell in row if '"' in cell]
    is_text = not all(_QUOTED.fullmatch(cell) for cell in cells)
    return rows if len({len(row) for _, row in rows}) <= 1 and is_text else None


def _check_header(header: Sequence[str], path: Path, key: str) -> None:
    [(repeated, times)] = Counter(filter(None, header)).most_common(1) or [("", 0)]
    if times > 1:
        raise InvalidInput(key, f"{path}, line 1: the header names {repeated[:80]!r} {times} times.")


def _cell(text: str, is_json: bool) -> Any:
    if text[0] not in "{[":
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _printed(text) if text[0] == "{" and is_json else text
    are_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return value if is_json or are_texts else text


def _printed(text: str) -> Any:
    """Return what pandas and `datasets` have printed into a cell: {'text': array(['x'], dtype=object)}."""
    try:
        return _literal(ast.parse(text, mode="eval").body)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return text


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Dict):
        return {_literal(name): _literal(value) for name, value in zip(node.keys, node.values, strict=True) if name}
    if isinstance(node, ast.List):
        return [_literal(each) for each in node.elts]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "array" and node.args:
        return _literal(node.args[0])
    return ast.literal_eval(node)
