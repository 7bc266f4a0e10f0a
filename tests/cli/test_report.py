"""`report`, `annotate` and `export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.campaign.results.report import campaign_subject
from beat_the_ai.cli import main
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.dataset.validation import Validation
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.store import Campaign, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.dataset.builders import Tried, attempt, stored
from tests.dataset.outcomes import among, outcome
from tests.store.builders import NEW_YEAR
from tests.store.plans import sent

TRIED = [
    Tried(number % 14, f"A{number % 5}RAW", fooled=number % 3 > 0, question=f"Is {number} it?") for number in range(60)
]
SECTIONS = {
    "pay": {"reward_cents": 200, "bonus_cents_per_win": 10},
    "round": {
        "number": 1, "hits_per_context": 1, "max_hits": None, "wins_wanted": 3, "max_wins": 5, "max_tries": 25,
        "time_limit_seconds": 3600,
    },
}  # fmt: skip


@pytest.fixture
def store(store: Store) -> Store:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 32, {}, NEW_YEAR), SECTIONS)
    stored(store, TRIED, 14)
    return store


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_campaigns_report_has_the_papers_figures_and_no_raw_id(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    result = run("report", tmp_path, "--out", out)
    assert result.exit_code == 0, result.output
    page = out.read_text()
    assert "RAW" not in page
    assert "not yet checked by other people" in page
    assert "66.7% (18.5% to 94.6%), 40" in page  # the model was beaten
    assert "Mean 600.0 seconds over 60 HITs" in page
    # 60 rewards of 200 and 40 bonuses of 10, each with 20% for the crowd
    assert "$148.80" in page
    assert "$3.72" in page
    again = tmp_path / "again.html"
    run("report", tmp_path, "--out", again)
    assert again.read_bytes() == out.read_bytes()


def test_a_validated_campaigns_report_tells_what_people_could_answer(store: Store) -> None:
    campaign = BoundCampaign.open(store, "pilot")
    first, second, *_ = collect(Placement(campaign))["train"]
    outcomes = {first.id: outcome(Validity.VALID), second.id: outcome(Validity.INVALID)}
    validation = Validation(among(outcomes), {1: ("dev", "test")}, {"A0RAW"})
    subject = campaign_subject(Placement(campaign, validation))
    sections = {section.title: section.table.rows for section in subject.sections}
    assert sections["Answerability"] == [("train", "2", "50.0% (0.0% to 100.0%), 1", "1")]
    assert pseudonym("A0RAW", campaign.record) not in {row[0] for row in sections["Writers"]}
    assert sections["Cost"][-1][0] == "cost of a validated question"


def test_a_report_asks_the_store_no_more_for_more_people_and_hits(store: Store) -> None:
    """Two revoked writers cost as many queries as four, and two HITs that were never handed in as many as four."""

    revoked = set[str]()

    def queries() -> int:
        with sent(store) as statements:
            campaign_subject(
                Placement(BoundCampaign.open(store, "pilot"), Validation(discarded_workers=frozenset(revoked)))
            )
        return len(statements)

    def revoke(*workers: str) -> None:
        for number, worker in enumerate(workers):
            Workforce(BoundCampaign.open(store, "pilot")).revoke(worker, "ann", "nonsense")
            left = store.attempts.accept(next(iter(store.campaigns.hits("pilot"))), worker, f"left-{worker}", NEW_YEAR)[
                0
            ]
            store.attempts.add(attempt(left.id, TRIED[number], number))
            revoked.add(worker)

    revoke("A0RAW", "A1RAW")
    few = queries()
    revoke("A2RAW", "A3RAW")
    assert queries() == few


def test_only_a_dataset_in_files_of_a_kind_that_compares_has_others_beside_it(store: Store, tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text("{}", "utf-8")
    refused = run("report", tmp_path, "--answers", answers, "--json")
    assert (refused.exit_code, "A campaign's report finds them" in " ".join(refused.output.split())) == (2, True)
    refused = run("report", answers, "--regular", answers, "--json")
    assert (refused.exit_code, "reading_comprehension sets no --answers" in refused.output) == (2, True)


def test_a_report_on_the_export_has_the_same_questions(store: Store, tmp_path: Path) -> None:
    exported, out = tmp_path / "export", tmp_path / "report.html"
    result = run("export", tmp_path, "--format", "jsonl", "--out", exported)
    assert result.exit_code == 0, result.output
    assert str(exported / "jsonl" / "train.jsonl") in result.stdout
    assert run("report", exported, "--out", out).exit_code == 0
    assert "A dataset of 40 questions." in out.read_text()


def test_an_exported_squad_file_scores_100_against_itself(store: Store, tmp_path: Path) -> None:
    run("export", tmp_path, "--format", "squad", "--out", tmp_path)
    gold = tmp_path / "squad.json"
    content = json.loads(gold.read_text())
    answers = {
        qa["id"]: qa["answers"][0]["text"]
        for article in content["data"]
        for p in article["paragraphs"]
        for qa in p["qas"]
    }
    predictions = tmp_path / "predictions.json"
    predictions.write_text(json.dumps(answers))
    result = run("score", "--task", "reading_comprehension", gold, predictions, "--json")
    found = json.loads(result.stdout)
    expected = {"exact_match": 100.0, "f1": 100.0, "questions": 40, "missing": 0, "foreign": 0}
    assert expected.items() <= found.items()
    assert json.loads(run("stats", gold, "--json").stdout)["questions"] == 40


def test_annotations_come_back_into_the_report(store: Store, tmp_path: Path) -> None:
    page, out, labels = tmp_path / "annotate.html", tmp_path / "report.html", tmp_path / "labels.json"
    assert run("annotate", tmp_path, "--part", "all", "--sample", "5", "--out", page).exit_code == 0
    assert page.read_text().count("<fieldset") == 5
    [example] = [row for row in store.attempts.of_campaign("pilot") if row.attempt.work["question"] == "Is 1 it?"]
    labels.write_text(json.dumps({"annotations": [{"id": example.attempt.id, "labels": ["Explicit"]}]}))
    assert run("report", tmp_path, "--annotations", labels, "--out", out).exit_code == 0
    assert "Of 1 annotated questions" in out.read_text()
    labels.write_text(json.dumps({"annotations": [{"id": "other", "labels": ["Explicit"]}]}))
    result = run("report", tmp_path, "--annotations", labels, "--out", out)
    assert result.exit_code == 2
    assert "is in this dataset" in result.stderr


def test_samples_to_annotate_are_of_dev_unless_another_part_is_named(store: Store, tmp_path: Path) -> None:
    exported, page = tmp_path / "export", tmp_path / "annotate.html"
    run("export", tmp_path, "--format", "jsonl", "--out", exported)
    sizes = {part: (exported / "jsonl" / f"{part}.jsonl").read_text().count("\n") for part in ("dev", "test")}
    assert 0 < sizes["dev"] < sizes["test"] + sizes["dev"] < 40
    for target in (tmp_path, exported):
        for arguments, size in (((), sizes["dev"]), (("--part", "test"), sizes["test"]), (("--part", "all"), 40)):
            assert run("annotate", target, "--out", page, *arguments).exit_code == 0
            assert page.read_text().count("<fieldset") == size, (target, arguments)
    (exported / "jsonl" / "dev.jsonl").write_text("")
    result = run("annotate", exported, "--part", "dev", "--out", page)
    assert (result.exit_code, "nothing to annotate in its part dev" in " ".join(result.stderr.split())) == (2, True)


def test_a_part_without_rows_is_no_fault_of_a_folder_to_annotate(tmp_path: Path) -> None:
    row = {"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}
    for name, rows in (("train", [row]), ("dev", []), ("test", [row])):
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    page = tmp_path / "page.html"
    assert run("annotate", tmp_path, "--task", "nli", "--out", page).exit_code == 0
    assert page.read_text().count('<h2 id="item-') == 2


def test_several_campaigns_are_exported_side_by_side_and_reported_by_name(store: Store, tmp_path: Path) -> None:
    store.campaigns.create(Campaign("second", "reading_comprehension", 1, "k", {}, NEW_YEAR))
    result = run("report", tmp_path, "--out", tmp_path / "report.html")
    assert result.exit_code == 2
    assert "pilot, second" in result.stderr
    assert run("report", tmp_path, "--name", "second", "--out", tmp_path / "report.html").exit_code == 0
    assert run("export", tmp_path, "--format", "squad", "--out", tmp_path / "export").exit_code == 0
    assert len(json.loads((tmp_path / "export" / "pilot" / "squad.json").read_text())["data"]) == 3
    assert json.loads((tmp_path / "export" / "second" / "squad.json").read_text())["data"] == []


@pytest.mark.parametrize("command", ["report", "annotate"])
def test_what_is_not_there_is_wrong_usage(tmp_path: Path, command: str) -> None:
    for target in (tmp_path / "none.json", tmp_path, tmp_path / "none.db"):
        result = run(command, target, "--out", tmp_path / "page.html")
        assert result.exit_code == 2, target
        assert str(target) in result.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_report_as_json_says_what_its_page_says(store: Store, tmp_path: Path) -> None:
    report = json.loads(run("report", tmp_path, "--json").stdout)
    assert report["introduction"].startswith("A campaign of 60 attempts")
    time = next(section for section in report["sections"] if section["title"] == "Time for a HIT")
    assert "Mean 600.0 seconds over 60 HITs" in time["text"]
    assert (time["header"], time["rows"]) == (["seconds", "HITs"], [["600", "60"]])
    for arguments in ((), ("--json", "--out", tmp_path / "report.html")):
        refused = run("report", tmp_path, *arguments)
        assert (refused.exit_code, "Name the page with --out FILE, or ask for --json." in refused.output) == (2, True)


def test_datasets_and_campaigns_stand_side_by_side_with_the_papers_figures(store: Store, tmp_path: Path) -> None:
    run("export", tmp_path, "--format", "squad", "--out", tmp_path)
    exported = tmp_path / "squad.json"
    report = json.loads(run("report", tmp_path, exported, exported, *labels("mine", "<b>", "third"), "--json").stdout)
    assert report["title"] == "mine, <b>, third"
    tables = {section["title"]: [section["header"], *section["rows"]] for section in report["sections"]}
    assert tables["Mean lengths and overlap"][0][:6] == [
        "figure",
        "mine",
        "<b>",
        "third",
        "<b> less mine",
        "third less mine",
    ]
    assert ["<b>", "A dataset of 40 questions."] in tables["Datasets"]
    [questions] = [row for row in tables["Passages and questions"] if row[0] == "questions"]
    assert questions[:4] == ["questions", "40", "40", "40"]
    [test] = [row for row in tables["Passages and questions"] if row[0] == "questions, test"]
    assert test == ["questions, test", "3", "–", "–", *(f"{count} (Table 3)" for count in ("5,292", *["1,000"] * 3))]
    beaten = tables["How often the model was beaten"]
    assert beaten[1][1:] == ["66.7% (18.5% to 94.6%), 40", "–", "–", "59.4% (§3.2)", "47.1% (§3.2)", "44.0% (§3.2)"]
    assert "Writers" not in tables
    out = tmp_path / "page.html"
    assert run("report", tmp_path, exported, "--out", out).exit_code == 0
    assert "squad.json less " in out.read_text()
    assert "RAW" not in out.read_text()


def labels(*names: str) -> list[str]:
    return [argument for name in names for argument in ("--label", name)]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["{squad}", "{squad}"], "More than one dataset is called squad.json; name each with --label NAME."),
        (["{squad}", "{squad}", *labels("one")], "1 names were given for 2 datasets; give each one."),
        (["{squad}", "{squad}", *labels("one", "one")], "More than one dataset is called one"),
        (["{campaign}", "{pairs}", "--task", "nli"], "Only datasets of one kind of task are compared"),
    ],
)
def test_datasets_that_cannot_be_told_apart_or_compared_are_refused(
    store: Store, tmp_path: Path, arguments: list[str], fault: str
) -> None:
    run("export", tmp_path, "--format", "squad", "--out", tmp_path)
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}\n')
    places = {"squad": tmp_path / "squad.json", "campaign": tmp_path, "pairs": pairs}
    result = run("report", *(argument.format(**places) for argument in arguments), "--json")
    assert result.exit_code == 2
    assert fault in " ".join(result.stderr.split())


def test_annotations_are_divided_among_the_datasets_that_have_their_items(store: Store, tmp_path: Path) -> None:
    run("export", tmp_path, "--format", "squad", "--out", tmp_path)
    kept = [row.attempt.id for row in store.attempts.of_campaign("pilot") if row.attempt.fooled]
    other = tmp_path / "other.json"
    other.write_text((tmp_path / "squad.json").read_text().replace(kept[0], "another"))
    saved = tmp_path / "labels.json"
    of_items = [{"id": name, "labels": [label]} for name, label in ((kept[0], "Explicit"), ("another", "Numeric"))]
    saved.write_text(json.dumps({"annotations": of_items}))
    report = json.loads(run("report", tmp_path / "squad.json", other, "--annotations", saved, "--json").stdout)
    [required] = [section for section in report["sections"] if section["title"] == "Comprehension requirements"]
    explicit = next(row for row in required["rows"] if row[0] == "Explicit")
    assert explicit[1:3] == ["100.0%, 1", "0.0%, 0"]
    assert explicit[-4:-2] == ["57% (Figure 5, in the words of §5.2)", "8% (Figure 5, in the words of §5.2)"]


PAIRS = '{{"premise": "It rains {0}.", "hypothesis": "It is wet {0}.", "label": "{1}"}}\n'
QUESTIONS = '{{"text": "Name this rain {0}.", "page": "Rain_{0}", "category": "{1}"}}\n'


@pytest.mark.parametrize(
    ("task", "record", "section", "share", "published"),
    [
        ("nli", PAIRS, "Pairs and labels", "entailment", "A1, published"),
        ("quizbowl", QUESTIONS, "Topics", "History", "adversarial, published"),
    ],
)
def test_every_kind_of_task_sets_datasets_side_by_side(
    tmp_path: Path, task: str, record: str, section: str, share: str, published: str
) -> None:
    values = {"nli": ("entailment", "neutral"), "quizbowl": ("History", "Science")}[task]
    for name, often in (("one", 8), ("other", 2)):
        lines = [record.format(number, values[number >= often]) for number in range(10)]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    files = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    report = json.loads(run("report", "--task", task, *files, *labels("one", "other"), "--json").stdout)
    [made] = [each for each in report["sections"] if each["title"] == section]
    assert made["header"][:5] == ["figure", "one", "other", "other less one", published]
    [row] = [row for row in made["rows"] if row[0] == share]
    assert [cell.split(" (")[0] for cell in row[1:4]] == ["80.0%", "20.0%", "−60.0 points"]
