"""What leaves a campaign, in which shape, and what must not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pytest
import sqlalchemy as sa
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from beat_the_ai.campaign.results.report import campaign_subject
from beat_the_ai.dataset import jsonl_files
from beat_the_ai.dataset.arrow import arrow_table, schema
from beat_the_ai.dataset.columns import meanings
from beat_the_ai.dataset.export import collect, export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import attempt_type, pseudonym
from beat_the_ai.dataset.validation import Validation
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import Campaign, Store, now, open_store, tables
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS, Division
from beat_the_ai.terms.round import LanguageSettings
from tests.dataset.builders import ANSWER, Tried, stored
from tests.dataset.outcomes import among, outcome, vote
from tests.examples import examples
from tests.reading_comprehension import KIND
from tests.store.builders import NEW_YEAR
from tests.writing.fakes import RIGHT, WRONG, FakeModel, new_desk, payload, take_hit

FIELDS = {
    "attempt_id", "context_id", "context", "work", "prediction", "scores", "fooled", "retracted", "flag", "validation",
    "votes", "part", "context_part", "exclusive", "dropped", "model", "worker", "hit", "assignment", "ordinal", "round",
    "created_at", "arm", "part_by", "discarded_by", "admitted", "language", "genre", "seconds", "is_checked", "status",
    "label", "votes_saved", "tries_left",
    "suggestion",
}  # fmt: skip  # fmt: skip
COLUMNS = ["id", "title", "context", "question", "answers", "metadata"]
HOSTILE = '=cmd|"/C calc"!A1 <script>alert(1)</script> \u202e\x1b[31m | --- \U0001d11e \u2028 "}'
TRIED = [
    Tried(number % 14, f"A{number % 5}RAW", fooled=number % 3 > 0, question=f"Q {number}?") for number in range(60)
]


@pytest.fixture
def campaign(store: Store) -> Campaign:
    """Sixty attempts of five workers on fourteen passages; forty beat the model."""
    return stored(store, TRIED, 14)


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class TestOfADesk:
    @pytest.fixture
    def records(self, store: Store, tmp_path: Path) -> list[dict[str, Any]]:
        """Three attempts of one worker: one beat the model, one did not, one was taken back."""
        assignment = take_hit(store, worker="A1RAW")
        desk = new_desk(store, FakeModel(WRONG, RIGHT, WRONG))
        for number in range(3):
            made, _ = desk.submit(assignment, f"key-{number}", "rome/0", payload(f"Is {number} < 9 & née?"))
        desk.retract(assignment, made.id)
        desk.finish(assignment)
        export_campaign(Placement(BoundCampaign.open(store, "pilot")), tmp_path / "out", ["jsonl", "squad"])
        return json_lines(tmp_path / "out" / "attempts.jsonl")

    def test_every_attempt_says_whether_and_why_it_was_dropped(self, records: list[dict[str, Any]]) -> None:
        assert [record["dropped"] for record in records] == [None, "model_right", "retracted"]
        assert [record["ordinal"] for record in records] == [1, 2, 3]
        for record in records:
            assert set(record) == FIELDS
            answer = record["work"]["answer"]
            assert record["context"][answer["start"] : answer["start"] + len(answer["text"])] == answer["text"]
            assert set(record["work"]) == {"question", "answer"}
            assert set(record["prediction"]) == {"text", "start", "score"}
            assert record["scores"] == {"f1": record["scores"]["f1"], "f1_threshold": 0.4}

    def test_the_dataset_holds_the_rest(self, records: list[dict[str, Any]], tmp_path: Path) -> None:
        [passage] = squad.load(tmp_path / "out" / "squad.json")
        [question] = passage.questions
        assert (question.id, question.text) == (records[0]["attempt_id"], "Is 0 < 9 & née?")
        assert passage.text[question.answers[0].start :].startswith(RIGHT)

    def test_no_reference_question_leaves(self, records: list[dict[str, Any]], tmp_path: Path) -> None:
        assert not any(b"Secret reference" in made for made in content(tmp_path / "out").values())


def test_all_formats_hold_the_same_dataset(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path)
    rows = {part: json_lines(tmp_path / "jsonl" / f"{part}.jsonl") for part in PARTS}
    assert sum(len(of_part) for of_part in rows.values()) == 40
    assert all(rows.values())
    for part, of_part in rows.items():
        questions = [q for p in squad.load(tmp_path / "squad" / f"{part}.json") for q in p.questions]
        assert {q.id: q.text for q in questions} == {row["id"]: row["question"] for row in of_part}
        frame = pandas.read_parquet(tmp_path / "parquet" / f"{part}.parquet")
        assert list(frame.columns) == COLUMNS
        assert json.loads(frame.to_json(orient="records")) == of_part
        for row in of_part:
            [text], [start] = row["answers"]["text"], row["answers"]["answer_start"]
            assert row["context"][start : start + len(text)] == text == ANSWER
            split = "validation" if part == "dev" else part
            assert row["metadata"] == {"split": split, "model_in_the_loop": "fake"}
    whole = [q.id for p in squad.load(tmp_path / "squad.json") for q in p.questions]
    assert sorted(whole) == sorted(row["id"] for of_part in rows.values() for row in of_part)


def test_both_tables_of_attempts_hold_every_attempt(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), voted(store, campaign)), tmp_path)
    records = json_lines(tmp_path / "attempts.jsonl")
    assert len(records) == len(TRIED)
    frame = pandas.read_parquet(tmp_path / "attempts.parquet")
    assert json.loads(frame.to_json(orient="records")) == records


READ_BY_DATASETS = """
import datasets, json, sys
out, cache = sys.argv[1:]
from_disk = datasets.load_from_disk(out + "/hf")
loaded = [datasets.load_dataset(folder, cache_dir=cache) for folder in (out + "/hf", out)]
attempts = datasets.load_dataset(out + "/hf", "attempts", cache_dir=cache)["train"]
assert loaded[0]["train"].features == from_disk["train"].features
filled = {name: list(rows) for name, rows in from_disk.items() if len(rows)}
loaded += [datasets.load_dataset(out + "/" + name, cache_dir=cache) for name in ("jsonl", "parquet")]
for one in loaded:
    assert {name: list(rows) for name, rows in one.items()} == filled
print(json.dumps({"rows": {name: list(rows) for name, rows in from_disk.items()}, "attempts": list(attempts)}))
"""


@pytest.mark.parametrize("contexts", [14, 1], ids=["all parts", "empty parts"])
def test_the_library_datasets_reads_the_folder(store: Store, tmp_path: Path, contexts: int) -> None:
    tried = [one for one in TRIED if one.context < contexts]
    out = tmp_path / "out"
    campaign = stored(store, tried, contexts)
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), out, ["hf", "jsonl", "parquet"])
    command = [sys.executable, "-c", READ_BY_DATASETS, str(out), str(tmp_path / "cache")]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    rows = {part: json_lines(out / "jsonl" / f"{part}.jsonl") for part in PARTS}
    assert read["rows"] == {"train": rows["train"], "validation": rows["dev"], "test": rows["test"]}
    assert read["attempts"] == json_lines(out / "attempts.jsonl")


QUESTIONS_OF_EXPORTS = """
import datasets, json, sys
rows = {}
for name in sys.argv[1:]:
    for config in ("examples", "attempts"):
        read = datasets.load_dataset(name, config)
        every = [row for split in read.values() for row in split]
        rows[f"{name} {config}"] = sorted(row.get("work", row)["question"] for row in every)
    for form in () if name.endswith("hf") else ("jsonl", "parquet"):
        read = datasets.load_dataset(f"{name}/{form}")
        rows[f"{name}/{form} examples"] = sorted(row["question"] for split in read.values() for row in split)
print(json.dumps(rows))
"""


def test_two_exports_and_one_cache_of_the_library_datasets_are_two_datasets(tmp_path: Path) -> None:
    """Both folders are called `hf`, and the library keeps what it read by the folder's name and the card's metadata."""
    for name in ("first", "second"):
        opened = open_store(str(tmp_path / f"{name}.db"))
        tried = [replace(one, question=f"{name}: {one.question}") for one in TRIED]
        campaign = stored(opened, tried, 14)
        export_campaign(Placement(BoundCampaign.open(opened, campaign.id)), tmp_path / name, ["hf", "jsonl", "parquet"])
        opened.close()
    done = subprocess.run(
        [sys.executable, "-c", QUESTIONS_OF_EXPORTS, "first/hf", "second/hf", "first", "second"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    for name in ("first", "second"):
        rows = [row for part in PARTS for row in json_lines(tmp_path / name / "jsonl" / f"{part}.jsonl")]
        attempts = json_lines(tmp_path / name / "attempts.jsonl")
        for folder in (name, f"{name}/hf"):
            assert read[f"{folder} examples"] == sorted(row["question"] for row in rows)
            assert read[f"{folder} attempts"] == sorted(row["work"]["question"] for row in attempts)
        for form in ("jsonl", "parquet"):
            assert read[f"{name}/{form} examples"] == sorted(row["question"] for row in rows)


def test_the_same_campaign_gives_the_same_bytes(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    validation = voted(store, campaign)
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), first)
    time.sleep(1.1)  # nothing that counts seconds gets into it
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), second)
    assert content(first) == content(second)
    assert len(content(first)) == 36


def test_an_export_over_an_older_one_leaves_nothing_of_it(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path / "twice")
    discarding = Validation(discarded_workers={"A1RAW"})
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), discarding), tmp_path / "twice")
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), discarding), tmp_path / "once")
    assert content(tmp_path / "twice") == content(tmp_path / "once")


def test_the_manifest_is_one_that_sha256sum_checks(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    written = export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path / "out")
    assert {str(path.relative_to(tmp_path / "out")) for path in written} == content(tmp_path / "out").keys()
    listed = (tmp_path / "out" / "SHA256SUMS").read_text().splitlines()
    assert len(listed) == len(written) - 1
    tool = shutil.which("sha256sum")
    if tool is None:
        pytest.skip("sha256sum is not installed")
    subprocess.run([tool, "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "out", check=True, capture_output=True)


WORKERS = ["A0RAW", "A1RAW", "A2RAW", "A3RAW"]
ATTEMPTS = st.lists(
    st.builds(Tried, st.integers(0, 9), st.sampled_from(WORKERS), st.booleans(), st.booleans()), max_size=25
)


@settings(max_examples=examples(20), deadline=None)
@given(ATTEMPTS, st.frozensets(st.sampled_from(WORKERS), max_size=2), st.sampled_from([0.0, 0.5]), st.integers(0, 9))
def test_over_random_campaigns_passages_writers_ids_and_bytes_are_as_promised(
    tried: list[Tried], listed: frozenset[str], share: float, seed: int
) -> None:
    """Invariants 5 to 7: no passage crosses parts, no exclusive writer outside test, no raw id, the same bytes."""
    division = Division(seed, 3, 1, 1, listed, share)
    section = {"train": 3, "dev": 1, "test": 1, "exclusive_writers": sorted(listed), "exclusive_share": share}
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/store.db")
        campaign = stored(store, tried, 10, seed=seed)
        store.rounds.amend(campaign.id, 1, {"dataset": section})
        exported = [Path(folder) / name for name in ("first", "second")]
        for out in exported:
            export_campaign(Placement(BoundCampaign.open(store, campaign.id)), out, ["squad", "jsonl"])
        store.close()
        first, second = (content(out) for out in exported)
        records = json_lines(exported[0] / "attempts.jsonl")
        contexts = {part: {row["context"] for row in json_lines(exported[0] / f"jsonl/{part}.jsonl")} for part in PARTS}
    assert first == second
    assert not any(b"RAW" in made for made in first.values())
    assert len(records) == len(tried)
    assert contexts["train"].isdisjoint(contexts["dev"] | contexts["test"])
    assert contexts["dev"].isdisjoint(contexts["test"])
    exclusive = {pseudonym(worker, campaign) for worker in WORKERS if division.is_exclusive(worker)}
    assert {record["part"] for record in records if record["worker"] in exclusive} <= {"test"}
    assert sum(record["dropped"] is None for record in records) == sum(
        one.fooled and not one.retracted for one in tried
    )


def test_no_file_holds_a_raw_worker_id(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    for compressed in (path for path in export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path)):
        assert b"RAW" not in compressed.read_bytes()
    workers = set(pandas.read_parquet(tmp_path / "attempts.parquet")["worker"])
    assert workers == {pseudonym(f"A{number}RAW", campaign) for number in range(5)}


def test_a_worker_has_one_pseudonym_in_a_campaign_and_another_under_another_key() -> None:
    campaign = Campaign("pilot", "reading_comprehension", 1, "key", {}, now())
    assert pseudonym("A1RAW", campaign) == pseudonym("A1RAW", campaign)
    assert pseudonym("A1RAW", campaign) != pseudonym("A2RAW", campaign)
    assert pseudonym("A1RAW", campaign) != pseudonym("A1RAW", replace(campaign, pseudonym_key="another"))


def voted(store: Store, campaign: Campaign) -> Validation:
    return Validation(among(votes_in(store, campaign)), {1: ("dev", "test")})


def votes_in(store: Store, campaign: Campaign) -> dict[str, Outcome]:
    """Of dev and test the first question is valid, the second not, the third undecided, the rest unseen."""
    parts = collect(Placement(BoundCampaign.open(store, campaign.id)))
    votes = (
        vote("V1RAW", {"answer": {"text": ANSWER, "start": 22}}, agrees=True),
        vote("V2RAW", {"answer": None}, agrees=False),
    )
    return {
        example.id: outcome(validity, *votes)
        for part in ("dev", "test")
        for example, validity in zip(parts[part], Validity, strict=False)
    }


def test_validated_parts_keep_what_is_valid_and_the_others_what_is_not_invalid(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    in_train = collect(Placement(BoundCampaign.open(store, campaign.id)))["train"]
    outcomes = {
        **votes_in(store, campaign),
        in_train[0].id: outcome(Validity.INVALID),
        in_train[1].id: outcome(Validity.VALID),
    }
    validation = Validation(among(outcomes), {1: ("dev", "test")})
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), tmp_path, ["jsonl"])
    records = json_lines(tmp_path / "attempts.jsonl")
    won = [record for record in records if record["fooled"]]
    for record in won:
        status, dropped = record["validation"], record["dropped"]
        if record["part"] == "train":
            assert dropped == (status if status == "invalid" else None)
        else:
            assert dropped == {"valid": None, None: "not_validated"}.get(status, status)
    kept = {record["attempt_id"] for record in records if record["dropped"] is None}
    exported = {row["id"] for part in PARTS for row in json_lines(tmp_path / "jsonl" / f"{part}.jsonl")}
    assert exported == kept
    [voted_for, none] = next(record["votes"] for record in won if record["votes"])
    assert voted_for == {
        "worker": pseudonym("V1RAW", campaign),
        "vote": {"answer": {"text": ANSWER, "start": 22}},
        "agrees": True,
        "counts": True,
    }
    assert (none["vote"], none["agrees"]) == ({"answer": None}, False)


def test_work_of_discarded_workers_is_in_no_part_and_says_so(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(
        Placement(BoundCampaign.open(store, campaign.id), Validation(discarded_workers={"A3RAW"})), tmp_path
    )
    gone = pseudonym("A3RAW", campaign)
    attempts = json_lines(tmp_path / "attempts.jsonl")
    theirs = [row for row in attempts if row["worker"] == gone]
    assert (len(attempts), len(theirs)) == (60, 12)
    assert {(row["part"], row["dropped"]) for row in theirs} == {(None, "discarded")}
    examples = {row["id"] for part in PARTS for row in json_lines(tmp_path / "jsonl" / f"{part}.jsonl")}
    assert examples.isdisjoint(row["attempt_id"] for row in theirs)
    card = (tmp_path / "README.md").read_text()
    assert "| of writers whose work is discarded | 12 |" in card
    assert "Writers all of whose work is discarded: 1." in card


def test_work_that_does_not_count_is_in_no_part_and_says_why(store: Store, tmp_path: Path) -> None:
    made = stored(store, [Tried(0, "w1"), Tried(1, "w2"), Tried(2, "w3"), Tried(3, "w4")], 4)
    rows = list(store.attempts.of_campaign(made.id))
    table = tables.assignments
    states: list[dict[str, Any]] = [
        {"confirmed_at": None, "submitted_at": None},
        {"confirmed_at": None},
        {"confirmed_at": None, "set_aside_at": NEW_YEAR, "set_aside_reason": "forged"},
    ]
    for row, values in zip(rows[1:], states, strict=True):
        with store.database.writing() as connection:
            connection.execute(sa.update(table).filter_by(id=row.assignment.id).values(**values))
    export_campaign(Placement(BoundCampaign.open(store, made.id)), tmp_path)
    dropped = [(row["part"], row["dropped"]) for row in json_lines(tmp_path / "attempts.jsonl")]
    assert sorted(dropped[1:], key=str) == [(None, "not_confirmed"), (None, "not_handed_in"), (None, "set_aside")]
    assert len(squad.load(tmp_path / "squad.json")) == 1


def test_the_card_tells_the_figures_of_the_campaign(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path / "plain")
    card = (tmp_path / "plain" / "README.md").read_text()
    assert "Unvalidated" in card
    assert "Over all 60 attempts the model was beaten in 66.7%" in card
    assert "written from: 2020-01-01 to 2020-01-01 (UTC)" in card
    assert f"fake (weights {'a' * 16}, fp32)" in card
    export_campaign(
        Placement(BoundCampaign.open(store, campaign.id), voted(store, campaign)), tmp_path / "voted", ["jsonl"]
    )
    card = (tmp_path / "voted" / "README.md").read_text()
    assert "Unvalidated" not in card
    assert "Parts that hold only valid questions of those that beat the model: dev, test." in card
    assert "Parts that also hold questions that beat the model and that nobody has confirmed: train." in card
    assert "| dev | 1 | 1 | 1 | 50.0%" in card


def test_card_and_report_tell_what_the_language_of_the_data_leaves_out(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    english = BoundCampaign.open(store, campaign.id)
    language = {"language": LanguageSettings(data="no")}
    rounds = {
        number: replace(each, terms=each.terms.model_copy(update=language)) for number, each in english.rounds.items()
    }
    cards, reports = [], []
    for name, bound in (("en", english), ("no", replace(english, rounds=rounds))):
        export_campaign(Placement(bound), tmp_path / name, ["jsonl"])
        cards.append((tmp_path / name / "README.md").read_text())
        reports.append(campaign_subject(Placement(bound)).introduction)
    metadata = [yaml.safe_load(card.split("---\n")[1]) for card in cards]
    assert [found["language"] for found in metadata] == [["en"], ["no"]]
    for said in (cards, reports):
        assert ["For English only, and not applied here" in each for each in said] == [False, True]


def test_hostile_text_stays_text_in_every_format(store: Store, tmp_path: Path) -> None:
    made = stored(store, [Tried(0, "w1", question=HOSTILE)], 1)
    export_campaign(Placement(BoundCampaign.open(store, made.id)), tmp_path)
    [row] = json_lines(tmp_path / "jsonl" / "train.jsonl")
    [passage] = squad.load(tmp_path / "squad.json")
    frame = pandas.read_parquet(tmp_path / "parquet" / "train.parquet")
    assert row["question"] == passage.questions[0].text == frame["question"][0] == HOSTILE
    assert "script" not in (tmp_path / "README.md").read_text()


def test_an_unknown_format_lists_those_there_are_and_writes_nothing(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    with pytest.raises(UnknownName, match="Available: hf, jsonl, parquet, squad"):
        export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path / "out", ["jsonl", "sqaud"])
    assert not (tmp_path / "out").exists()


def test_pyarrow_is_loaded_only_where_it_is_needed(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from beat_the_ai.store import open_store\n"
        "from beat_the_ai.dataset.export import export_campaign\n"
        "from beat_the_ai.dataset.placement import Placement\n"
        "from beat_the_ai.terms.campaign import BoundCampaign\n"
        f"store = open_store({str(tmp_path / 'store.db')!r})\n"
        "campaign = BoundCampaign.open(store, 'pilot')\n"
        f"export_campaign(Placement(campaign), Path({str(tmp_path / 'out')!r}), ['squad', 'jsonl'])\n"
        "assert not {'pyarrow', 'pandas', 'datasets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_work_of_a_revoked_worker_leaves_the_dataset_and_comes_back(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    def texts(name: str) -> list[str]:
        written = export_campaign(
            Placement(BoundCampaign.open(store, campaign.id)), tmp_path / name, ["squad", "jsonl"]
        )
        return [one.read_text(encoding="utf-8") for one in written]

    worker = store.attempts.writers(campaign.id)[0][1]
    theirs = [row.attempt.id for row in store.attempts.of_campaign(campaign.id) if row.assignment.worker == worker]
    before = texts("before")
    assert any(theirs[0] in text for text in before)
    store.standings.add(campaign.id, worker, "revoked", by="ann", reason="gibberish", at=campaign.created_at)
    gone = texts("gone")
    assert not any(attempt in text for text in gone if '"dropped"' not in text for attempt in theirs)
    store.standings.add(campaign.id, worker, "qualified", by="ann", reason="an error", at=campaign.created_at)
    assert texts("back") == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"work": {"question": "Who?"}}, "work.answer: Field required"),
        ({"work": {"question": "Who?", "answer": {"text": ANSWER, "start": 22}, "hint": "x"}}, "work.hint: Extra"),
        ({"prediction": {"text": ANSWER, "start": "22", "score": 0.5}}, "prediction.start: Input should be"),
        ({"scores": {"f1": 0.0, "bleu": 1.0}}, "scores.bleu: Extra"),
    ],
)
def test_stored_work_that_does_not_fit_the_columns_is_an_error(
    store: Store, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    made = stored(store, TRIED[:1], 1)
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.attempts).values(**change))
    with pytest.raises(InvalidInput, match=f"does not fit the columns of reading_comprehension: {told}"):
        export_campaign(Placement(BoundCampaign.open(store, made.id)), tmp_path)


def test_columns_come_from_one_declaration(store: Store, campaign: Campaign, tmp_path: Path) -> None:
    """The Arrow schema, the rows and the card's table of fields."""

    class Inner(Value):
        share: float = Field(description="of it")

    class Outer(Value):
        name: str
        inner: list[Inner] | None = Field(description="several")

    told = pa.schema({"name": pa.string(), "inner": pa.list_(pa.struct({"share": pa.float64()}))})
    assert schema(Outer) == told
    rows = [Outer(name="a", inner=[Inner(share=1)]), Outer(name="b", inner=None)]
    assert arrow_table(jsonl_files.json_lines(rows), told).to_pylist() == [row.model_dump() for row in rows]
    assert list(meanings(Outer)) == [("inner", "several"), ("inner.share", "of it")]

    class Odd(Value):
        anything: dict[str, str]

    with pytest.raises(TypeError, match="no type of a column"):
        schema(Odd)
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path, ["parquet"])
    fields = (tmp_path / "README.md").read_text()
    for name, meaning in (*meanings(KIND.dataset.example_type), *meanings(attempt_type(KIND))):
        assert f"| `{name}` | {meaning} |" in fields
    names = pandas.read_parquet(tmp_path / "attempts.parquet").columns
    assert list(names) == list(attempt_type(KIND).model_fields)
