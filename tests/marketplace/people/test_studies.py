"""People whom a recruiter sends: over the real portal, by plain requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.people import person, studies
from beat_the_ai.terms.crowd import RecruiterTerms
from tests.marketplace.people.test_joining import Visitor
from tests.marketplace.rehearsal import HIT, NUMBERS, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

TERMS = RecruiterTerms(
    person="PID",
    session="SID",
    finish_url="https://recruiter.example/done?cc={code}",
    done="D1",
    partial="P1",
    returned="R1",
)


@dataclass
class Study:
    """A study with its HITs at the portal."""

    portal: Rehearsal
    client: MTurkClient
    prefix: str
    path: str

    def offer(self, hits: int = 1, **changes: Any) -> list[str]:
        made = []
        for number in range(hits):
            annotation = f"{self.prefix}unit-{number}-{next(NUMBERS)}"
            made.append(self.client.create_hit(**{**HIT, "RequesterAnnotation": annotation, **changes})["HIT"]["HITId"])
        return made

    def link(self, person_id: str, session: str) -> str:
        return f"{self.path}?PID={person_id}&SID={session}"

    @contextmanager
    def visitor(self) -> Iterator[Visitor]:
        with httpx.Client(base_url=self.portal.address, follow_redirects=True, timeout=30) as http:
            yield Visitor(http)

    def worker_id(self, name: str) -> str:
        with self.portal.market() as market, market.reading() as moment:
            return person.find(moment, name).worker_id

    def start(self, visitor: Visitor, person_id: str, session: str, status: int = 200) -> str:
        visitor.see(self.link(person_id, session))
        return visitor.send(self.path, status, PID=person_id, SID=session)


@pytest.fixture
def study(rehearsal: Rehearsal, client: MTurkClient) -> Study:
    return new_study(rehearsal, client, TERMS)


def new_study(rehearsal: Rehearsal, client: MTurkClient, terms: RecruiterTerms) -> Study:
    prefix = f"beat-the-ai:study {next(NUMBERS)} %_:"
    with rehearsal.market() as market, market.writing() as moment:
        key = studies.register(moment, prefix, "Read and ask", terms.model_dump())
        assert studies.register(moment, prefix, "Read and ask", terms.model_dump()) == key
    return Study(rehearsal, client, prefix, f"/worker/study/{key}")


def unique(name: str) -> str:
    return f"{name}-{next(NUMBERS)}"


def submit(visitor: Visitor) -> None:
    """Post the form that the page in the frame would."""
    found = re.search('<iframe class="task" src="([^"]+)"', visitor.page)
    assert found is not None, visitor.page
    told = {name: values[0] for name, values in parse_qs(urlsplit(found[1].replace("&amp;", "&")).query).items()}
    answers = {"assignmentId": told["assignmentId"], "question": "Which?"}
    assert httpx.post(f"{told['turkSubmitTo']}/mturk/externalSubmit", data=answers).status_code == 200
    visitor.see(f"/worker/assignments/{told['assignmentId']}/sent")


def way_back(visitor: Visitor) -> str:
    found = re.search('href="(https://recruiter[^"]+)"', visitor.page)
    assert found is not None, visitor.page
    return found[1]


def test_a_person_comes_does_a_hit_and_goes_back_with_the_code(study: Study) -> None:
    study.offer(2)
    with study.visitor() as ada:
        assert "You do 1 task" in ada.see(study.link("5f3a", unique("s")))
        study.start(ada, "5f3a", "first")
        assert ada.path.startswith("/worker/assignments/")
        before = ada.path
        study.start(ada, "5f3a", "first")  # the link once more, in the same browser
        assert ada.path == before
        submit(ada)
        assert "Thank you" in ada.page
        assert "Next task" not in ada.page
        ada.send("/worker/study/finish")
        assert way_back(ada) == "https://recruiter.example/done?cc=D1"
        for page in ("/worker/study/now", "/worker/hits"):
            ada.see(page)
            assert way_back(ada) == "https://recruiter.example/done?cc=D1"
        study.start(ada, "5f3a", "first")  # the code is shown again, and nothing else begins
        assert way_back(ada) == "https://recruiter.example/done?cc=D1"
    with study.portal.market() as market, market.reading() as moment:
        someone = person.find(moment, "5f3a")
    assert someone.state == "active"


def test_each_visit_has_its_number_of_hits_and_no_other_way_in(rehearsal: Rehearsal, client: MTurkClient) -> None:
    study = new_study(rehearsal, client, TERMS.model_copy(update={"hits_each": 2}))
    mine = study.offer(3)
    [foreign] = new_study(rehearsal, client, TERMS).offer()
    with study.visitor() as ada:
        name = unique("p")
        study.start(ada, name, unique("s"))
        with study.portal.workplace() as workplace:
            for hit_id in (foreign, mine[1], mine[2]):
                with pytest.raises(Refused, match="Your recruiter sends you") if hit_id != mine[1] else nullcontext():
                    workplace.accept(study.worker_id(name), hit_id)
        for _ in range(2):
            ada.see("/worker/study/now")
            submit(ada)
        assert "Next task" not in ada.page
        ada.send("/worker/study/go-on")
        assert way_back(ada).endswith("cc=D1")
        with study.portal.workplace() as workplace, pytest.raises(Refused, match="Your recruiter sends you"):
            workplace.accept(study.worker_id(name), mine[2])


def test_a_second_tab_of_the_link_lands_on_the_hit_that_was_begun(study: Study) -> None:
    study.offer(2)
    name, session = unique("p"), unique("s")
    with study.visitor() as ada:
        second_tab = ada.see(study.link(name, session))
        study.start(ada, name, session)
        at_work = ada.path
        ada.page = second_tab
        ada.send(study.path, PID=name, SID=session)
        assert ada.path == at_work
        ada.page = second_tab
        assert "too old" in ada.send(study.path, 403, PID=name, SID=unique("s"))  # a visit of its own
        ada.see("/worker/study/now")
        assert ada.path == at_work


@pytest.mark.parametrize(("submitted", "code"), [(1, "P1"), (2, "D1")])
def test_a_part_of_the_hits_has_a_code_of_its_own(
    rehearsal: Rehearsal, client: MTurkClient, submitted: int, code: str
) -> None:
    study = new_study(rehearsal, client, TERMS.model_copy(update={"hits_each": 2}))
    study.offer(3)
    with study.visitor() as ada:
        study.start(ada, unique("p"), unique("s"))
        submit(ada)
        assert "Next task" in ada.see("/worker/study/now")
        if submitted == 2:
            ada.send("/worker/study/go-on")
            submit(ada)
        ada.send("/worker/study/finish")
        assert way_back(ada).endswith(f"cc={code}")


def test_where_no_hit_is_left_after_some_of_them_the_visit_is_done(rehearsal: Rehearsal, client: MTurkClient) -> None:
    study = new_study(rehearsal, client, TERMS.model_copy(update={"hits_each": 5}))
    study.offer(1)
    with study.visitor() as ada:
        study.start(ada, unique("p"), unique("s"))
        submit(ada)
        ada.send("/worker/study/finish")
        assert way_back(ada).endswith("cc=D1")


def test_a_visit_opens_nothing_but_itself(study: Study) -> None:
    """Eve begins a visit with Ada's id after Ada's has ended; neither sees an account, and Eve no HIT of Ada's."""
    study.offer(2)
    name = unique("victim")
    with study.visitor() as ada, study.visitor() as eve:
        study.start(ada, name, unique("s"))
        before = ada.path
        for page in ("hits", "work", "earnings", "messages", "account", "qualifications"):
            ada.see(f"/worker/{page}")
            assert ada.path == before
        assert "Sign out" not in ada.page
        submit(ada)
        ada.send("/worker/study/finish")
        study.start(eve, name, unique("s"))
        assert "nothing here that is yours" in eve.see(f"{before}/sent", 404)
        eve.see("/worker/study/now")
        assert "Your recruiter sends you" in eve.send("/worker/account/password", 409, password="a long new password")
        ada.see("/worker/study/now")
        assert way_back(ada).endswith("cc=D1")


def test_a_lost_reply_and_a_second_click_go_on_in_the_same_browser(study: Study) -> None:
    study.offer(2)
    person_id, session = unique("p"), unique("s")
    with study.visitor() as ada:
        ada.see(study.link(person_id, session))
        page, cookie = ada.page, ada.http.cookies["worker_session"]
        ada.send(study.path, PID=person_id, SID=session)
        at_work = ada.path
        ada.http.cookies.clear()
        ada.http.cookies.set("worker_session", cookie)
        ada.page = page
        ada.send(study.path, PID=person_id, SID=session)
        assert ada.path == at_work


def test_who_was_suspended_and_restored_goes_on_in_the_same_browser(study: Study) -> None:
    study.offer(2)
    name, session = unique("p"), unique("s")
    with study.visitor() as ada:
        study.start(ada, name, session)
        at_work = ada.path
        with study.portal.market() as market, market.writing() as moment:
            person.set_state(moment, person.find(moment, name), "suspended")
        assert "You cannot take part" in study.start(ada, name, session, 409)
        with study.portal.market() as market, market.writing() as moment:
            person.restore(moment, person.find(moment, name))
        study.start(ada, name, session)
        assert ada.path == at_work


def test_a_visit_goes_on_in_another_browser_once_it_is_reopened(study: Study) -> None:
    study.offer(2)
    name, session = unique("p"), unique("s")
    with study.visitor() as first, study.visitor() as other:
        study.start(first, name, session)
        with study.portal.market() as market, market.writing() as moment:
            studies.release(moment, person.find(moment, name))
        study.start(other, name, session)
        assert other.path == first.path
        assert "opened in another browser" in study.start(first, name, session, 409)
    with study.portal.market() as market, market.writing() as moment:
        nobody = person.add_people(moment, [person.NewPerson(unique("nobody"))])[0]
        with pytest.raises(Refused, match="has no open visit"):
            studies.release(moment, nobody)


def test_one_visit_at_a_time(rehearsal: Rehearsal, client: MTurkClient) -> None:
    study = new_study(rehearsal, client, TERMS.model_copy(update={"hits_each": 2}))
    another = new_study(rehearsal, client, TERMS)
    study.offer(3)
    another.offer(1)
    name, session = unique("p"), unique("s")
    with study.visitor() as ada:
        study.start(ada, name, session)
        assert "at a task of another visit" in another.start(ada, name, unique("s"), 409)
        ada.see("/worker/study/now")
        submit(ada)
        second = unique("s")
        another.start(ada, name, second)  # between two tasks the first visit ends
        assert ada.path.startswith("/worker/assignments/")
        submit(ada)
        study.start(ada, name, session)  # the first visit's code is still there
        assert way_back(ada).endswith("cc=P1")
        another.start(ada, name, second)
        assert way_back(ada).endswith("cc=D1")


def test_an_id_is_one_persons_at_one_recruiter(study: Study, rehearsal: Rehearsal, client: MTurkClient) -> None:
    elsewhere = new_study(
        rehearsal, client, TERMS.model_copy(update={"finish_url": "https://recruiter.other.example/{code}"})
    )
    study.offer()
    elsewhere.offer()
    name = unique("1001")
    with study.visitor() as here, study.visitor() as there:
        study.start(here, name, unique("s"))
        elsewhere.start(there, name, unique("s"))
        assert here.path != there.path
        with pytest.raises(Refused, match="2 people are called"):
            study.worker_id(name)


def test_an_id_that_is_somebodys_worker_id_lets_nobody_in(study: Study) -> None:
    study.offer(2)
    with study.visitor() as ada, study.visitor() as eve:
        name = unique("p")
        study.start(ada, name, unique("s"))
        assert "You cannot take part" in study.start(eve, study.worker_id(name).lower(), unique("s"), 409)


def test_hits_that_are_not_for_them_are_told_from_none_at_all(study: Study, client: MTurkClient) -> None:
    made = client.create_qualification_type(Name=unique("q"), Description="d", QualificationTypeStatus="Active")
    needed = {"QualificationTypeId": made["QualificationType"]["QualificationTypeId"], "Comparator": "Exists"}
    study.offer(QualificationRequirements=[needed])
    with study.visitor() as ada:
        assert "no task left that you may do" in study.start(ada, unique("p"), unique("s"))
        assert way_back(ada).endswith("cc=no_work")


def test_whoever_returns_the_hit_goes_back_with_another_code(study: Study) -> None:
    study.offer()
    with study.visitor() as bo:
        study.start(bo, unique("p"), unique("s"))
        bo.send(f"{bo.path}/return")
        assert "You have returned this task" in bo.page
        bo.send("/worker/study/finish")
        assert way_back(bo).endswith("cc=R1")


def test_where_no_hit_is_left_that_is_said(study: Study) -> None:
    with study.visitor() as cy:
        assert "no task left for you" in study.start(cy, unique("p"), unique("s"))
        assert way_back(cy).endswith("cc=no_work")


def test_a_visit_belongs_to_the_browser_that_began_it(study: Study) -> None:
    study.offer(5)
    ada, session = unique("ada"), unique("s")
    with study.visitor() as first, study.visitor() as other:
        study.start(first, ada, session)
        for person_id, place in ((ada, session), ("eve", session), (ada, unique("s"))):
            assert "opened in another browser" in study.start(other, person_id, place, 409)
        submit(first)
        first.send("/worker/study/finish")
        assert "opened in another browser" in study.start(other, ada, session, 409)
        study.start(first, ada, unique("s"))  # a place of its own for the next visit
        assert first.path.startswith("/worker/assignments/")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "carries no id of yours (PID)"),
        ("PID=a", "carries no id of yours (SID)"),
        ("PID={{%25PROLIFIC_PID%25}}&SID=s", "carries no id of yours (PID)"),
        ("PID=%3Cscript%3E&SID=s", "carries no id of yours (PID)"),
        (f"PID={'x' * 65}&SID=s", "carries no id of yours (PID)"),
        ("PID=a%00b&SID=s", "carries no id of yours (PID)"),
        ("PID=a%40b.org&SID=s", "carries no id of yours (PID)"),
    ],
)
def test_a_link_without_usable_ids_lets_nobody_in(study: Study, query: str, said: str) -> None:
    with study.visitor() as someone:
        page = someone.see(f"{study.path}?{query}", 400)
        assert said in page
        assert "<script>" not in page.partition("</head>")[2]


def test_an_unknown_study_and_a_suspended_person(study: Study) -> None:
    study.offer()
    with study.visitor() as someone:
        assert "no study at this address" in someone.see("/worker/study/" + "0" * 40 + "?PID=a&SID=b", 409)
        name = unique("gone")
        study.start(someone, name, unique("s"))
        submit(someone)
        someone.send("/worker/study/finish")
        with study.portal.market() as market, market.writing() as moment:
            person.set_state(moment, person.find(moment, name), "suspended")
    with study.visitor() as again:
        assert "You cannot take part" in study.start(again, name, unique("s"), 409)


def test_who_has_done_everything_begins_the_next_visit_on_another_device(study: Study) -> None:
    study.offer(2)
    name, session = unique("p"), unique("s")
    with study.visitor() as phone, study.visitor() as laptop:
        study.start(phone, name, session)
        submit(phone)  # and the tab is closed
        study.start(laptop, name, unique("s"))
        assert laptop.path.startswith("/worker/assignments/")
        study.start(phone, name, session)
        assert way_back(phone).endswith("cc=D1")


def test_a_study_keeps_its_recruiter(study: Study) -> None:
    elsewhere = TERMS.model_copy(update={"finish_url": "https://another.example/{code}"})
    with (
        study.portal.market() as market,
        market.writing() as moment,
        pytest.raises(InvalidInput, match=r"People go back to recruiter\.example"),
    ):
        studies.register(moment, study.prefix, "Read and ask", elsewhere.model_dump())


def test_a_study_is_known_by_its_very_letters(study: Study, rehearsal: Rehearsal) -> None:
    """A campaign called pilot has none of the HITs of one that is called Pilot."""
    with rehearsal.market() as market, market.writing() as moment:
        key = studies.register(moment, study.prefix.upper(), "Another", TERMS.model_dump())
    other = Study(rehearsal, study.client, study.prefix.upper(), f"/worker/study/{key}")
    [hit_id] = study.offer()
    name = unique("p")
    with study.visitor() as ada:
        assert "no task left for you" in other.start(ada, name, unique("s"))
    with study.visitor() as bo:
        other.offer()
        other.start(bo, unique("p"), unique("s"))
        assert bo.path.startswith("/worker/assignments/")
        with rehearsal.workplace() as workplace, pytest.raises(Refused, match="Your recruiter sends you"):
            workplace.accept(study.worker_id(name), hit_id)
