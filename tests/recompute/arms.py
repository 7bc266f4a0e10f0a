"""Arms of a round: the figures of their writers in the report, and their counts in the card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pandas as pd

from tests.recompute.campaign import Kind, Section, errors
from tests.recompute.cells import NONE, dollars, jackknifed, less
from tests.recompute.files import Export, is_true

CARD = re.compile(r"^## Arms of round (\d+)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)


def arms_of(export: Export) -> dict[int, dict[str, str]]:
    """Return the arms of each round with their settings, in the order of the card: no table has those."""
    return {
        int(number): {
            name: settings
            for name, settings, *_ in (line.strip("| ").split(" | ") for line in table.splitlines())
            if name not in ("arm", "---")
        }
        for number, text in CARD.findall(export.card)
        for table in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    }


def report_sections(export: Export, kind: Kind) -> dict[str, Section]:
    return {
        f"Do the arms differ? Round {number}": _compared(export, kind, number, list(arms))
        for number, arms in arms_of(export).items()
    }


def card_tables(export: Export, kind: Kind) -> dict[str, Section]:
    made = {}
    for number, arms in arms_of(export).items():
        mine = export.attempts[export.attempts["in_part"] & (export.attempts["round"] == number)]
        rows = []
        for name, settings in arms.items():
            of_arm = mine[mine["arm"] == name]
            counts = (of_arm["worker"].nunique(), len(of_arm), of_arm["dropped"].isna().sum())
            rows.append([name, settings, *(f"{count:,}" for count in counts)])
        made[f"Arms of round {number}: arm"] = Section(
            ["arm", "settings of its own", "writers", "attempts", kind.works], rows
        )
    return made


def _compared(export: Export, kind: Kind, number: int, arms: list[str]) -> Section:
    taken = export.assignments
    taken = taken[(taken["stage"] == "writing") & (taken["round"] == number)]
    hits = taken[taken["dropped"].isna()]
    first = arms[0]
    rows = [["workers drawn", name, f"{taken[taken['arm'] == name]['worker'].nunique():,}", NONE] for name in arms]
    rows += [
        ["workers whose HITs count", name, f"{hits[hits['arm'] == name]['worker'].nunique():,}", NONE] for name in arms
    ]
    sums = _sums(export, kind, number, taken, hits)
    for figure, above, below, cell, is_share in _figures(export, kind, number):
        pairs = {name: _pairs(sums[sums["arm"] == name], above, below) for name in arms}
        for name in arms:
            less = NONE if name == first else _less(pairs[name], pairs[first], cell, is_share=is_share)
            rows.append([figure, name, _value(pairs[name], cell, is_share=is_share), less])
    return Section(["figure", "arm", "value (95% interval)", f"less that of {first}"], rows)


def _sums(export: Export, kind: Kind, number: int, taken: pd.DataFrame, hits: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of each writer, with the arm."""
    attempts = export.attempts[export.attempts["round"] == number]
    trials = errors(export)
    trials = trials[trials["round"] == number]
    tried, decided = trials[trials["judged"]], trials[trials["decided"].astype(bool)]
    made_of = tried[tried["suggestion"].notna()] if "suggestion" in tried else tried[:0]
    unchanged = made_of[[not each["edited"] for each in made_of.get("suggestion", [])]]
    voted = attempts[attempts["context_part"].notna() & attempts["validation"].isin(["valid", "invalid"])]
    kept = attempts[attempts["dropped"].isna()]

    def count(rows: pd.DataFrame) -> pd.Series:
        return rows.groupby("worker").size()

    with_suggestions = [name for name, settings in arms_of(export)[number].items() if "suggestions" in settings]
    sums = {
        "tries": count(tried),
        "wins": count(tried[is_true(tried["fooled"])]),
        "decided": count(decided),
        "verified": count(decided[decided["verified"].astype(bool)]),
        "minutes": hits["seconds"].astype(float).groupby(hits["worker"]).sum() / 60,
        "voted": count(voted),
        "kept": count(voted[voted["validation"] == "valid"]),
        "assisted": count(tried[tried["arm"].isin(with_suggestions)]),
        "suggested": count(made_of),
        "unchanged": count(unchanged),
        "cents": taken["earned_cents"].fillna(0).astype(int).groupby(taken["worker"]).sum(),
        "examples": count(kept[kind.beaten(kept)]),
    }
    found = pd.DataFrame(sums).fillna(0)
    return found.assign(arm=taken[taken["arm"].notna()].groupby("worker")["arm"].first())


Cell = Callable[[float, str], str]


def _figures(export: Export, kind: Kind, number: int) -> Iterator[tuple[str, str, str, Cell, bool]]:
    def number_cell(value: float, _: str) -> str:
        return f"{value:.2f}"

    def share_cell(value: float, plus: str) -> str:
        return f"{100 * value:.1f}" if plus else f"{value:.1%}"

    def amount_cell(value: float, _: str) -> str:
        return dollars(value)

    yield "tries per win", "tries", "wins", number_cell, False
    yield "minutes per win", "minutes", "wins", number_cell, False
    yield "model error rate, unverified", "wins", "tries", share_cell, True
    if kind.checked:
        yield "model error rate, verified", "verified", "decided", share_cell, True
        yield f"{kind.kept}, of the decided", "kept", "voted", share_cell, True
    if any("suggestions" in settings for settings in arms_of(export)[number].values()):
        yield "tries made of a suggestion", "suggested", "assisted", share_cell, True
        yield "tries that are a suggestion, unchanged", "unchanged", "assisted", share_cell, True
    name = f"writers' pay for a {kind.work} in the dataset that beat the model"
    yield name, "cents", "examples", amount_cell, False


def _pairs(sums: pd.DataFrame, above: str, below: str) -> pd.DataFrame:
    """Return the numerators and denominators of those who have any, in ascending order."""
    pairs = sums[[above, below]].astype(float).round(9)
    return pairs[(pairs != 0).any(axis=1)].sort_values([above, below])


def _value(pairs: pd.DataFrame, cell: Cell, *, is_share: bool) -> str:
    estimate = _estimate(pairs, is_share=is_share)
    return _told(estimate, cell) if estimate else NONE


def _less(pairs: pd.DataFrame, first: pd.DataFrame, cell: Cell, *, is_share: bool) -> str:
    mine, other = _estimate(pairs, is_share=is_share), _estimate(first, is_share=is_share)
    return _told(less(mine, other), cell, plus="+") if mine and other else NONE


def _estimate(pairs: pd.DataFrame, *, is_share: bool) -> tuple[float, ...]:
    """Return the ratio of the sums, with its interval if it has one; nothing if the denominator is 0."""
    return jackknifed(pairs.to_numpy(), is_share=is_share) if pairs.iloc[:, 1].sum() else ()


def _told(values: tuple[float, ...], cell: Cell, plus: str = "") -> str:
    value, *ends = (_signed(each, cell, plus) for each in values)
    return f"{value} ({' to '.join(ends)})" if ends else value


def _signed(value: float, cell: Cell, plus: str) -> str:
    told = cell(abs(value), plus)
    return f"{'−' if value < 0 and re.search('[1-9]', told) else plus}{told}"
