"""The tables and figures of the data card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product

import pandas as pd

from tests.recompute.campaign import Kind, Section, decided_works
from tests.recompute.cells import clustered_rate
from tests.recompute.files import PARTS, Export, is_true

EXCLUDED = {
    "discarded": "of writers whose work is discarded",
    "not_handed_in": "in a HIT that was never handed in",
    "not_confirmed": "in a HIT that the crowd has not confirmed yet",
    "set_aside": "in a HIT that the crowd does not have from that worker",
}
DROPPED = {
    "model_right": "the model was right",
    "retracted": "taken back by the writer",
    "invalid": "other people say otherwise",
    "undecided": "too few votes of other people",
    "not_validated": "not looked at by other people",
    "unbalanced": "left out to balance the part",
    "surplus": "more than the part is to have",
    "doubtful": "a reviewer has still to look at it",
    "rejected": "a reviewer did not admit it",
}


def read_card(text: str) -> dict[str, list[list[str]]]:
    """Return the tables of a card by their headings: the first column's name, after that of the section."""
    found: dict[str, list[list[str]]] = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        for block in re.findall(r"(?:^\|.*\|\n)+", body, re.MULTILINE):
            rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in block.splitlines()]
            found[f"{title}: {rows[0][0]}"] = [rows[0], *rows[2:]]
    return found


def card_tables(export: Export, kind: Kind) -> dict[str, Section]:
    made = {
        "Size: part": _sizes(export, kind),
        "Checked by other people: part": _checked(export),
        "Not in the dataset: attempts": _dropped(export),
        "Not in the dataset: attempts in no part": _excluded(export),
    }
    return {title: section for title, section in made.items() if section.rows}


def _sizes(export: Export, kind: Kind) -> Section:
    rows = []
    for part in export.shown_parts:
        mine = export.part(part)
        kept, judged = mine[mine["dropped"].isna()], mine[mine["judged"]]
        counts = (kept["context"].nunique(), len(kept), len(mine))
        rows.append([part, *(f"{count:,}" for count in counts), clustered_rate(judged["fooled"], judged["worker"])])
    return Section(["part", kind.contexts, kind.works, "attempts", "model beaten (95% interval)"], rows)


def _checked(export: Export) -> Section:
    header = ["part", "valid", "invalid", "undecided", "valid of the decided (95% interval)", "valid in the dataset"]
    if export.attempts["validation"].isna().all():
        return Section(header, [])
    rows = []
    for part in export.shown_parts:
        said = Counter(export.checked(part)["validation"])
        kept = export.part(part)
        kept = kept[kept["dropped"].isna() & (kept["validation"] == "valid")]
        decided = decided_works(export, part)
        valid = clustered_rate(decided["validation"] == "valid", decided["worker"])
        rows.append([part, *(f"{said[name]:,}" for name in header[1:4]), valid, f"{len(kept):,}"])
    return Section(header, rows)


def _dropped(export: Export) -> Section:
    mine = export.attempts[export.attempts["in_part"] & export.attempts["dropped"].notna()]
    counts = Counter(zip(mine["part"], mine["dropped"], strict=True))
    rows = [[why, *(f"{counts[part, name]:,}" for part in PARTS)] for name, why in DROPPED.items()]
    return Section(["attempts", *PARTS], [row for row in rows if set(row[1:]) != {"0"}])


def _excluded(export: Export) -> Section:
    counts = Counter(export.attempts[~export.attempts["in_part"]]["dropped"])
    rows = [[why, f"{counts[name]:,}"] for name, why in EXCLUDED.items() if counts[name]]
    return Section(["attempts in no part", "number"], rows)


def card_sentences(export: Export, kind: Kind) -> list[str]:
    """Return what the card has to say outside of its tables."""
    attempts = export.attempts
    mine, judged = attempts[attempts["in_part"]], attempts[attempts["judged"]]
    kept = export.kept
    told = [
        f"No {kind.context} is in two parts",
        f"Each is a {kind.work}: {len(kept):,} of them, on {kept['context'].nunique():,} {kind.contexts}.",
    ]
    if len(judged):
        beaten = clustered_rate(judged["fooled"], judged["worker"])
        told.append(f"All {len(mine):,} attempts are in a table beside them.")
        told.append(f"Over all {len(mine):,} attempts the model was beaten in {beaten} of those not taken back.")
    said = [vote for votes in attempts["votes"] for vote in votes]
    if attempts["validation"].notna().any():
        told.append(f"{len({vote['worker'] for vote in said}):,} people gave {len(said):,} votes")
        if uncounted := sum(not vote["counts"] for vote in said):
            told.append(f", {uncounted:,} of which do not count")
        told += _contents(export, kind)
    if discarded := attempts[attempts["dropped"] == "discarded"]["worker"].nunique():
        told.append(f"Writers all of whose work is discarded: {discarded:,}.")
    days = sorted(each[:10] for each in mine["created_at"])
    models = sorted({(model["name"], model["hash"][:16], model["precision"]) for model in mine["model"]})
    told += [
        f"- rounds: {', '.join(str(number) for number in sorted(set(mine['round'])))}\n",
        f"- writers: {mine['worker'].nunique():,}\n",
        f"- model in the loop: {'; '.join(f'{name} (weights {weights}, {of})' for name, weights, of in models)}\n",
        *([f"- written from: {days[0]} to {days[-1]} (UTC)\n"] if days else []),
        *_balances(export),
        *_wanted(export),
    ]
    return told


def _contents(export: Export, kind: Kind) -> list[str]:
    kept = export.kept
    beaten = kind.beaten(kept)
    unconfirmed = set(kept[beaten & (kept["validation"] != "valid")]["part"])
    with_wins, right = set(kept[beaten]["part"]), set(kept[~beaten]["part"])
    works = kind.works
    told = {
        f"hold only valid {works} of those that beat the model": with_wins - unconfirmed,
        f"also hold {works} that beat the model and that nobody has confirmed": unconfirmed,
        f"also hold {works} that did not beat the model": right,
    }
    return [
        f"Parts that {what}: {', '.join(part for part in PARTS if part in named)}."
        for what, named in told.items()
        if named
    ]


def _wanted(export: Export) -> list[str]:
    told = []
    for line, part, number in re.findall(r"^(- (\w+) of round (\d+) is to have [^;]+); ", export.card, re.MULTILINE):
        mine = export.kept[(export.kept["part"] == part) & (export.kept["round"] == int(number))]
        told.append(f"{line}; it has {len(mine):,}.")
    return told


def _balances(export: Export) -> list[str]:
    """By as many columns as leave no combination without an example: so many of each."""
    told = []
    for part, number, columns in re.findall(
        r"^- (\w+) of round (\d+) is balanced by ([^:]+):", export.card, re.MULTILINE
    ):
        mine = export.kept
        mine = mine[(mine["part"] == part) & (mine["round"] == int(number))]
        wanted = len(columns.split(" and "))
        cells = Counter(tuple(stratum[:wanted]) for stratum in mine["stratum"])
        assert set(cells) == set(product(*(sorted(set(values)) for values in zip(*cells, strict=True)))), cells
        size = min(cells.values())
        longer = sum(number > size for number in cells.values())
        assert set(cells.values()) <= {size, size + 1}, cells
        more = f", and one more of {longer}" if longer else ""
        told.append(f"- {part} of round {number} is balanced by {columns}: {size:,} of each{more}")
    return told


def rows_of_parts(export: Export, names: Sequence[str]) -> list[str]:
    """Return how the rows of the parts differ from the attempts that are said to be in them, by a column of ids."""
    found = []
    for part, rows in export.examples.items():
        kept = list(export.kept[export.kept["part"] == part]["attempt_id"])
        column = next((name for name in names if name in rows), None)
        released = [] if column is None else list(rows[column])
        if released != kept:
            found.append(f"{part}: {len(released)} rows, {len(kept)} attempts in the dataset")
    return found


def parts_of_contexts(attempts: pd.DataFrame) -> list[str]:
    """Return the texts that are in two parts, and the works of exclusive writers outside of test."""
    mine = attempts[attempts["in_part"]]
    texts = mine.groupby("context")["part"].nunique()
    outside = mine[is_true(mine["exclusive"]) & (mine["part"] != "test")]
    return [f"in two parts: {text[:40]}" for text in texts[texts > 1].index] + [
        f"outside of test: {name}" for name in outside["attempt_id"]
    ]
