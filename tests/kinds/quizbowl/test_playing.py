"""Questions are read word by word, and where a player buzzed is the server's word."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.quizbowl.kind import kind
from beat_the_ai.kinds.quizbowl.people import Authors
from beat_the_ai.kinds.quizbowl.playing import Play, Playing
from beat_the_ai.kinds.quizbowl.report.plays import ballot_sections
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting
from beat_the_ai.rules.checking import Ballot
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.store import Store, open_store
from beat_the_ai.validation import page_material, page_validation, results
from tests.kinds.quizbowl.played import REGULAR, WITH_REGULAR, playing_desk, read, written
from tests.kinds.quizbowl.questions import CRAFTS, LOOM
from tests.validation.recount import adjudicated

TASK = Path(__file__).parents[3] / "tasks" / "quizbowl"
RULES = Playing()


class TestVotes:
    @pytest.mark.parametrize(
        ("said", "page"),
        [("the loom", "Loom"), ("Weavng loom", "Loom"), ("EMILE", "Émile_(book)"), ("a spoon", None)],
    )
    def test_what_is_said_is_looked_up_among_all_names(self, said: str, page: str | None) -> None:
        assert RULES.read_vote({"said": said}, CRAFTS) == Play(said=said, page=page)

    def test_a_player_may_give_up(self) -> None:
        assert RULES.read_vote({"said": None}, CRAFTS) == Play(said=None)

    @pytest.mark.parametrize(
        "payload", [None, {}, {"said": ""}, {"said": "  "}, {"said": "x" * 5000}, {"said": 3}, {"said": "\u202eloom"}]
    )
    def test_what_is_no_answer_is_refused(self, payload: object) -> None:
        with pytest.raises(InvalidInput):
            RULES.read_vote(payload, CRAFTS)

    def test_neither_the_page_nor_the_words_are_the_players_to_say(self) -> None:
        assert RULES.read_vote({"said": "a spoon", "page": "Loom", "words": 1}, CRAFTS) == Play(said="a spoon")


class TestStatus:
    @pytest.mark.parametrize(
        ("votes", "status", "kept", "missing"),
        [
            ([], "open", False, 3),
            (["Loom", "Loom"], "open", False, 1),
            (["Loom", None, "Kiln"], "answered", True, 0),
            ([None, None, "Kiln"], "unanswered", False, 0),
        ],
    )
    def test_a_question_is_kept_if_enough_players_are_right(
        self, votes: list[str | None], status: str, kept: bool, missing: int
    ) -> None:
        found = Playing(min_right=1).adjudicate("Loom", "Kiln", votes)
        assert (found.status, found.kept, found.votes_needed) == (status, kept, missing)

    def test_the_paper_keeps_what_nobody_could_answer(self) -> None:
        assert RULES.adjudicate("Loom", None, [None, None, None]).kept

    @pytest.mark.parametrize("rules", [{"players": 0}, {"min_right": 4}, {"min_right": -1}, {"playrs": 3}])
    def test_rules_that_cannot_be_are_refused(self, rules: dict[str, int]) -> None:
        with pytest.raises(InvalidInput) as refusal:
            kind({}, rules, ENGLISH)
        assert refusal.value.field.startswith("validation.rules")


class TestReading:
    def test_no_word_is_sent_before_it_is_asked_for(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        first, *others = desk.state(assignment).items
        text = read(desk, assignment, first.item.id, 3)
        sent = json.dumps([page_material(desk, assignment), page_validation(desk.state(assignment))])
        _, works = store.validations.material(assignment)
        assert text == " ".join(works[first.item.id]["text"].split()[:3])
        for work in works.values():
            later = work["text"].split()[3:]
            assert not [word for word in later if len(word) > 5 and word in sent.replace(text, "")]
            assert work["answer"] not in sent
        assert [each.revealed for each in others] == [None, None]
        assert all(secret not in sent for secret in ("Secret_guess", "author-", "gold"))

    def test_the_page_knows_nothing_of_what_a_question_was_asked_for(self, store: Store, tmp_path: Path) -> None:
        line = {"id": "loom", "category": "Crafts", "answers": [{"page": "Loom", "name": "Loom"}]}
        (tmp_path / "loom.jsonl").write_text(json.dumps(line))
        contexts = QuestionWriting().load_contexts(tmp_path / "loom.jsonl")
        assert "Loom" in contexts[0].text, "its author is told"
        desk = playing_desk(store, written(store, questions=[(LOOM, "Loom")], contexts=contexts), gold_per_hit=0)
        material = page_material(desk, desk.accept("h", "ann", "r").id)
        assert "loom" not in json.dumps(material).lower()
        assert material["contexts"] == [{"id": "0", "title": "Crafts", "text": ""}]
        assert [item["context_id"] for item in material["items"]] == ["0"]

    @pytest.mark.parametrize("ends", ["release", "finish", "take it again"])
    def test_what_a_player_has_begun_is_never_read_to_them_from_its_beginning_again(
        self, store: Store, ends: str
    ) -> None:
        desk = playing_desk(store, written(store), works_per_hit=1, gold_per_hit=0)
        first = desk.accept("h1", "ann", "r1").id
        [begun] = desk.state(first).items
        read(desk, first, begun.item.id, 30)
        if ends == "release":
            desk.release(first)
        elif ends == "finish":
            desk.finish(first)
        [other] = desk.state(desk.accept("h2", "ann", "r2").id).items
        assert other.item.attempt_id != begun.item.attempt_id
        assert not desk.has_work("ann")
        again = {
            desk.state(desk.accept(f"of {each}", each, "r").id).items[0].item.attempt_id for each in ("ben", "cleo")
        }
        assert begun.item.attempt_id in again, "others play it"

    def test_words_come_in_order_and_again(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        for wrong in (0, 2, -1, 10**9, "1", None, 1.5):
            with pytest.raises(InvalidInput, match="1 to 1 can be shown now"):
                desk.reveal(assignment, item, wrong)
        text = read(desk, assignment, item, 5)
        assert desk.reveal(assignment, item, 2)["text"] == text, "what was shown is shown"
        with pytest.raises(InvalidInput, match="no such item"):
            desk.reveal(assignment, "other", 1)

    def test_a_question_ends(self, store: Store) -> None:
        desk = playing_desk(store, written(store, questions=[(LOOM, "Loom")]), gold_per_hit=0)
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        assert read(desk, assignment, item, len(words(LOOM))) == LOOM
        assert desk.state(assignment).items[0].revealed == {"text": LOOM, "words": len(words(LOOM)), "ended": True}
        with pytest.raises(InvalidInput):
            desk.reveal(assignment, item, len(words(LOOM)) + 1)

    def test_what_was_shown_outlives_the_process(self, store: Store, tmp_path: Path) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        read(desk, assignment, item, 4)
        again = open_store(str(tmp_path / "store.db"))
        resumed = playing_desk(again, again.campaigns.get("quiz"))
        assert page_validation(resumed.state(assignment))["revealed"][item]["words"] == 4
        again.close()

    def test_many_requests_at_once_show_one_word_more(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        with ThreadPoolExecutor(8) as threads:
            shown = list(threads.map(lambda _: store.validations.reveal(assignment, item, 1), range(16)))
        assert set(shown) == {1}


class TestAnswering:
    def test_the_words_before_the_buzz_are_counted_here_and_the_answer_stands(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        with pytest.raises(Refused, match="read first"):
            desk.vote(assignment, item, "k", {"said": "loom"})
        read(desk, assignment, item, 6)
        desk.vote(assignment, item, "k", {"said": "loom", "words": 1})
        state = desk.vote(assignment, item, "k", {"said": "loom"})  # sent again
        vote = state.items[0].vote
        assert vote is not None
        assert (dict(vote.vote), vote.ordinal) == ({"said": "loom", "page": "Loom", "words": 6}, 1)
        with pytest.raises(Refused, match="first answer stands"):
            desk.vote(assignment, item, "k2", {"said": "kiln"})
        with pytest.raises(Refused, match="first answer stands"):
            desk.reveal(assignment, item, 7)
        assert desk.reveal(assignment, item, 6)["words"] == 6

    def test_a_word_that_comes_meanwhile_is_not_got_for_nothing(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        read(desk, assignment, item, 2)
        with pytest.raises(Refused, match="send your answer again"):
            store.validations.vote(assignment, item, "k", {}, desk.campaign.record.created_at, after_steps=1)

    def test_after_the_hand_in_nothing_is_read(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        assignment = desk.accept("h", "ann", "r").id
        item = desk.state(assignment).items[0].item.id
        desk.finish(assignment)
        with pytest.raises(Refused, match="submitted already"):
            desk.reveal(assignment, item, 1)

    def test_each_question_is_played_to_the_full_number_and_not_by_its_author(self, store: Store) -> None:
        desk = playing_desk(store, written(store))
        for player in ("author-0", "ann", "ben", "cleo"):
            assignment = desk.accept(f"hit of {player}", player, "r").id
            for each in desk.state(assignment).items:
                read(desk, assignment, each.item.id, 2)
                desk.vote(assignment, each.item.id, "k", {"said": "kiln"})
            desk.finish(assignment)
        assert desk.complete()
        found = results(adjudicated(store, "quiz", {1: RULES}), {1: RULES})
        assert sorted((each.work["answer"], each.adjudication.status, len(each.votes)) for each in found.values()) == [
            ("Kiln", "answered", 3),
            ("Loom", "unanswered", 3),
        ]
        assert "author-0" not in {
            vote.worker for each in found.values() if each.writer == "author-0" for vote in each.votes
        }

    def test_regular_questions_of_the_category_are_among_them_once(self, store: Store) -> None:
        desk = playing_desk(store, written(store), works_per_hit=1)
        golds = []
        for number in range(2):
            assignment = desk.accept(f"h{number}", "ann", "r").id
            golds += [each.item.gold for each in desk.state(assignment).items if each.item.gold]
        assert golds == [{"text": REGULAR, "answer": "Kiln"}]

    def test_regular_questions_are_of_the_same_category_and_on_other_answers_as_far_as_there_are_any(
        self, store: Store
    ) -> None:
        def regular(answer: str, number: int) -> dict[str, str]:
            return {"text": f"{answer} {number}", "answer": answer}

        crafts = replace(CRAFTS, private={**CRAFTS.private, "regular": [regular("Loom", 1), regular("Kiln", 1)]})
        alike = replace(crafts, id="alike", private={"regular": [regular("Kiln", 2)]})
        others = replace(
            crafts, id="others", title="Music", private={"regular": [regular("Lute", n) for n in range(30)]}
        )
        campaign = written(store, questions=[(LOOM, "Loom")], contexts=[crafts, alike, others])
        golds = {}
        for player in ("ann", "ben", "cleo"):
            desk = playing_desk(store, campaign, works_per_hit=1, gold_per_hit=3)
            items = desk.state(desk.accept(player, player, "r").id).items
            golds[player] = [each.item.gold["answer"] for each in items if each.item.gold]
        assert all(sorted(each)[:2] == ["Kiln", "Kiln"] and len(each) == 3 for each in golds.values()), golds


class TestRegularQuestions:
    def test_those_on_answers_of_the_list_stand_with_the_category(self) -> None:
        writing = QuestionWriting(regular_questions=(str(TASK / "held_out.jsonl"),))
        contexts = writing.load_contexts(TASK / "contexts" / "sample.jsonl")
        regular = [(context, work) for context in contexts for work in RULES.references(context)]
        assert len(regular) == 96
        for context, work in regular:
            assert work["answer"] in {answer["page"] for answer in context.private["answers"]}

    def test_a_file_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        writing = QuestionWriting(regular_questions=(str(tmp_path / "gone.jsonl"),))
        with pytest.raises(InvalidInput, match=r"gone\.jsonl"):
            writing.load_contexts(TASK / "contexts" / "sample.jsonl")


class TestSimulatedPlayers:
    def test_they_mostly_know_and_the_careless_buzz_early(self) -> None:
        writing = QuestionWriting(regular_questions=(str(TASK / "held_out.jsonl"),))
        contexts = writing.load_contexts(TASK / "contexts" / "sample.jsonl")
        shares = {}
        for careful in (True, False):
            right, left = [], []
            for context in contexts[:6]:
                for work in RULES.references(context):
                    for steps in range(1, RULES.steps(work) + 1):
                        said = Authors().voted(RULES.revealed(work, steps), [context], "1/2", careful=careful)
                        if said is not None:
                            play = RULES.read_vote(said, context)
                            right.append(RULES.agree(play.page, work["answer"]))
                            left.append(1 - steps / RULES.steps(work))
                            break
            assert len(right) == sum(len(RULES.references(context)) for context in contexts[:6])
            shares[careful] = (sum(right) / len(right), sum(left) / len(left))
        assert 0.6 < shares[True][0] < 1
        assert shares[True][1] < shares[False][1]


class TestReport:
    def test_people_on_both_kinds_of_question(self) -> None:
        def ballot(said: str | None, word: int, *, is_gold: bool) -> Ballot:
            vote = {"said": said, "page": said, "words": word}
            return Ballot("ann", {"text": "one two three four", "answer": "Loom"}, vote, is_gold=is_gold)

        ballots = [
            ballot("Loom", 1, is_gold=True),
            ballot("Loom", 3, is_gold=True),
            ballot("Kiln", 2, is_gold=False),
            ballot("Loom", 4, is_gold=False),
            ballot(None, 4, is_gold=False),
        ]
        answers, course = ballot_sections(ballots)
        assert [(row[0], row[1], row[2].split()[0], row[4].split()[0]) for row in answers.table.rows] == [
            ("people, regular", "2", "100.0%", "0.50"),
            ("people, adversarial", "2", "50.0%", "0.25"),
        ]
        assert [[cell.split()[0] for cell in row] for row in course.table.rows] == [
            ["25%", "50.0%", "0.0%"],
            ["50%", "50.0%", "0.0%"],
            ["75%", "100.0%", "0.0%"],
            ["100%", "100.0%", "33.3%"],
        ]

    def test_where_nobody_played_there_is_nothing_to_say(self) -> None:
        assert ballot_sections([]) == []


def test_categories_without_regular_questions_stay_as_they_are() -> None:
    assert "regular" not in CRAFTS.private
    assert RULES.references(CRAFTS) == []
    assert len(RULES.references(WITH_REGULAR)) == 1
