from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, ReadingComprehension, Scores, Span, Work
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.registry import bind

KIND = ReadingComprehension()
PASSAGE = Context("rome/0", "Rome fell in 476. The last emperor was Romulus Augustulus.")
HIT = TaskItem(PASSAGE)


def work(text: str, start: int, question: str = "When did Rome fall?") -> Work:
    return Work(question=question, answer=Span(text=text, start=start))


def prediction(text: str) -> Prediction:
    return Prediction(text=text, start=0, score=0.5)


def problem_with(answer: Work, context: Context = PASSAGE) -> tuple[str, str]:
    with pytest.raises(InvalidInput) as caught:
        KIND.check(answer, TaskItem(context))
    return caught.value.field, str(caught.value)


class TestVerdict:
    def judge(self, predicted: str, expected: str) -> tuple[bool, float]:
        verdict = KIND.judge(work(expected, 0), prediction(predicted), HIT)
        assert isinstance(verdict.scores, Scores)
        return verdict.fooled, verdict.scores.f1

    def test_new_york_city_for_new_york_does_not_beat_the_model(self) -> None:
        """The example of the paper's footnote 2."""
        assert self.judge("New York City", "New York") == (False, 0.8)

    def test_an_overlap_of_exactly_two_fifths_beats_the_model(self) -> None:
        assert self.judge("x y", "x b c") == (True, 0.4)

    def test_an_overlap_just_above_two_fifths_does_not(self) -> None:
        predicted = " ".join(f"w{index}" for index in range(29))
        expected = " ".join(f"w{index}" for index in range(17, 47))  # 12 of 29 + 30 words in common
        fooled, overlap = self.judge(predicted, expected)
        assert 0.4 < overlap < 0.41
        assert not fooled

    @given(common=st.integers(0, 12), predicted=st.integers(0, 40), expected=st.integers(1, 30))
    def test_the_model_is_beaten_unless_more_than_two_fifths_are_common_whatever_the_rounding(
        self, common: int, predicted: int, expected: int
    ) -> None:
        common = min(common, predicted, expected)
        shared = [f"w{index}" for index in range(common)]
        left = " ".join(shared + [f"p{index}" for index in range(predicted - common)])
        right = " ".join(shared + [f"e{index}" for index in range(expected - common)])
        fooled, _ = self.judge(left, right)
        assert fooled == (5 * common <= predicted + expected)

    def test_the_threshold_can_be_set(self) -> None:
        strict = ReadingComprehension(f1_threshold=0.9)
        assert strict.judge(work("New York", 0), prediction("New York City"), HIT).fooled

    def test_case_articles_and_punctuation_do_not_matter(self) -> None:
        assert self.judge("the “Rome”!".replace("“", "").replace("”", ""), "a rome") == (False, 1.0)

    @pytest.mark.parametrize(
        ("whole", "part", "overlap"),
        [
            ("16-year-old", "16", 0.5),
            ("16-year-old", "16-year-old", 1.0),
            ("Rome's", "Rome", 1.0),
            ("1914–1918", "1918", 2 / 3),
            ("U.S. Army-led", "U.S. Army", 0.8),
            ("他在1990年出生", "1990", 0.0),
        ],
    )
    def test_where_one_answer_lies_within_the_other_words_that_can_be_marked_apart_count(
        self, whole: str, part: str, overlap: float
    ) -> None:
        at = 5 + whole.index(part)
        for predicted, expected in (((whole, 5), (part, at)), ((part, at), (whole, 5))):
            verdict = KIND.judge(work(*expected), Prediction(text=predicted[0], start=predicted[1], score=None), HIT)
            assert isinstance(verdict.scores, Scores)
            assert verdict.scores.f1 == pytest.approx(overlap)
            assert verdict.fooled == (overlap <= 0.4)

    @pytest.mark.parametrize(
        ("predicted", "expected"),
        [
            ("16-year-old", "18-year-old"),
            ("twenty-one", "twenty-two"),
            ("Rome's", "France's"),
            ("10:30", "11:30"),
            ("non-Muslim", "Muslim"),
            ("post-war", "pre-war"),
        ],
    )
    def test_elsewhere_they_do_not(self, predicted: str, expected: str) -> None:
        for start in (-1, 40):
            verdict = KIND.judge(work(expected, 0), Prediction(text=predicted, start=start, score=None), HIT)
            assert verdict.fooled


class TestAnswer:
    def test_a_span_of_the_passage_is_accepted_as_it_is(self) -> None:
        assert KIND.check(work("476", 13), HIT) == work("476", 13)

    def test_a_span_may_reach_to_both_ends_of_the_passage(self) -> None:
        assert KIND.check(work(PASSAGE.text, 0), HIT).answer.text == PASSAGE.text

    @pytest.mark.parametrize(
        ("text", "start"),
        [
            ("476", 12),
            ("476", 14),
            ("four seven six", 13),
            ("476", -1),
            (".", -1),
            ("Augustulus", -11),  # there it stands, counted from the end
            ("Augustulus. ", 47),  # one beyond the end
            ("476", len(PASSAGE.text)),
            ("476", 10**30),
            ("rome", 0),
        ],
    )
    def test_a_span_that_the_passage_does_not_have_there_is_refused(self, text: str, start: int) -> None:
        field, message = problem_with(work(text, start))
        assert field == "answer"
        assert "not what the passage says" in message

    @pytest.mark.parametrize(("text", "start"), [("", 0), ("", -1), (" ", 4), ("", len(PASSAGE.text))])
    def test_an_empty_span_is_refused(self, text: str, start: int) -> None:
        field, message = problem_with(work(text, start))
        assert (field, "No answer is marked" in message) == ("answer", True)

    @pytest.mark.parametrize(("text", "start"), [("The", 18), (".", 16), (". The ", 16)])
    def test_an_answer_without_words_of_its_own_is_refused(self, text: str, start: int) -> None:
        """It would be empty after normalisation, so that every prediction scored 0."""
        field, message = problem_with(work(text, start))
        assert (field, "no words of its own" in message) == ("answer", True)

    @pytest.mark.parametrize(("text", "start"), [("Rom", 0), ("ome", 1), ("47", 13), ("Romulus August", 39)])
    def test_an_answer_that_cuts_words_is_refused(self, text: str, start: int) -> None:
        field, message = problem_with(work(text, start))
        assert (field, "whole words" in message) == ("answer", True)

    def test_a_vote_that_cuts_words_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="whole words"):
            Answerability().read_vote({"answer": {"text": "Rom", "start": 0}}, PASSAGE)

    def test_an_answer_may_have_exactly_as_many_words_as_allowed(self) -> None:
        context = Context("long", " ".join(f"w{index}" for index in range(40)))
        thirty = " ".join(context.text.split()[:30])
        assert KIND.check(work(thirty, 0), TaskItem(context))
        field, message = problem_with(work(" ".join(context.text.split()[:31]), 0), context)
        assert field == "answer"
        assert "31 words; at most 30" in message

    def test_offsets_count_code_points_beyond_the_basic_plane(self) -> None:
        context = Context("clef", "The sign 𝄞 is a clef 😀 and 👩🏽‍🚀 flies.")
        start = context.text.index("clef")
        utf16_start = len(context.text[:start].encode("utf-16-le")) // 2
        assert utf16_start == start + 1
        assert KIND.check(work("clef", start), TaskItem(context))
        assert problem_with(work("clef", utf16_start), context)[0] == "answer"
        assert KIND.check(work("𝄞 is a clef 😀", context.text.index("𝄞")), TaskItem(context))

    def test_an_answer_keeps_combining_marks_as_the_passage_has_them(self) -> None:
        context = Context("cafe", "A cafe\u0301 in Paris and a caf\u00e9 in Rome.")
        assert KIND.check(work("cafe\u0301", 2), TaskItem(context)).answer.text == "cafe\u0301"
        assert problem_with(work("caf\u00e9", 2), context)[0] == "answer"

    @given(passage=st.text(min_size=1, max_size=40), data=st.data())
    def test_no_answer_passes_that_is_not_a_slice_of_the_passage(self, passage: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(-len(passage) - 2, len(passage) + 2))
        text = data.draw(st.sampled_from([passage[start:], passage[:start], passage]) | st.text(max_size=5))
        try:
            checked = KIND.check(work(text, start), TaskItem(Context("c", passage)))
        except InvalidInput:
            return
        assert start >= 0
        assert passage[start:].startswith(checked.answer.text)
        assert squad.normalise(checked.answer.text)


class TestQuestion:
    def test_a_question_is_cleaned(self) -> None:
        assert KIND.check(work("476", 13, "  When\ndid it\u00a0fall? "), HIT).question == "When did it fall?"

    @pytest.mark.parametrize("question", ["???", "12 + 4?", "…"])
    def test_a_question_without_a_letter_is_refused(self, question: str) -> None:
        field, message = problem_with(work("476", 13, question))
        assert (field, "no words" in message) == ("question", True)

    def test_a_question_may_have_300_characters(self) -> None:
        question = f"When did Rome fall{' for ever' * 25}"
        assert KIND.check(work("476", 13, question.ljust(300, "?")), HIT)
        assert "at most 300" in problem_with(work("476", 13, question.ljust(301, "?")))[1]

    def test_an_emoji_is_allowed_only_if_the_passage_has_it(self) -> None:
        assert "pictograph" in problem_with(work("476", 13, "What is 🍕?"))[1]
        assert KIND.check(work("Pizza", 0, "What shape is 🍕?"), TaskItem(Context("p", "Pizza 🍕 is flat.")))

    def test_the_model_is_asked_with_the_passage_and_the_cleaned_question(self) -> None:
        query = KIND.query(KIND.check(work("476", 13, " When did it fall? "), HIT), HIT)
        assert query.model_dump() == {"context": PASSAGE.text, "question": "When did it fall?"}


class TestPayload:
    @pytest.mark.parametrize(
        "payload",
        [
            {"question": "When?", "answer": {"text": "476", "start": 13}, "fooled": True},
            {"question": "When?", "answer": {"text": "476", "start": 13, "f1": 0.0}},
            {"question": "When?", "answer": {"text": "476", "start": "13"}},
            {"question": "When?", "answer": {"text": "476", "start": 13.0}},
            {"question": "When?", "answer": {"text": "476", "start": True}},
            {"question": b"When?", "answer": {"text": "476", "start": 13}},
            {"question": "When did it fall?"},
        ],
    )
    def test_unknown_fields_and_near_enough_types_are_refused(self, payload: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            Work.model_validate(payload)

    def test_work_cannot_be_changed(self) -> None:
        with pytest.raises(ValidationError):
            work("476", 13).question = "Who?"


class TestContexts:
    def write(self, folder: Path, *lines: str, name: str = "passages.jsonl") -> Path:
        path = folder / name
        path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
        return path

    def test_json_lines_give_passages_with_their_reference_questions_kept_private(self, tmp_path: Path) -> None:
        question = {"question": "When?", "answer": {"text": "476", "start": 13}}
        record = {"id": "rome", "title": "Rome", "context": PASSAGE.text, "questions": [question]}
        path = self.write(tmp_path, json.dumps(record), "", '{"id": "goths", "context": "They came."}', "")
        assert KIND.load_contexts(path) == [
            Context("rome", PASSAGE.text, "Rome", {"questions": [{**question, "gold": True}]}),
            Context("goths", "They came.", "", {"questions": []}),
        ]

    @pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\u000b"])
    def test_only_a_line_feed_ends_a_line(self, tmp_path: Path, separator: str) -> None:
        record = {"id": "rome", "context": f"Rome{separator}fell."}
        path = self.write(tmp_path, json.dumps(record, ensure_ascii=separator == "\u000b") + "\r")
        assert KIND.load_contexts(path)[0].text == f"Rome{separator}fell."

    def test_squad_json_gives_passages_with_the_first_gold_answer_of_each_question(self, tmp_path: Path) -> None:
        answers = [{"text": "476", "answer_start": 13}, {"text": "in 476", "answer_start": 10}]
        qas = [{"id": "q1", "question": "When?", "answers": answers}, {"id": "q2", "question": "Why?", "answers": []}]
        data = {"data": [{"title": "Old_Rome", "paragraphs": [{"context": PASSAGE.text, "qas": qas}]}]}
        path = self.write(tmp_path, json.dumps(data), name="passages.json")
        question = {"question": "When?", "answer": {"text": "476", "start": 13}}
        assert KIND.load_contexts(path) == [Context("Old_Rome/0", PASSAGE.text, "Old Rome", {"questions": [question]})]

    @pytest.mark.parametrize(
        "line",
        [
            "not json",
            "[]",
            "null",
            '"text"',
            "7",
            "9" * 5000,
            '{"context": "no id"}',
            '{"id": "no context"}',
            '{"id": "a", "context": 7}',
            '{"id": null, "context": "x"}',
            '{"id": "", "context": "x"}',
            '{"id": "a", "context": ""}',
            '{"id": "a", "context": " "}',
            '{"id": "a", "context": "x", "questions": 7}',
            '{"id": "a", "context": "x", "questions": ["When?"]}',
            '{"id": "a", "context": "x", "questions": [{"question": "When did it fall?"}]}',
            '{"id": "a", "context": "x", "questions": [{"answer": {"text": "x", "start": 0}}]}',
            '{"id": "a", "context": "x", "questions": [{"question": "?", "answer": {"text": "x", "start": "0"}}]}',
            '{"id": "a", "context": "x", "questions": [{"question": "?", "answer": {"text": 7, "start": 0}}]}',
            '{"id": "a", "context": "x\\u0000", "questions": []}',
            '{"id": "a", "context": "x\\ud800", "questions": []}',
        ],
        ids=lambda line: line[:90],
    )
    def test_a_bad_record_is_refused_by_file_and_line(self, tmp_path: Path, line: str) -> None:
        path = self.write(tmp_path, '{"id": "good", "context": "Rome fell."}', "", line)
        with pytest.raises(InvalidInput, match=r"passages\.jsonl, line 3: ") as caught:
            KIND.load_contexts(path)
        str(caught.value).encode()

    @pytest.mark.parametrize("start", [1, -2, 99])
    def test_a_reference_answer_that_does_not_stand_there_is_refused(self, tmp_path: Path, start: int) -> None:
        question = {"question": "?", "answer": {"text": "l", "start": start}}
        record = {"id": "a", "context": "Rome fell", "questions": [question]}
        with pytest.raises(InvalidInput, match=rf"line 1: 'l' does not stand at {start}"):
            KIND.load_contexts(self.write(tmp_path, json.dumps(record)))

    def test_a_gold_answer_that_does_not_stand_there_is_refused(self, tmp_path: Path) -> None:
        answers = [{"text": "476", "answer_start": 12}]
        paragraph = {"context": PASSAGE.text, "qas": [{"id": "q9", "question": "When?", "answers": answers}]}
        data = {"data": [{"title": "Rome", "paragraphs": [paragraph]}]}
        with pytest.raises(InvalidInput, match=r"passages\.json.*Rome/0.*'476' does not stand at 12"):
            KIND.load_contexts(self.write(tmp_path, json.dumps(data), name="passages.json"))

    def test_two_passages_of_one_id_are_refused(self, tmp_path: Path) -> None:
        line = '{"id": "rome", "context": "Rome fell."}'
        with pytest.raises(InvalidInput, match=r"passages\.jsonl has 2 passages with the id 'rome'"):
            KIND.load_contexts(self.write(tmp_path, line, line))

    def test_a_file_without_passages_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInput, match=r"passages\.jsonl holds no passages"):
            KIND.load_contexts(self.write(tmp_path, "", " "))

    def test_a_file_that_is_missing_or_not_utf_8_is_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInput, match=r"gone\.jsonl cannot be read"):
            KIND.load_contexts(tmp_path / "gone.jsonl")
        latin = tmp_path / "latin.jsonl"
        latin.write_bytes('{"id": "é", "context": "x"}'.encode("latin-1"))
        with pytest.raises(InvalidInput, match=r"latin\.jsonl cannot be read"):
            KIND.load_contexts(latin)


class TestSquadDevelopmentSet:
    def test_it_has_10570_questions_on_2067_passages(self, squad_dev: Path) -> None:
        passages = squad.load(squad_dev)
        assert len(passages) == 2067
        assert len({question.id for passage in passages for question in passage.questions}) == 10570

    def test_nearly_every_gold_answer_and_question_may_be_a_writers(self, squad_dev: Path) -> None:
        refused: Counter[str] = Counter()
        for passage in squad.load(squad_dev):
            context = Context(passage.id, passage.text)
            for question in passage.questions:
                refused["question"] += KIND.flaw(work("", 0, question.text), context) is not None
                for gold in question.answers:
                    try:
                        KIND.clean(work(gold.text, gold.start, question.text), context)
                    except InvalidInput as error:
                        refused[str(error)] += 1
        of_questions, of_answers = refused.pop("question") / 10_570, refused.total() / 34_726
        assert 0 < of_questions < 0.003
        assert {message for message in refused if "within a word" not in message} == {
            "The answer has no words of its own. Please mark more of the passage."
        }
        assert 0 < of_answers < 0.006

    def test_every_passage_is_loaded_with_its_questions(self, squad_dev: Path) -> None:
        contexts = KIND.load_contexts(squad_dev)
        assert len(contexts) == 2067
        assert sum(len(context.private["questions"]) for context in contexts) == 10570

    def test_the_first_gold_answers_score_100(self, squad_dev: Path) -> None:
        questions = [question for passage in squad.load(squad_dev) for question in passage.questions]
        answers = {question.id: question.answers[0].text for question in questions}
        assert squad.evaluate(questions, answers) == squad.Scores(100.0, 100.0, 10570, 0)


def test_a_kind_of_task_is_found_by_name_with_its_options() -> None:
    assert bind("reading_comprehension", {"max_answer_words": 5}).writing == ReadingComprehension(max_answer_words=5)


def test_an_unknown_kind_of_task_is_answered_with_those_that_exist() -> None:
    with pytest.raises(UnknownName, match=r"Available: .*reading_comprehension.* Did you mean 'reading_comprehension'"):
        bind("reading_comprehensoin")
