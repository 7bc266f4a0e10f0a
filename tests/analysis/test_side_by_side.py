"""Datasets side by side: figures and differences by hand, what only some of them have, and the paper's own figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from beat_the_ai.analysis.side_by_side import ComparedDataset, side_by_side
from beat_the_ai.rules.corpora import PublishedDataset, PublishedFigure
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure
from beat_the_ai.statistics.measures import Count, Distribution, Listing, Mean, Measures, Ranking, Rows, Share
from beat_the_ai.statistics.section import Section, Table

PAPER = PublishedDataset("D_1", {("Sizes", "questions, test"): PublishedFigure("1,000", "Table 3")})


def section(title: str, measures: Measures | None, table: Table | None = None) -> Section:
    of = table or Table(("what", "figure"), [])
    return Section(title, "Said once.", of, None, "Table 9", None if measures is None else lambda: measures)


def compared(*sections: Sequence[Section], published: Sequence[PublishedDataset] = ()) -> list[Section]:
    return side_by_side(
        [ComparedDataset(name, each) for name, each in zip("ABC", sections, strict=False)],
        published,
    )


def ranking(counts: dict[str, int]) -> Ranking:
    things = [[thing] for thing, count in counts.items() for _ in range(count)]
    return Ranking(things, range(len(things)), 2)


def test_figures_have_a_column_for_each_dataset_and_differences_from_the_first() -> None:
    one = Rows([Count("questions", 1200), Mean("words", [1.0] * 50), Share("why", 5, 10), Figure("alpha", 0.5)])
    other = Rows([Count("questions", 7), Mean("words", [3.0] * 50), Share("why", 9, 10), Figure("alpha", None)])
    [made] = compared([section("Sizes", one)], [section("Sizes", other)])
    assert made.table.header == ("figure", "A", "B", "B less A")
    cells = {row[0]: row[1:] for row in made.table.rows}
    assert cells["questions"] == ("1,200", "7", "")
    assert cells["words"] == ("1.00, sd 0.00", "3.00, sd 0.00", "+2.00")
    # Wilson: 0.237 to 0.763 and 0.596 to 0.982; 40 ± the roots of (30.4² + 26.3²) and (8.2² + 26.3²) points
    assert cells["why"][2] == "+40.0 points (−0.2 to +67.6)"
    assert cells["alpha"] == ("0.5", "–", "")
    assert (made.text, made.source) == ("Said once.", "Table 9")


def test_differences_are_over_whole_contexts_where_they_are_known() -> None:
    """All or none are found in 20 contexts with 5 examples each: as little is known as of 20 examples."""

    def difference_of(counts: Clustered | None) -> str:
        one, other = (Rows([Share("why", found, 100, counts)]) for found in (50, 50))
        [made] = compared([section("Kinds", one)], [section("Kinds", other)])
        return str(made.table.rows[0][3])

    assert difference_of(None) == "+0.0 points (−13.6 to +13.6)"
    share, low, high = re.findall(r"[+−][\d.]+", difference_of(Clustered({n: (n % 2 * 5, 5) for n in range(20)})))
    assert share == "+0.0"
    assert 28 < float(high) < 38  # 1.96 times the square root of 2 · 0.25 / 20 is 31 points
    assert 28 < float(low[1:]) < 38


def test_a_difference_from_a_share_of_nothing_has_an_interval() -> None:
    none = Share("why", 0, 10, Clustered(dict.fromkeys(range(10), (0, 1))))
    some = Share("why", 50, 100, Clustered({n: (n % 2, 1) for n in range(100)}))
    [made] = compared([section("Kinds", Rows([some]))], [section("Kinds", Rows([none]))])
    # 0 to 33.9 (Wilson's with t = 2.26) and 40.2 to 59.8; 9.8 points below, and the root of (33.9² + 9.8²) above
    assert made.table.rows[0][3] == "−50.0 points (−59.8 to −14.7)"


def test_a_difference_whose_interval_leaves_out_0_is_bold_on_a_page_alone() -> None:
    [made] = compared(
        [section("Kinds", Rows([Share("why", 1, 100), Share("how", 50, 100)]))],
        [section("Kinds", Rows([Share("why", 60, 100), Share("how", 50, 100)]))],
    )
    (*_, far), (*_, near) = made.table.rows
    assert str(escape(far)).startswith("<strong>+59.0 points (")
    assert not str(escape(near)).startswith("<strong>")
    assert far.startswith("+59.0")


def test_the_papers_figures_stand_in_columns_with_their_places_and_add_rows() -> None:
    [made, other] = compared(
        [section("Sizes", Rows([Count("questions", 3)])), section("More", Rows([Count("questions", 3)]))],
        published=[PAPER],
    )
    assert made.table.header == ("figure", "A", "D_1, published")
    assert made.table.rows == [("questions", "3", ""), ("questions, test", "–", "1,000 (Table 3)")]
    assert other.table.header == ("figure", "A")


def test_what_one_dataset_lacks_is_a_dash_and_order_is_that_of_the_longest() -> None:
    [made] = compared(
        [section("Sizes", Rows([Count("all", 3)]))],
        [section("Sizes", Rows([Count("dev", 1), Count("test", 1), Count("all", 2)]))],
        [],
    )
    assert made.table.rows == [("dev", "–", "1", "–"), ("test", "–", "1", "–"), ("all", "3", "2", "–")]


def test_distributions_have_the_same_bins_and_one_plot() -> None:
    [made] = compared(
        [section("Lengths", Distribution("words", [1, 1, 2], "aab"))],
        [section("Lengths", Distribution("words", [4], "a"))],
    )
    assert made.table.header[0] == "words"
    assert [row[0] for row in made.table.rows] == ["mean", "1", "2", "3", "4"]
    assert [row[2] for row in made.table.rows[1:]] == ["0.0%, 0", "0.0%, 0", "0.0%, 0", "100.0%, 1"]
    assert made.plot is not None
    assert made.plot.count("<polyline") == 2


def test_a_ranking_counts_what_is_rare_in_one_dataset_and_frequent_in_another() -> None:
    one, other = ranking({"what": 9, "why": 1}), ranking({"who": 8, "why": 2})
    [made] = compared([section("Beginnings", one)], [section("Beginnings", other)])
    assert [(row[0], row[1][-1], row[2][-1]) for row in made.table.rows] == [("what", "9", "0"), ("who", "0", "8")]


def test_sections_without_measures_are_joined_by_their_cells_unless_their_rows_are_people() -> None:
    cost = Table(("what", "amount"), [("earned", "$1.00")]), Table(("what", "amount"), [("earned", "$2.00")])
    people = Table(("writer", "HITs"), [("w-1", "1")]), Table(("writer", "HITs"), [("w-2", "1")])
    parts = (
        Table(("part", "pairs", "labels"), [("snli", "5", "3")]),
        Table(("part", "pairs", "labels"), [("x", "6", "2")]),
    )
    made = compared(
        *(
            [
                section("Cost", None, cost[place]),
                section("Writers", None, people[place]),
                section("Pairs", None, parts[place]),
            ]
            for place in range(2)
        )
    )
    assert {each.title: each.table.rows for each in made} == {
        "Cost": [("earned", "$1.00", "$2.00")],
        "Pairs": [("pairs", "5", "6"), ("labels", "3", "2")],
    }


def test_examples_stand_below_each_other_behind_the_names_of_their_datasets() -> None:
    shown = [Table(("question", "passage"), [(f"{name}?", "It rains.")]) for name in ("Who", "Why")]
    [made] = compared(*([section("Examples", Listing(), table)] for table in shown))
    assert made.table.header == ("dataset", "question", "passage")
    assert made.table.rows == [("A", "Who?", "It rains."), ("B", "Why?", "It rains.")]


def test_hostile_names_stay_text() -> None:
    name = "<img src=x onerror=alert(1)>"
    shares = Rows([Share(name, 1, 2)])
    ranks = Section("Ranks", "", Table(("a", "b"), []), Markup("<svg></svg>"), "", lambda: ranking({name: 1}))
    of_each = [section("Kinds", shares), section("Lengths", Distribution(name, [1], [name])), ranks]
    for made in side_by_side([ComparedDataset(name, of_each), ComparedDataset("B", of_each)], [PAPER]):
        assert made.plot is not None
        assert "<img" not in made.plot
