"""Contexts that come while a campaign goes on: their preview, their faults, and what is kept of them at any time."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.adding_contexts import AddContexts
from beat_the_ai.campaign.acts.contexts_file import MOST_BYTES, MOST_FAULTS
from beat_the_ai.campaign.acts.terms import present
from beat_the_ai.campaign.service.payout_preview import outlook_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import now
from beat_the_ai.writing import OpenHits
from tests.campaign.acts.begun import ANN, HITS, begin, opened, passage, write
from tests.cli.launching import NAME
from tests.store.builders import at_once

HIT_CENTS = 240


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[Place, OpenHits]]:
    place, offer = begin(tmp_path / "campaign", "crowd=mturk", f"pay.cap_cents={6 * HIT_CENTS}")
    yield place, offer
    place.store.close()


def test_new_contexts_are_previewed_and_offered_once_by_an_operator_that_serves(
    begun: tuple[Place, OpenHits], tmp_path: Path
) -> None:
    place, offer = begun
    outlook = outlook_of(place.bound(), present(place)[1])
    known = place.store.campaigns.contexts(NAME)[1][0]
    there = {"id": known.id, "title": "", "context": known.text, "questions": []}
    copied = {**there, "id": "copy", "context": f"  {known.text.upper()} "}
    act = AddContexts(file=write(tmp_path / "more.jsonl", there, copied, passage(1), passage(2)))
    preview = act.preview(place)
    assert (preview.new, preview.there, preview.repeated, preview.faults) == (2, 1, 1, ())
    assert preview.estimate is not None
    assert (preview.estimate.before_cents, preview.estimate.worst_cents) == (4 * HIT_CENTS, 6 * HIT_CENTS)
    assert act.do(place, ANN, preview.estimate.worst_cents).told == "2 new passages are offered."
    assert list(offer.hits().values()).count("new/1") == 1
    assert (len(offer.hits()), len(offer.open())) == (HITS + 2, HITS + 2)
    assert outlook.is_checked("new/1", "somebody")  # and it is known where it lies
    assert act.do(place, ANN).has_changed is False
    assert act.estimate(place) is None
    assert [each.action for each in place.store.audit.entries()] == ["add_contexts"]


def test_all_faults_of_a_file_are_told_with_their_lines_and_nothing_is_kept(
    begun: tuple[Place, OpenHits], tmp_path: Path
) -> None:
    place, offer = begun
    known = place.store.campaigns.contexts(NAME)[1][0]
    wrong = {**passage(2), "questions": [{"question": "?", "answer": {"text": "absent", "start": 0}}]}
    lines = [passage(1), "no JSON", {"id": "x"}, passage(1), "", *map(passage, range(10, 40)), wrong]
    act = AddContexts(file=write(tmp_path / "more.jsonl", *lines))
    told = [str(fault) for fault in act.preview(place).faults]
    assert [each.partition(":")[0] for each in told] == ["line 2", "line 3", "line 4", "line 36"]
    assert "line 1" in told[2]
    assert "'absent' does not stand at 0" in told[3]
    assert str(tmp_path) not in "".join(told)
    for do in (act.estimate, lambda place: act.do(place, ANN)):
        with pytest.raises(InvalidInput, match="nothing was changed"):
            do(place)
    other = AddContexts(file=write(tmp_path / "other.jsonl", {**passage(1), "id": known.id}))
    assert "with another text" in other.preview(place).faults[0].message
    many = AddContexts(file=write(tmp_path / "many.jsonl", *["{}"] * 500))
    assert len(many.preview(place).faults) == MOST_FAULTS
    assert (len(offer.hits()), place.store.audit.entries()) == (HITS, [])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_faults_are_those_of_the_text_whatever_its_encoding(
    begun: tuple[Place, OpenHits], tmp_path: Path, encoding: str
) -> None:
    place, _ = begun
    file = tmp_path / "more.jsonl"
    file.write_bytes("\n".join([json.dumps(passage(1)), '{"id": "é"}', "no JSON"]).encode(encoding))
    told = [str(fault) for fault in AddContexts(file=file).preview(place).faults]
    if encoding == "latin-1":
        assert told == ["the file: the file cannot be read: line 2 is no UTF-8 text. Save it as UTF-8."]
    else:
        assert [each.partition(":")[0] for each in told] == ["line 2", "line 3"]


def test_a_file_in_another_form_is_read_too(begun: tuple[Place, OpenHits], tmp_path: Path) -> None:
    place, _ = begun
    table = tmp_path / "more.csv"
    table.write_text("id,context\na,A passage about one.\nb,A passage about two.\n,Without an id.\n")
    assert [fault.place for fault in AddContexts(file=table).preview(place).faults] == ["line 4"]
    packed = tmp_path / "more.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(passage(1)).encode()))
    assert AddContexts(file=packed).preview(place).new == 1


def test_a_folder_is_read_by_its_parts_and_its_faults_name_the_file(
    begun: tuple[Place, OpenHits], tmp_path: Path
) -> None:
    place, offer = begun
    folder = tmp_path / "more"
    folder.mkdir()
    write(folder / "train.jsonl", passage(1))
    (folder / "dev.jsonl.gz").write_bytes(gzip.compress(json.dumps(passage(2)).encode()))
    write(folder / "test.jsonl", passage(3), {"id": "x"})
    assert [fault.place for fault in AddContexts(file=folder).preview(place).faults] == ["test.jsonl, line 2"]
    write(folder / "test.jsonl", passage(1))
    [fault] = AddContexts(file=folder).preview(place).faults
    assert fault.place == "the folder"
    assert "2 passages with the id 'new/1'" in fault.message
    assert str(tmp_path) not in fault.message
    (folder / "test.jsonl").unlink()
    preview = AddContexts(file=folder).preview(place)
    assert (preview.new, preview.faults) == (2, ())
    write(folder / "test.jsonl", passage(3))
    with pytest.raises(Refused, match="Preview it again"):
        AddContexts(file=folder, sha256=preview.sha256).estimate(place)
    with (folder / "test.jsonl").open("ab") as opened_file:
        opened_file.truncate(MOST_BYTES)
    with pytest.raises(InvalidInput, match="more has more than 32 MiB"):
        AddContexts(file=folder).preview(place)
    (tmp_path / "photos").mkdir()
    with pytest.raises(InvalidInput, match="holds no train, dev or test part"):
        AddContexts(file=tmp_path / "photos").preview(place)
    assert len(offer.hits()) == HITS


def test_a_file_that_is_too_large_is_refused_however_small_it_is_packed(
    begun: tuple[Place, OpenHits], tmp_path: Path
) -> None:
    place, _ = begun
    large, bomb = tmp_path / "large.jsonl", tmp_path / "bomb.jsonl.gz"
    with large.open("wb") as opened_file:
        opened_file.truncate(MOST_BYTES + 1)
    bomb.write_bytes(gzip.compress(b" " * (MOST_BYTES + 1)))
    table = tmp_path / "table.parquet"
    table.write_bytes(b"PAR1" + b"\0" * 64)
    for file in (large, bomb, table, tmp_path / "nowhere.jsonl"):
        with pytest.raises(InvalidInput, match=file.name):
            AddContexts(file=file).preview(place)


def test_another_file_than_was_previewed_is_refused(begun: tuple[Place, OpenHits], tmp_path: Path) -> None:
    place, _ = begun
    file = write(tmp_path / "more.jsonl", passage(1))
    act = AddContexts(file=file, sha256=AddContexts(file=file).preview(place).sha256)
    write(file, passage(2))
    with pytest.raises(Refused, match="not the file that was previewed"):
        act.do(place, ANN)


def test_two_files_at_once_never_pass_the_cap(begun: tuple[Place, OpenHits], tmp_path: Path) -> None:
    place, offer = begun
    files = [write(tmp_path / f"{number}.jsonl", passage(number), passage(9 + number)) for number in range(3)]

    def do(number: int) -> bool:
        try:
            return AddContexts(file=files[number]).do(place, ANN).has_changed
        except Refused:
            return False

    assert sum(at_once(3, do)) == 1
    assert len(offer.hits()) == HITS + 2
    assert present(place)[1].round.max_hits == HITS + 2


def test_a_kill_in_the_middle_leaves_nothing_and_the_next_try_adds_them_once(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    place, offer = begin(folder)
    file = write(tmp_path / "more.jsonl", passage(1))
    command = [sys.executable, "-m", "tests.campaign.acts.begun", str(folder), str(file)]
    assert subprocess.run(command, timeout=60).returncode == -signal.SIGKILL
    assert (len(offer.hits()), place.store.campaigns.number_of_contexts(NAME)) == (HITS, HITS)
    assert (present(place)[1].round.max_hits, place.store.audit.entries()) == (HITS, [])
    store = opened(folder)
    assert [AddContexts(file=file).do(Place(store, NAME, folder), ANN).has_changed for _ in range(2)] == [True, False]
    assert (len(offer.hits()), len(place.store.audit.entries())) == (HITS + 1, 1)
    for each in (store, place.store):
        each.close()


def test_a_closed_round_gets_no_contexts(begun: tuple[Place, OpenHits], tmp_path: Path) -> None:
    place, _ = begun
    place.store.rounds.close(NAME, now())
    with pytest.raises(Refused, match="offers no more HITs"):
        AddContexts(file=write(tmp_path / "more.jsonl", passage(1))).do(place, ANN)
