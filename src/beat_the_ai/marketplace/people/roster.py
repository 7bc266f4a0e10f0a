"""Lists of people as requesters have them: a CSV file with a header, or a line for each person.

The header names `name` (or first and last name), `email`, `group` (several: `a; b`) and `country`, in any order.
Excel's byte order mark, and semicolons or tabs between the fields, are understood. A file without a header has a name,
an e-mail address or `Name <address>` on each line. A list that has a fault is refused as a whole, with its faults.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parseaddr

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people.person import NewPerson, clean_country, clean_email, clean_group, clean_name

COLUMNS = {
    "name": "name",
    "full name": "name",
    "first name": "first",
    "given name": "first",
    "last name": "last",
    "family name": "last",
    "surname": "last",
    "email": "email",
    "e-mail": "email",
    "mail": "email",
    "email address": "email",
    "e-mail address": "email",
    "group": "group",
    "groups": "group",
    "country": "country",
}
DELIMITERS = ",;\t"
MAX_ROWS, MAX_BYTES = 100_000, 20_000_000
MAX_FIELD_CHARS = 131_072
MOST_LINE_CHARS = 400  # of a name with an address
FAULTS_SHOWN = 20


@dataclass(frozen=True)
class LineFault:
    """A line of a list that cannot be used, and the reason."""

    line: int
    reason: str


@dataclass(frozen=True)
class Roster:
    """The people on a list, each once; `repeated` counts those that are on it again."""

    people: tuple[NewPerson, ...]
    repeated: int
    faults: tuple[LineFault, ...] = ()


def read_roster(content: bytes, source: str) -> Roster:
    """Read a list. Raises `InvalidInput` with the faults, by line."""
    roster = look_through(content, source)
    if roster.faults:
        faults = [f"line {fault.line}: {fault.reason}" for fault in roster.faults]
        raise InvalidInput("list", f"{source}: nobody was added. {first_of(faults)}")
    return roster


def look_through(content: bytes, source: str) -> Roster:
    """Read a list with the faults of its lines. Raises `InvalidInput` for one that cannot be read at all."""
    text = decoded(content, source)
    first, delimiter = text.split("\n", 1)[0], delimiter_of(text)
    header = [COLUMNS.get(cell.strip().strip('"').lower()) for cell in first.split(delimiter)]
    lines = [(number, [line]) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows = rows_of(text, delimiter, source) if any(header) else lines
    if not rows:
        raise InvalidInput("list", f"{source} is empty. It needs a line for each person.")
    if any(header):
        header = [COLUMNS.get(cell.strip().lower()) for cell in rows[0][1]]
        rows = rows[1:]
        _check_header(header, rows[0:1], source)
    elif any(delimiter in row[0] and "<" not in row[0] for _, row in rows for delimiter in DELIMITERS):
        raise InvalidInput("list", f"{source} has several columns and no header. Name them: {_known()}.")
    if len(rows) > MAX_ROWS:
        raise InvalidInput("list", f"{source} has {len(rows):,} people; at most {MAX_ROWS:,} are read at once.")
    return _people(rows, header)


def _people(rows: Sequence[tuple[int, list[str]]], header: Sequence[str | None]) -> Roster:
    people: dict[tuple[str, str], NewPerson] = {}
    faults, repeated = list[LineFault](), 0
    for number, row in rows:
        try:
            person = _person(row, header)
        except InvalidInput as error:
            faults.append(LineFault(number, str(error)))
            continue
        key = ("email", person.email) if person.email else ("name", person.name)
        repeated += key in people
        people.setdefault(key, person)
    return Roster(tuple(people.values()), repeated, tuple(faults))


def _person(row: Sequence[str], header: Sequence[str | None]) -> NewPerson:
    """Raises `InvalidInput`. Whoever has an e-mail address and no name is called as the address before the @."""
    if not any(header):
        [given] = row
        if len(given) > MOST_LINE_CHARS:
            raise InvalidInput("line", f"{len(given):,} characters; a name and an address have {MOST_LINE_CHARS}.")
        name, address = parseaddr(given) if "@" in given else (given, "")
        return _described({key: text for key, text in (("name", name), ("email", address)) if text.strip()})
    if len(row) > len(header) and any(cell.strip() for cell in row[len(header) :]):
        raise InvalidInput("line", f"{len(row)} fields, and the header names {len(header)}.")
    cells = dict[str, str]()
    for column, cell in zip(header, row, strict=False):
        if column is not None and cell.strip():
            cells[column] = f"{cells[column]}; {cell}" if column in cells else cell
    return _described(cells)


def _described(cells: dict[str, str]) -> NewPerson:
    email = clean_email(cells["email"]) if "email" in cells else None
    if full := " ".join(cells[part] for part in ("first", "last") if part in cells):
        cells = {"name": full, **cells}
    if "name" not in cells and email is None:
        raise InvalidInput("line", "a name or an e-mail address is needed.")
    name = cells["name"] if "name" in cells else str(email).partition("@")[0]
    groups = [clean_group(part) for part in cells.get("group", "").split(";") if part.strip()]
    country = clean_country(cells["country"]) if "country" in cells else NewPerson.country
    return NewPerson(clean_name(name), email, tuple(dict.fromkeys(groups)), country)


def _check_header(header: Sequence[str | None], following: Sequence[object], source: str) -> None:
    if not {"name", "first", "last", "email"} & set(header):
        raise InvalidInput("list", f"{source}: the header has neither name nor email. It may have: {_known()}.")
    if not following:
        raise InvalidInput("list", f"{source} has a header and nobody below it.")


def _known() -> str:
    return "name, email, group, country"


def decoded(content: bytes, source: str) -> str:
    """Return the text of a list. Raises `InvalidInput`."""
    if len(content) > MAX_BYTES:
        raise InvalidInput("list", f"{source} has {len(content):,} bytes; at most {MAX_BYTES:,} are read.")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            "list", f"{source} is no text in UTF-8 (byte {error.start:,}). Save it again as CSV in UTF-8."
        ) from None


def first_of(faults: Sequence[str]) -> str:
    """Return the first faults of a list in words, and how many more there are."""
    more = f" and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
    return " ".join(faults[:FAULTS_SHOWN]) + more


def delimiter_of(text: str) -> str:
    """Return the sign between fields that the first line has most."""
    return max(DELIMITERS, key=text.split("\n", 1)[0].count)


def rows_of(text: str, delimiter: str, source: str) -> list[tuple[int, list[str]]]:
    """Return the rows with anything in them, and the number of the line on which each ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidInput("list", f"{source}, line {reader.line_num}: {error}.") from None
    for number, row in rows:
        if max(map(len, row)) > MAX_FIELD_CHARS:  # csv's own limit is the process's, and others may have raised it
            raise InvalidInput("list", f"{source}, line {number}: field larger than field limit ({MAX_FIELD_CHARS}).")
    return rows
