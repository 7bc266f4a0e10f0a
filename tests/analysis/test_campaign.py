"""A campaign's figures, by hand."""

from __future__ import annotations

from beat_the_ai.analysis.campaign import (
    Beaten,
    CampaignFigures,
    Checked,
    Cost,
    Observed,
    Writer,
    campaign_sections,
)
from beat_the_ai.analysis.cells import rate_text
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import VoteFigures
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure
from beat_the_ai.store import Store
from beat_the_ai.terms.division import EXCLUSIVE
from tests.dataset.builders import Tried, stored
from tests.reading_comprehension import WORDS

KEPT = rate_text(Clustered({"w1": (2, 2), "w2": (1, 2)}).bounded)


def beaten(*by_writer: tuple[int, int]) -> Beaten:
    """Attempts of writers w1, w2 and so on: (beat the model, of so many)."""
    wins = Clustered({f"w{number}": pair for number, pair in enumerate(by_writer, 1)})
    return Beaten(wins, Clustered({f"w{number}": (0, of) for number, (_, of) in enumerate(by_writer, 1)}))


def test_models_writers_and_times_are_counted(store: Store) -> None:
    tried = [Tried(0, "w1"), Tried(1, "w1", fooled=False), Tried(2, "w2"), Tried(2, "w2", retracted=True)]
    campaign = stored(store, tried, 3)
    seen = Observed()
    for made in store.assignments.confirmed(campaign.id, Stage.WRITING):
        seen.hit(made, is_reviewed=made.worker == "w2" and not seen.writers["w2"].reviewed)
    for row in store.attempts.of_campaign(campaign.id):
        if not row.attempt.retracted:
            seen.attempt(row)
    assert seen.models == {
        "fake": Beaten(Clustered({"w1": (1, 2), "w2": (1, 1)}), Clustered({"w1": (0, 2), "w2": (0, 1)}))
    }
    assert seen.writers == {"w1": Writer(2, 0, 1), "w2": Writer(2, 1, 1, 1)}
    assert seen.hit_seconds == {"w1": [600.0] * 2, "w2": [600.0] * 2}


def test_what_is_not_known_is_left_out() -> None:
    [only] = campaign_sections(CampaignFigures(WORDS, None, {"fake": beaten((1, 4))}, {}, {}))
    assert only.table.rows == [("fake", "4", "25.0%, 1")]


def test_answers_that_are_none_have_a_column_where_there_are_any(store: Store) -> None:
    campaign = stored(store, [Tried(0, "w1"), Tried(1, "w1", fooled=False)], 2)
    [first, second] = store.attempts.of_campaign(campaign.id)
    seen = Observed()
    seen.attempt(first, is_stray=True)
    seen.attempt(second)
    figures = CampaignFigures(WORDS, None, {**seen.models, "m2": beaten((0, 2))}, {}, {}, stray="not in the passage")
    [only] = campaign_sections(figures)
    assert only.table.header[-1] == "its answer is not in the passage"
    assert [(row[0], row[-1][:5]) for row in only.table.rows] == [("fake", "50.0%"), ("m2", "0.0%,"), ("all", "25.0%")]


def test_all_that_is_known_has_a_section() -> None:
    asked = VoteFigures(
        validators=3,
        votes=10,
        votes_saved=2,
        gold=Clustered({"v1": (2, 2), "v2": (1, 2)}),
        agreement=(Figure("a", None), Figure("b", 0.5)),
    )
    human = [Figure("exact match", 50.0, (25.0, 75.0), 4, "%"), Figure("F1", 60.0, (40.0, 80.0), 4, "%")]
    checked = Checked(
        Answerability.text, {"dev": Clustered({"w1": (2, 2), "w2": (1, 2)})}, {"dev": 3}, {"dev": human}, asked
    )
    figures = CampaignFigures(
        WORDS,
        None,
        {"a": beaten((1, 2), (0, 2)), "b": beaten((1, 2), (2, 2))},
        {"w-1": Writer(3, 1, 2, 1), "w-2": Writer(1, 0, 4)},
        {"w-1": [60.0, 90.0]},
        Cost(100, 1000, 234, 4, 3),
        checked,
    )
    made = {section.title: section.table.rows for section in campaign_sections(figures)}
    assert made["How often the model was beaten"][-1][:2] == ("all", "8")
    assert made["Answerability"] == [("dev", "4", f"{KEPT}, 3", "3")]
    assert made["Human performance"] == [("dev", "4", "50.0 (25.0 to 75.0)", "60.0 (40.0 to 80.0)")]
    assert made["Writers"] == [("w-2", "4", "0 (0%)", "1", "0 (0%)"), ("w-1", "2", "1 (50%)", "3", "1 (33%)")]
    assert made["Cost"][-2:] == [
        ("cost of a question that beat the model", "$2.50"),
        ("cost of a validated question", "$3.28"),
    ]
    assert [figure for _, figure in made["Validators"]] == [
        "3",
        "10",
        "2",
        f"{KEPT}, 3 of 4",
        "–",
        "0.50",
    ]
    assert "Time for a HIT" in made


def test_captions_name_the_clusters_of_the_intervals() -> None:
    models = {"a": beaten((1, 2), (0, 2)), "b": beaten((1, 2), (2, 2), (1, 4))}
    kept = {"dev": Clustered({"w1": (2, 2), "w2": (1, 2)}), "test": Clustered({"w9": (1, 1)})}
    seconds = {"w1": [60.0], "w2": [90.0, 100.0]}
    figures = CampaignFigures(WORDS, None, models, {}, seconds, checked=Checked(Answerability.text, kept))
    text = {section.title: section.text for section in campaign_sections(figures)}
    assert "95% intervals by a jackknife of the 3 writers" in text["How often the model was beaten"]
    assert "95% intervals by a jackknife of the 3 writers" in text["Answerability"]
    assert "95% intervals by a jackknife of the 2 writers" in text["Time for a HIT"]


def test_the_headline_is_of_all_works_and_not_of_exclusive_writers_alone() -> None:
    kept = {"test": Clustered({"w1": (1, 4), "w2": (2, 4)}), EXCLUSIVE: Clustered({"w2": (2, 4)})}
    human = {part: [Figure("F1", value, None, 4, "%")] for part, value in (("test", 80.0), (EXCLUSIVE, 70.0))}
    checked = Checked(Answerability.text, kept, human=human)
    sections = campaign_sections(CampaignFigures(WORDS, None, {}, {}, {}, checked=checked))
    headlines = {section.title: section.headline for section in sections}
    assert headlines["Answerability"] == rate_text(kept["test"].bounded)
    assert headlines["Human performance"] == "test: F1 80.0%"


def test_what_models_charged_is_part_of_what_a_question_costs() -> None:
    *_, cost = campaign_sections(CampaignFigures(WORDS, None, {}, {}, {}, Cost(0, 1000, 300, 4, 2, models_cents=200)))
    assert cost.table.rows[3] == ("charged by language models, at most", "$2.00")
    assert [amount for _, amount in cost.table.rows[-2:]] == ["$3.00", "$4.50"]
    assert "what writers earned and models charged for each" in cost.text


def test_a_cost_without_questions_is_none() -> None:
    sections = campaign_sections(CampaignFigures(WORDS, None, {}, {}, {}, Cost(0, 0, 0, 0, 0)))
    assert sections[-1].table.rows[-1][1] == "–"
