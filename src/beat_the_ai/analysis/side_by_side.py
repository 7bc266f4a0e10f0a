"""Several datasets side by side: a section for each that they have in common, with a column for each dataset.

Sections are matched by their titles. Their measures give figures, plots over each other, and differences from the first
dataset; a section without any is joined by the cells of its table. Figures that the paper's text has of its own
datasets stand in columns of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from beat_the_ai.analysis.cells import (
    bin_label,
    bin_width,
    binned,
    clustered_cell,
    clustered_spread_cell,
    share_cell,
    spread_cell,
)
from beat_the_ai.analysis.overlays import Dot, dots, lines
from beat_the_ai.rules.corpora import PublishedDataset
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Estimate, Figure, decimals, points, with_interval
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.measures import (
    Count,
    Distribution,
    Listing,
    Mean,
    Measures,
    Ranking,
    Rows,
    Share,
)
from beat_the_ai.statistics.ratios import difference
from beat_the_ai.statistics.section import Section, Table

NONE = "–"
EXPLANATION = (
    "Each table has a column per dataset, with figures and intervals as in the report of each alone. Differences "
    "are from {first}, with 95% intervals by those of both (Zou and Donner 2008); they are bold where 0 is outside. "
    "Columns called published have what the text of the paper says, and where."
)


@dataclass(frozen=True)
class ComparedDataset:
    """A dataset under a short name, and the sections of its report."""

    name: str
    sections: Sequence[Section]


class Different(str):
    """A cell with a difference whose interval leaves out 0; bold on a page."""

    __slots__ = ()

    def __html__(self) -> str:
        return Markup("<strong>{}</strong>").format(str(self))


@dataclass(frozen=True)
class _Figure:
    """A figure as a cell, its estimate, in points if it `is_share`, and what a plot shows of it."""

    cell: str
    estimate: Estimate | None = None
    is_share: bool = False
    digits: int = 2
    dot: Dot | None = None


@dataclass
class _Joined:
    """The figures of the datasets by the names of rows, in order; a plot over each other; the name of the rows."""

    figures: dict[str, list[_Figure | None]] = field(default_factory=dict)
    plot: Markup | None = None
    corner: str = "figure"


def side_by_side(datasets: Sequence[ComparedDataset], published: Sequence[PublishedDataset]) -> list[Section]:
    """Return a section for each title with measures, and for those of which two datasets have rows in common."""
    titles = dict.fromkeys(section.title for dataset in datasets for section in dataset.sections)
    names, sections = [dataset.name for dataset in datasets], []
    for title in titles:
        of_each = [_titled(dataset, title) for dataset in datasets]
        measures = [None if each is None or each.measures is None else each.measures() for each in of_each]
        if any(isinstance(each, Listing) for each in measures):
            sections.append(_listed(of_each, names))
        elif (joined := _joined(title, of_each, measures, names)) is not None:
            table = _table(title, joined, names, published)
            first = next(section for section in of_each if section is not None)
            sections.append(replace(first, table=table, plot=joined.plot, measures=None))
    return sections


def _listed(of_each: Sequence[Section | None], names: Sequence[str]) -> Section:
    """Return the rows of all sections below each other, each behind the name of its dataset."""
    known = [(name, section) for name, section in zip(names, of_each, strict=True) if section is not None]
    _, first = known[0]
    rows = [(name, *row) for name, section in known for row in section.table.rows]
    return replace(first, table=Table(("dataset", *first.table.header), rows), plot=None, measures=None)


def explanation(first: str) -> str:
    """Return what a reader of the sections has to know; `first` is the name of the first dataset."""
    return EXPLANATION.format(first=first)


def _titled(dataset: ComparedDataset, title: str) -> Section | None:
    return next((section for section in dataset.sections if section.title == title), None)


def _joined(
    title: str, sections: Sequence[Section | None], measures: Sequence[Measures | None], names: Sequence[str]
) -> _Joined | None:
    """Return None where the sections have no row in common."""
    kinds = {type(each) for each in measures if each is not None}
    if kinds == {Rows}:
        return _of_rows(title, [each if isinstance(each, Rows) else None for each in measures], names)
    if kinds == {Distribution}:
        return _of_distributions(title, [each if isinstance(each, Distribution) else None for each in measures], names)
    if kinds == {Ranking}:
        return _of_rankings([each if isinstance(each, Ranking) else None for each in measures], sections, names)
    return _of_cells([None if section is None else section.table for section in sections])


def _of_rows(title: str, of_each: Sequence[Rows | None], names: Sequence[str]) -> _Joined:
    by_name = [{} if rows is None else {each.name: _figure(each) for each in rows.figures} for rows in of_each]
    joined = _Joined(_aligned(by_name))
    drawn = {
        name: [None if figure is None else figure.dot for figure in row]
        for name, row in joined.figures.items()
        if any(figure is not None and figure.dot is not None for figure in row)
    }
    joined.plot = dots(drawn, names, title) if drawn else None
    return joined


def _figure(measure: Count | Mean | Share | Figure) -> _Figure:
    if isinstance(measure, Count):
        return _Figure(f"{measure.value:,}")
    if isinstance(measure, Mean):
        return _mean(measure.values, measure.sums, measure.digits)
    if isinstance(measure, Share):
        return _share(measure.found, measure.total, measure.counts)
    if measure.value is None:
        return _Figure(NONE)
    cell = with_interval(measure.value, measure.interval, decimals(1), measure.unit)
    if measure.unit != "%" or measure.interval is None:
        return _Figure(cell)
    low, high = measure.interval
    return _Figure(cell, dot=Dot(measure.value / 100, low / 100, high / 100, cell))


def _of_distributions(title: str, of_each: Sequence[Distribution | None], names: Sequence[str]) -> _Joined:
    known = [each for each in of_each if each is not None]
    every = [int(value) for each in known for value in each.values]
    width = bin_width(every) if every else 1
    by_name: list[dict[str, _Figure]] = []
    bins = {}
    starts = range(min(every, default=0) // width * width, max(every, default=-1) + 1, width)
    for name, each in zip(names, of_each, strict=True):
        if each is None:
            by_name.append({})
            continue
        bins[name] = counts = binned([int(value) for value in each.values], width)
        figures = {"mean": _mean(each.values, Clustered.of_values(each.values, each.clusters))}
        shares = Clustered.of_things((int(value) // width * width for value in each.values), each.clusters, starts)
        for start in starts:
            figures[bin_label(start, width)] = _share(counts[start], counts.total(), shares[start])
        by_name.append(figures)
    unit = known[0].unit
    return _Joined(_aligned(by_name), lines(bins, f"{title}: shares by {unit}", unit, width=width), unit)


def _of_rankings(
    of_each: Sequence[Ranking | None], sections: Sequence[Section | None], names: Sequence[str]
) -> _Joined:
    """Return the most frequent things by their mean share; plots are beside each other."""
    known = [each for each in of_each if each is not None]
    counts = {id(each): Counter(thing for things in each.things for thing in things) for each in known}
    shares = Counter[str]()
    for each in known:
        shares.update({thing: count / len(each.things) for thing, count in counts[id(each)].items()})
    most = max(each.most for each in known)
    ranked = sorted(shares, key=lambda thing: (-shares[thing], thing))[:most]
    by_name = [{} if each is None else {thing: _figure(_share_of(each, thing)) for thing in ranked} for each in of_each]
    plots = [
        Markup("<div><p>{}</p>{}</div>").format(name, section.plot)
        for name, section in zip(names, sections, strict=True)
        if section is not None and section.plot is not None
    ]
    return _Joined(
        _aligned(by_name), Markup('<div class="plots">{}</div>').format(Markup("").join(plots)) if plots else None
    )


def _share_of(ranking: Ranking, thing: str) -> Share:
    counts = Clustered.of_values((thing in things for things in ranking.things), ranking.clusters)
    return Share(thing, round(counts.found), len(ranking.things), counts)


def _mean(values: Sequence[float], sums: Clustered | None, digits: int = 2) -> _Figure:
    if not values:
        return _Figure(NONE)
    if sums is None:
        return _Figure(spread_cell(values, digits), bootstrap_mean(values), digits=digits)
    return _Figure(clustered_spread_cell(values, sums, digits), sums.mean, digits=digits)


def _share(found: int, total: int, counts: Clustered | None) -> _Figure:
    if not total:
        return _Figure(NONE)
    estimate = Estimate(found / total, wilson(found, total)) if counts is None else counts.share
    assert estimate is not None
    cell = share_cell(found, total) if counts is None else clustered_cell(counts)
    dot = Dot(estimate.value, *(estimate.interval or (estimate.value, estimate.value)), cell)
    return _Figure(cell, estimate, is_share=True, dot=dot)


def _of_cells(tables: Sequence[Table | None]) -> _Joined | None:
    """Join tables cell by cell; None where no two of them have a row in common, as where rows are people."""
    by_name = [{} if table is None else _cells(table) for table in tables]
    seen = Counter(name for of_one in by_name for name in of_one)
    if not any(count > 1 for count in seen.values()):
        return None
    return _Joined(_aligned([{name: _Figure(cell) for name, cell in of_one.items()} for of_one in by_name]))


def _cells(table: Table) -> dict[str, str]:
    """Return the cells by the names of row and column. A part that stands alone has no name: it is all there is."""
    columns = table.header[1:]
    is_alone = table.header[0] == "part" and len(table.rows) == 1
    found = {}
    for row in table.rows:
        for column, cell in zip(columns, row[1:], strict=True):
            names = [*([] if is_alone else [row[0]]), *([column] if is_alone or len(columns) > 1 else [])]
            found[", ".join(names)] = cell
    return found


def _aligned(by_name: Sequence[Mapping[str, _Figure]]) -> dict[str, list[_Figure | None]]:
    """Return the figures of each name in any of the mappings, in the order of the longest."""
    names = dict.fromkeys(name for figures in sorted(by_name, key=len, reverse=True) for name in figures)
    return {name: [figures.get(name) for figures in by_name] for name in names}


def _table(title: str, joined: _Joined, names: Sequence[str], published: Sequence[PublishedDataset]) -> Table:
    rows = dict(joined.figures)
    papers = [each for each in published if any(section == title for section, _ in each.figures)]
    for paper in papers:
        for section, name in paper.figures:
            if section == title:
                rows.setdefault(name, [None] * len(names))
    differences = {name: [_difference(row[0], other) for other in row[1:]] for name, row in rows.items()}
    shown = [place for place in range(len(names) - 1) if any(cells[place] for cells in differences.values())]
    header = (
        joined.corner,
        *names,
        *(f"{names[place + 1]} less {names[0]}" for place in shown),
        *(f"{paper.name}, published" for paper in papers),
    )
    return Table(
        header,
        [
            (
                name,
                *(NONE if figure is None else figure.cell for figure in row),
                *(differences[name][place] for place in shown),
                *(_published(paper, title, name) for paper in papers),
            )
            for name, row in rows.items()
        ],
    )


def _published(paper: PublishedDataset, title: str, name: str) -> str:
    figure = paper.figures.get((title, name))
    return "" if figure is None else f"{figure.value} ({figure.place})"


def _difference(first: _Figure | None, other: _Figure | None) -> str:
    """Return the second less the first, as far as both are shares or means."""
    less = None if first is None or other is None else difference(other.estimate, first.estimate)
    if first is None or less is None:
        return ""
    shown, unit = (points, " points") if first.is_share else (decimals(first.digits, plus=True), "")
    cell, (low, high) = less.text(shown, unit), less.interval or (0.0, 0.0)
    return Different(cell) if low > 0 or high < 0 else cell
