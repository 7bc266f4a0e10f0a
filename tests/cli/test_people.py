"""`people`: the requester's side of a crowd of their own."""

from __future__ import annotations

import csv
import json
import re
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.marketplace import commands, fees
from beat_the_ai.marketplace.market import open_market
from tests.marketplace.people.post_office import PostOffice
from tests.ports import free_port


@pytest.fixture
def people(tmp_path: Path) -> str:
    return str(tmp_path / "people")


def run(people: str, *arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["people", *arguments, "--people", people])
    assert result.exit_code == status, result.output
    return result


def listed(people: str, *options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(people, "list", "--json", *options).stdout)
    return found


def written(folder: Path, content: str, name: str = "class.csv") -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


def test_a_list_is_imported_once_however_often_it_comes(people: str, tmp_path: Path) -> None:
    rows = [f"P{number} Q,p{number}@example.org,all" for number in range(10_000)]
    file = written(tmp_path, "\ufeffname,email,group\n" + "\n".join([*rows, *rows[:3], "Bo Li,,"]) + "\n")
    assert run(people, "import", file, "--group", "2026").stdout.startswith("Added 10001; 0 were here, 3 repeated")
    longer = written(tmp_path, "name,email\nBo Li,\nCy,cy@example.org\nP1,P1@example.org\n")
    assert run(people, "import", longer).stdout.startswith("Added 1; 2 were here")
    assert len(listed(people, "--group", "2026")) == 10_001
    assert "Did you mean '2026'" in run(people, "list", "--group", "2025", status=2).stderr
    assert [one["name"] for one in listed(people, "--find", "p9999@")] == ["P9999 Q"]
    assert (Path(people) / "private" / "people.db").stat().st_mode & 0o777 == 0o600


def test_a_faulty_list_adds_nobody_and_says_where_it_is_wrong(people: str, tmp_path: Path) -> None:
    file = written(tmp_path, "name,email\nAda,ada@example.org\nBo,bo@\n")
    refused = run(people, "import", file, status=2)
    assert "class.csv: nobody was added. line 3: 'bo@' is no e-mail address" in refused.stderr
    assert listed(people) == []


def test_without_a_mail_server_links_are_printed_or_written_for_a_mail_merge(people: str, tmp_path: Path) -> None:
    printed = run(people, "invite", "Ada Byron", "bo@example.org").stdout
    links = re.findall(r"http://127\.0\.0\.1:8700/worker/join/([0-9a-f]{40})", printed)
    assert len(set(links)) == 2
    run(people, "address", "https://work.example.org/")
    run(people, "address", "ftp://work.example.org", status=2)
    file = tmp_path / "links.csv"
    run(people, "invite", "--csv", str(file))
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    assert [(row["name"], row["email"]) for row in rows] == [("Ada Byron", ""), ("bo", "bo@example.org")]
    assert all(row["link"].startswith("https://work.example.org/worker/join/") for row in rows)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "https://work.example.org/worker/join/" in run(people, "open-link", "--approve", "--places", "3").stdout


def test_invitations_go_out_once_and_what_was_refused_goes_out_again(people: str, tmp_path: Path) -> None:
    file = written(tmp_path, "".join(f"p{number}@example.org\n" for number in range(5)) + "Bo Li\n")
    run(people, "import", file)
    with PostOffice(unknown={"p2@example.org"}).open() as office:
        run(people, "mail-server", office.url, status=2)
        run(people, "mail-server", office.url, "--sender", "The lab <lab@example.org>")
        first = run(people, "invite").stdout
        assert "Sent 4 of 6 invitations." in first
        assert "refused: p2@example.org: 550 5.1.1 No such person" in first
        assert "no e-mail address: Bo Li" in first
        office.unknown.clear()
        assert "Sent 1 of 2 invitations." in run(people, "invite").stdout
        assert sorted(address for address, _ in office.taken) == [f"p{number}@example.org" for number in range(5)]
        assert "Sent 5 of 6 invitations." in run(people, "invite", "--again").stdout
    unreachable = run(people, "invite", "--again", status=2)
    assert "mail server 127.0.0.1 cannot be used" in unreachable.stderr
    run(people, "mail-server", "--none")
    assert "p0: http" in run(people, "invite", "--again").stdout


def test_who_may_work_changes_by_name_and_only_from_where_that_makes_sense(people: str) -> None:
    run(people, "invite", "Ada", "Bo")
    refused = run(people, "approve", "Ada", status=2)
    assert "Ada is invited; `approve` is for whoever is waiting or unconfirmed." in refused.stderr
    assert "Ada is signed out and cannot sign in." in run(people, "suspend", "Ada").stdout
    run(people, "suspend", "Ada", "Bo", status=2)
    assert {str(one["name"]): one["state"] for one in listed(people)} == {"Ada": "suspended", "Bo": "invited"}
    run(people, "restore", "Ada")
    assert [one["name"] for one in listed(people, "--state", "invited")] == ["Ada", "Bo"]
    run(people, "group", "add", "lab", "Ada", "Bo")
    run(people, "group", "remove", "lab", "Bo")
    assert [one["name"] for one in listed(people, "--group", "lab")] == ["Ada"]
    assert "no name of a group" in run(people, "group", "add", "<b>", "Bo", status=2).stderr
    assert "Unknown group 'lap'" in run(people, "group", "remove", "lap", "Bo", status=2).stderr
    assert "Ada is invited. Links to sign in" in run(people, "sign-in-link", "Ada", status=2).stderr
    worker_id = str(listed(people)[0]["worker_id"])
    run(people, "remove", "Ada")
    assert listed(people, "--find", worker_id)[0]["name"] is None
    assert "Nobody here is called 'Ada'" in run(people, "sign-in-link", "Ada", status=2).stderr
    assert "Bo" in run(people, "list").stdout


def test_an_open_link_can_be_closed_and_a_domain_needs_a_mail_server(people: str) -> None:
    link = run(people, "open-link", "--places", "7", "--group", "course").stdout.strip()
    [listed_link] = run(people, "links").stdout.splitlines()[1:]
    assert [word for word in listed_link.split() if word in ("0", "7", "anybody", "course")] == [
        "0",
        "7",
        "anybody",
        "course",
    ]
    assert "Nobody can join" in run(people, "close-link", link).stdout
    run(people, "open-link")
    by_id = run(people, "links").stdout.splitlines()[1].split()[0]
    run(people, "close-link", by_id)
    assert len(run(people, "links").stdout.splitlines()) == 1
    assert "not known" in run(people, "close-link", link[:-1], status=1).stderr
    assert "Name a server" in run(people, "open-link", "--domain", "uni.edu", status=2).stderr
    with PostOffice().open() as office:
        run(people, "mail-server", office.url, "--sender", "lab@example.org")
    assert "no e-mail address" in run(people, "open-link", "--domain", "uni edu", status=2).stderr
    assert "/worker/join/" in run(people, "open-link", "--domain", "uni.edu").stdout


def test_the_store_of_another_marketplace_stays_as_it_is(tmp_path: Path) -> None:
    """A command with its URL is refused, and its fees stay as they are."""
    file = f"sqlite:///{tmp_path}/market.db"
    commands.add_requester(file, "lab")
    assert "requesters of its own" in run(file, "list", status=2).stderr
    market = open_market(file)
    with market.reading() as moment:
        assert fees.are_charged(moment)
    market.close()


def test_a_campaign_needs_people_and_an_address(people: str, tmp_path: Path) -> None:
    for crowd, said in (
        ([f"crowd.people={people}"], "There are no people in"),
        ([f"crowd.people={people}", "crowd.endpoint_url=127.0.0.1:8700"], "http:// is missing"),
    ):
        arguments = ["launch", "tasks/reading_comprehension", "crowd=own", *crowd, "--out", str(tmp_path / "out")]
        result = CliRunner().invoke(main, arguments)
        assert (result.exit_code, said in result.output) == (2, True), result.output
        run(people, "invite", "Ada")


def test_an_address_is_a_place_and_nothing_else(people: str) -> None:
    for wrong in ("http://", "work.example.org", "https://work.example.org/worker", "https://u:p@work.example.org"):
        assert "is no address" in run(people, "address", wrong, status=2).stderr
    assert run(people, "address").stdout.strip() == "http://127.0.0.1:8700"


def test_invitations_have_a_language_of_the_portal(people: str) -> None:
    assert run(people, "language").stdout.strip() == "en"
    assert run(people, "language", "de").stdout.strip() == "de"
    assert "Unknown language 'tlh'" in run(people, "language", "tlh", status=2).stderr


def test_a_campaign_on_people_whose_portal_is_elsewhere_says_how_to_start_it(people: str, tmp_path: Path) -> None:
    url = f"sqlite:///{people}.db"
    run(url, "invite", "Ada")
    crowd = ["crowd=own", f"crowd.people={url}", f"crowd.endpoint_url=http://127.0.0.1:{free_port()}"]
    result = CliRunner().invoke(main, ["launch", "tasks/reading_comprehension", *crowd, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "Start it there: beat-the-ai people serve" in result.output
