"""The leader board on a worker's page: chosen names, verified wins and streaks, and attacks on both."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from beat_the_ai import messages
from beat_the_ai.kinds.nli.labels import LABELS
from beat_the_ai.kinds.nli.verification import Verification
from beat_the_ai.kinds.quizbowl.playing import Playing
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.letters import Board, Letterbox, Records, build_app
from beat_the_ai.letters.board import KEPT_SECONDS, MOST_ROWS
from beat_the_ai.letters.saying import said
from beat_the_ai.payments import Earnings
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.ids import new_pseudonym
from beat_the_ai.store import Store, open_store
from beat_the_ai.store.board import TAKEN, TAKEN_OFF
from tests.letters.conftest import Browser, Campaign, Clock
from tests.validation.written import ANSWERS, answer_all, new_campaign, new_desk, passages, write

ANN, BEN, CLEO = "AANN", "ABEN", "ACLEO"
CHECKINGS: list[Checking] = [Answerability(), Verification(), Playing(min_right=1)]
NUMBERS = count()


@dataclass
class Boarded(Campaign):
    """A campaign with a leader board. What is kept for a while is kept as long as `seconds` stays."""

    seconds: float = 0.0
    withdrawn: set[str] = field(default_factory=set)
    records: Records = field(init=False)

    def __post_init__(self) -> None:
        self.records = Records(lambda: self.seconds)

    def box(self) -> Letterbox:
        today = self.bound()
        board = Board(today, self.records, lambda: self.withdrawn)
        return Letterbox(today, lambda _worker: Earnings(), self.clock, board)

    def writes(self, worker: str, *results: bool) -> None:
        """Have a worker hand in a HIT whose examples validators confirm, or do not."""
        number, answers = next(NUMBERS), ANSWERS[: len(results)]
        name = f"new/{number}"
        self.store.campaigns.offer("pilot", [replace(passages(1)[0], id=name)], round_number=1, slots=1)
        made = write(self.store, name, worker, answers, minutes=number)
        said = {each: answer if won else None for each, answer, won in zip(made, answers, results, strict=True)}
        desk = new_desk(self.store, self.store.campaigns.get("pilot"), works_per_hit=len(results))
        for validator in ("v1", "v2", "v3"):
            answer_all(desk, validator, said, f"{name} {validator}")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann has won twice, lost, and won; Ben has won twice; Cleo has lost."""
    file = tmp_path_factory.mktemp("written") / "campaign.db"
    store = open_store(str(file))
    new_campaign(store)
    made = boarded(store)
    made.writes(ANN, True, True, False, True)
    made.writes(BEN, True, True)
    made.writes(CLEO, False)
    store.close()
    return file


@pytest.fixture
def campaign(written: Path, tmp_path: Path) -> Iterator[Boarded]:
    """A copy of what was written."""
    store = open_store(str(shutil.copy(written, tmp_path)))
    yield boarded(store)
    store.close()


def boarded(store: Store) -> Boarded:
    return Boarded(store, Clock(), {"shows_board": True})


@pytest.fixture
def http(campaign: Boarded) -> Iterator[TestClient]:
    with TestClient(build_app(campaign.bound().record, campaign.box)) as client:
        yield client


@pytest.fixture
def ann(http: TestClient, campaign: Boarded) -> Browser:
    return Browser(http, campaign, ANN)


@pytest.fixture
def ben(http: TestClient, campaign: Boarded) -> Browser:
    return Browser(http, campaign, BEN)


@pytest.fixture
def cleo(http: TestClient, campaign: Boarded) -> Browser:
    return Browser(http, campaign, CLEO)


def join(browser: Browser, name: str, status: int = 200) -> str:
    return browser.send(name, "join", status=status)


def rows(page: str) -> list[list[str]]:
    """Return the cells of the board's rows."""
    found = re.findall(r"<tr.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in found]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells]


def own_figures(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"(?:Verified wins|streak)</dt> <dd>(\d+)</dd>", page)]


def kinds_of_forms(browser: Browser) -> set[str]:
    return {form["kind"] for form in browser.fields()}


def test_there_is_no_board_unless_the_campaign_has_one(campaign: Boarded, ann: Browser) -> None:
    assert "shows_board" in campaign.terms
    campaign.terms.clear()
    page = ann.look()
    assert "board" not in page.lower()
    assert "streak" not in page.lower()
    assert "no board" in join(ann, "Owl", 400)
    assert campaign.store.board.of_campaign("pilot") == []


def test_who_has_not_joined_sees_figures_of_their_own_and_is_not_listed(ann: Browser, ben: Browser) -> None:
    page = ann.look()
    assert own_figures(page) == [3, 1, 2]
    assert rows(page) == []
    join(ben, "Owl")
    page = ann.look()
    assert rows(page) == [["1", "Owl", "2", "2", "2"]]
    assert "aria-current" not in page
    assert ANN not in re.sub(r"<[^>]*>", "", ben.look())
    assert rows(ben.look()) == [["1", "Owl you", "2", "2", "2"]]


def test_ties_share_a_rank_and_ones_own_row_is_marked(
    campaign: Boarded, ann: Browser, ben: Browser, cleo: Browser
) -> None:
    campaign.writes(CLEO, True, False, True, False, True)
    shown = join(ann, "Zebra")
    assert 'role="status"' in shown
    assert "You are on the leader board as <bdi>Zebra</bdi>." in shown
    join(ben, "Owl")
    page = join(cleo, "ant")
    assert rows(page) == [
        ["1", "ant you", "3", "1", "1"],
        ["1", "Zebra", "3", "1", "2"],
        ["3", "Owl", "2", "2", "2"],
    ]
    assert page.count('aria-current="true"') == 1
    assert "<caption>" in page


def test_a_name_is_changed_and_left_at_once(ann: Browser, ben: Browser) -> None:
    join(ann, "Owl")
    assert rows(ben.look())[0][1] == "Owl"
    join(ann, "Fox")
    assert rows(ben.look())[0][1] == "Fox"
    assert kinds_of_forms(ann) == {"join", "leave", "message"}
    assert "You are not on the leader board." in ann.send("", "leave")
    assert rows(ben.look()) == rows(ann.look()) == []
    assert kinds_of_forms(ann) == {"join", "message"}
    ann.send("", "leave")
    join(ben, "Fox")


@pytest.mark.parametrize("theirs", ["owl", "ＯＷＬ", "O W L", "O\u200bwl", "AANN", "aann", "ABEN", "v1"])
def test_a_taken_name_and_a_workers_id_are_refused_kindly(
    campaign: Boarded, ann: Browser, ben: Browser, theirs: str
) -> None:
    join(ann, "Owl")
    shown = join(ben, theirs, 409)
    assert messages.said(TAKEN) in shown
    assert 'role="alert"' in shown
    assert "Please" in messages.said(TAKEN)
    assert campaign.store.board.listed("pilot") == {ANN: "Owl"}


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "x", "!?", "x" * 25, "x" * 60_000, "a\u202eb", "a\x00b", "<b>Owl</b>", "\u200b\u200b",
        "Owl \U0001f989", "<script>alert(1)</script>", "\ud800", "\u0410nna", "\u039fwl",
        "O\u0301\u0302\u0303\u0304wl", "\u0e49" * 20 + "ab",
    ],
)  # fmt: skip
def test_hostile_names_are_refused(campaign: Boarded, ann: Browser, name: str) -> None:
    shown = ann.send(name.encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "join", status=400)
    assert 'aria-invalid="true"' in shown
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert campaign.store.board.of_campaign("pilot") == []


@pytest.mark.parametrize(
    "name", ["Łukasz", "Анна", "Νίκη", "אבי", "สมชาย", "ทั้งคู่", "山田 Taro", "ユキ子", "김 Kim", "Zoë 3"]
)
def test_names_in_any_alphabet_are_welcome(ann: Browser, ben: Browser, name: str) -> None:
    join(ann, name)
    assert name in ben.look()


def test_a_megabyte_is_not_read(campaign: Boarded, ann: Browser) -> None:
    join(ann, "x" * 1_000_000, 413)
    assert campaign.store.board.of_campaign("pilot") == []


def test_a_name_is_shown_as_text(ann: Browser, ben: Browser) -> None:
    join(ann, "1 < 2 & \"3' {{ 7 * 7 }}")
    page = ben.http.get(ben.path).text
    assert "<bdi>1 &lt; 2 &amp; &#34;3&#39; {{ 7 * 7 }}</bdi>" in page
    assert 'value="1 &lt; 2 &amp; &#34;3&#39; {{ 7 * 7 }}"' in ann.http.get(ann.path).text


@pytest.mark.parametrize("key", ["", "x" * 65, "ü"])
@pytest.mark.parametrize("kind", ["join", "leave"])
def test_a_post_without_its_key_changes_nothing(campaign: Boarded, ann: Browser, kind: str, key: str) -> None:
    campaign.store.board.choose("pilot", ANN, "Owl", campaign.clock.at)
    ann.send("Fox", kind, key=key, status=400)
    assert campaign.store.board.listed("pilot") == {ANN: "Owl"}


def test_nobody_joins_without_a_token_or_without_end(
    http: TestClient, campaign: Boarded, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = {"key": "k", "kind": "join", "text": "Owl"}
    forged = ann.path.partition(".")[0] + "." + campaign.path(BEN).partition(".")[2]
    for path in (forged, "/x", campaign.path("ANOBODY")):
        assert http.post(path, data=content).status_code == 404
    monkeypatch.setattr("beat_the_ai.letters.app.BURST", 3)
    answers = [http.post(campaign.path(CLEO), data=content, follow_redirects=False).status_code for _ in range(8)]
    assert answers[:3] == [303] * 3
    assert 429 in answers
    assert campaign.store.board.listed("pilot") == {CLEO: "Owl"}


@pytest.mark.parametrize("standing", ["revoked", "blocked"])
def test_the_revoked_leave_the_board_and_see_no_other(
    campaign: Boarded, ann: Browser, ben: Browser, standing: str
) -> None:
    join(ann, "Owl")
    join(ben, "Fox")
    campaign.store.standings.add("pilot", ANN, standing, by="ann", reason="why", at=campaign.clock.at)
    assert [row[1] for row in rows(ben.look())] == ["Fox you"]
    page = ann.look()
    assert own_figures(page) == [3, 1, 2]
    assert rows(page) == []
    assert said("letters_refusals.board.not_you") in join(ann, "Bat", 409)
    ann.send("", "leave")
    assert campaign.store.board.listed("pilot") == {BEN: "Fox"}


def test_who_withdraws_or_is_erased_leaves_the_board(
    campaign: Boarded, ann: Browser, ben: Browser, cleo: Browser
) -> None:
    for browser, name in ((ann, "Owl"), (ben, "Fox"), (cleo, "Bat")):
        join(browser, name)
    campaign.withdrawn.add(ANN)
    assert [row[1] for row in rows(ben.look())] == ["Fox you", "Bat"]
    assert campaign.store.board.of_worker("pilot", ANN) is None
    assert rows(ann.look()) == []
    assert said("letters_refusals.board.not_you") in join(ann, "Owl", 409)
    campaign.store.erasure.erase(CLEO, new_pseudonym(), campaign.clock.at)
    assert [row[1] for row in rows(ben.look())] == ["Fox you"]
    assert [one.worker for one in campaign.store.board.of_campaign("pilot")] == [BEN]


def test_a_name_that_was_taken_off_stays_off(campaign: Boarded, ann: Browser, ben: Browser) -> None:
    join(ann, "Rude")
    campaign.store.board.take_off("pilot", ANN, campaign.clock.at)
    assert rows(ben.look()) == []
    assert "took your name off" in ann.look()
    assert kinds_of_forms(ann) == {"message"}
    assert messages.said(TAKEN_OFF) in join(ann, "Ruder", 409)


def test_a_long_board_has_ones_own_row(campaign: Boarded, cleo: Browser, ben: Browser) -> None:
    for number in range(MOST_ROWS):
        campaign.store.board.choose("pilot", f"w{number}", f"Name {number:03}", campaign.clock.at)
    join(ben, "Owl")
    join(cleo, "Zebra")
    shown = rows(cleo.look())
    assert len(shown) == MOST_ROWS
    assert shown[0] == ["1", "Owl", "2", "2", "2"]
    assert shown[-1] == ["2", "Zebra you", "0", "0", "0"]
    assert len(rows(ben.look())) == MOST_ROWS


def test_others_numbers_are_read_once_a_minute_and_ones_own_at_once(
    campaign: Boarded, ann: Browser, ben: Browser, cleo: Browser
) -> None:
    for browser, name in ((ann, "Ann"), (ben, "Ben")):
        join(browser, name)
    campaign.writes(BEN, True, True)
    assert rows(ann.look()) == [["1", "Ann you", "3", "1", "2"], ["2", "Ben", "2", "2", "2"]]
    assert rows(ben.look()) == [["1", "Ben you", "4", "4", "4"], ["2", "Ann", "3", "1", "2"]]
    assert ["3", "Cleo you", "0", "0", "0"] in rows(join(cleo, "Cleo"))
    campaign.seconds += KEPT_SECONDS
    assert rows(ann.look())[0] == ["1", "Ben", "4", "4", "4"]


@pytest.mark.parametrize("checking", CHECKINGS, ids=lambda one: type(one).__name__)
@given(data=st.data())
def test_a_verified_win_of_any_kind_is_final(checking: Checking, data: st.DataObject) -> None:
    labels: Sequence[str] = LABELS if isinstance(checking, Verification) else ("Rome", "Oslo")
    votes = data.draw(st.lists(st.sampled_from(labels), max_size=checking.most_votes))
    adjudication = checking.adjudicate(data.draw(st.sampled_from(labels)), labels[0], votes)
    assert adjudication.settled or not adjudication.confirmed
