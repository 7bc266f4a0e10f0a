"""Metadata, licence, citation and datasheet of an export, as catalogues and citing programs read them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from beat_the_ai.dataset.card import SIMULATED
from beat_the_ai.dataset.datasheet import NOT_SHOWN, OPEN
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.transcript import contents
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.release import LICENSES, ReleaseTerms
from tests.croissant import croissant_of
from tests.dataset.builders import Tried, stored

TRIED = [Tried(number % 14, f"A{number % 5}RAW", fooled=number % 3 > 0) for number in range(60)]
HOSTILE = 'A "name": |x| <script>alert(1)</script> ```---``` \\ } é'
SAID: dict[str, Any] = {
    "pretty_name": HOSTILE,
    "version": "1.2.0",
    "license": "cc-by-sa-4.0",
    "authors": ["Lovelace, Ada", "Analytical Engine Society"],
    "address": "https://example.org/data",
    "doi": "10.5281/zenodo.12",
    "source_datasets": ["extended|squad"],
    "motivation": "To see <b>who</b> is beaten.",
}


def released(store: Store, out: Path, said: dict[str, Any], *formats: str, **config: Any) -> list[Path]:
    stored(store, TRIED, 14)
    contents.record(BoundCampaign.open(store, "pilot"))
    return again(store, out, said, *formats, **config)


def again(store: Store, out: Path, said: dict[str, Any], *formats: str, **config: Any) -> list[Path]:
    bound = BoundCampaign.open(store, "pilot")
    record = replace(bound.record, config={**bound.record.config, "release": said, **config})
    return export_campaign(Placement(replace(bound, record=record)), out, formats or None)


def metadata(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((out / "README.md").read_text("utf-8").split("---\n")[1])
    return found


def test_the_card_begins_with_what_the_hub_reads(store: Store, tmp_path: Path) -> None:
    released(store, tmp_path, SAID)
    told = metadata(tmp_path)
    assert told == {
        "annotations_creators": ["crowdsourced"],
        "language_creators": ["crowdsourced"],
        "language": ["en"],
        "license": "cc-by-sa-4.0",
        "pretty_name": HOSTILE,
        "size_categories": ["n<1K"],
        "source_datasets": ["extended|squad"],
        "task_categories": ["question-answering"],
        "task_ids": ["extractive-qa"],
        "configs": told["configs"],
    }
    card, _, cited = (tmp_path / "README.md").read_text("utf-8").split("---\n", 2)[2].partition("```bibtex\n")
    assert "<script>" not in card
    assert "To see &lt;b&gt;who&lt;/b&gt; is beaten." in card
    assert OPEN in card
    assert "author = {Lovelace, Ada and Analytical Engine Society}," in cited
    assert cited.count("`") == 3


def test_without_words_of_the_requester_the_card_says_what_is_missing(store: Store, tmp_path: Path) -> None:
    released(store, tmp_path, {}, "jsonl", simulated=True)
    told = metadata(tmp_path)
    assert "license" not in told
    assert told["pretty_name"] == "pilot"
    assert told["annotations_creators"] == ["machine-generated"]
    card = (tmp_path / "README.md").read_text("utf-8")
    assert SIMULATED in card
    assert "No licence is named, so nobody may share it." in card
    assert "How to cite it" not in card
    assert not (tmp_path / "CITATION.cff").exists()


def test_a_citation_file_is_there_as_long_as_there_are_authors(store: Store, tmp_path: Path) -> None:
    assert tmp_path / "CITATION.cff" in released(store, tmp_path, SAID, "jsonl")
    cited = yaml.safe_load((tmp_path / "CITATION.cff").read_text("utf-8"))
    assert cited["authors"] == [
        {"family-names": "Lovelace", "given-names": "Ada"},
        {"name": "Analytical Engine Society"},
    ]
    assert (cited["cff-version"], cited["title"], cited["version"]) == ("1.2.0", HOSTILE, "1.2.0")
    assert (cited["license"], cited["doi"], cited["url"]) == ("CC-BY-SA-4.0", "10.5281/zenodo.12", SAID["address"])
    assert "CITATION.cff" in (tmp_path / "SHA256SUMS").read_text()
    again(store, tmp_path, {}, "jsonl")
    assert not (tmp_path / "CITATION.cff").exists()


def test_settings_are_told_but_for_people_and_places(store: Store, tmp_path: Path) -> None:
    campaign = stored(store, TRIED, 14)
    bound = BoundCampaign.open(store, campaign.id)
    config = {
        "dataset": {"train": 8, "dev": 1, "test": 1, "exclusive_writers": ["A1RAW"]},
        "task": {"kind": "/home/ann/kind.py:KIND", "options": {"f1_threshold": 0.4}},
        "round": {"max_tries": 9},
    }
    rounds = {1: replace(bound.rounds[1], record=replace(bound.rounds[1].record, config=config))}
    export_campaign(Placement(replace(bound, rounds=rounds)), tmp_path, ["jsonl"])
    card = (tmp_path / "README.md").read_text("utf-8")
    for shown in ("| `round.max_tries` | 9 |", "| `task.options.f1_threshold` | 0.4 |"):
        assert shown in card
    for hidden in ("dataset.exclusive_writers", "task.kind"):
        assert f"| `{hidden}` | {NOT_SHOWN} |" in card
    assert "A1RAW" not in card
    assert "/home/ann" not in card


@pytest.mark.parametrize("formats", [("parquet", "jsonl", "squad"), ("jsonl",), ("hf",)])
def test_croissant_describes_every_file_and_row(store: Store, tmp_path: Path, formats: tuple[str, ...]) -> None:
    """By the library of the format's authors, which checks the checksums and reads the tables."""
    written = released(store, tmp_path, SAID, *formats)
    dataset, rows = croissant_of(tmp_path)
    assert not dataset.metadata.issues.warnings
    described = {each.content_url for each in dataset.metadata.distribution}
    names = {path.relative_to(tmp_path).as_posix() for path in written if "private" not in path.parts}
    assert described == names - {"croissant.json", "SHA256SUMS", "ROWS", "transcript.json"}  # which have its checksum
    if formats == ("hf",):
        assert rows == {}
        return
    assert {name: len(of) for name, of in rows.items() if name != "votes"} == {
        "attempts": 60,
        "contexts": 14,
        **{
            part: len((tmp_path / f"jsonl/{part}.jsonl").read_bytes().splitlines()) for part in ("train", "dev", "test")
        },
    }
    first = json.loads((tmp_path / "attempts.jsonl").read_bytes().splitlines()[0])
    assert rows["attempts"][0]["attempts/attempt_id"].decode() == first["attempt_id"]
    assert rows["attempts"][0]["attempts/fooled"] == first["fooled"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("license", "my own"),
        ("doi", "https://doi.org/10.1/x"),
        ("address", "javascript:alert(1)"),
        ("address", "https://example.org/a b"),
        ("authors", ["Lovelace,\nAda"]),
        ("version", "newest"),
        ("source_datasets", ["squad"]),
        ("pretty_name", "a\x1bb"),
    ],
)
def test_what_no_release_can_say_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        ReleaseTerms(**{name: value})
    if name == "license":
        assert all(known in str(refused.value) for known in LICENSES)
