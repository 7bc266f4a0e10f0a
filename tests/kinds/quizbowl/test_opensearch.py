"""A server of OpenSearch's search API as its documentation has it: no package of the real one can be had for tests.

What it finds, scores and marks is tantivy's, so that both backends have to agree.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.quizbowl.backends.opensearch import VARIABLE, load
from beat_the_ai.kinds.quizbowl.backends.tantivy import RetrievalGuesser
from beat_the_ai.kinds.quizbowl.guesses import Query
from beat_the_ai.kinds.quizbowl.reader import GuessingModel, QuestionReader
from beat_the_ai.kinds.quizbowl.retrieval import Retrieval
from tests.kinds.quizbowl.questions import KILN, SOURCES

QUESTION = "Potters know its cones. A glaze of salt looks like an orange's peel there. Name it."
UUID = "u8FNjxh8Rfy_awN11oDKYQ"


class SearchServer(BaseHTTPRequestHandler):
    """`broken` is what it answers to searches instead; `authorization` is what was sent last."""

    retrieval: ClassVar[Retrieval] = Retrieval.build(SOURCES)
    documents: ClassVar[int] = len(SOURCES)
    broken: ClassVar[bytes | None] = None
    authorization: ClassVar[str | None] = None

    def do_GET(self) -> None:
        type(self).authorization = self.headers["Authorization"]
        if self.path == "/quiz/_settings":
            self._answer({"quiz": {"settings": {"index": {"uuid": UUID, "number_of_shards": "1"}}}})
        elif self.path == "/quiz/_count":
            self._answer({"count": self.documents, "_shards": {"total": 1, "successful": 1, "failed": 0}})
        else:
            self._answer({"error": {"type": "index_not_found_exception"}, "status": 404}, 404)

    def do_POST(self) -> None:
        lines = self.rfile.read(int(self.headers["Content-Length"])).decode().splitlines()
        assert (self.path, self.headers["Content-Type"]) == ("/quiz/_msearch", "application/x-ndjson")
        assert lines[::2] == ["{}"] * (len(lines) // 2)
        if self.broken is not None:
            self._send(self.broken, 200)
            return
        found = [{"took": 1, "hits": {"hits": self._hits(json.loads(line))}, "status": 200} for line in lines[1::2]]
        self._answer({"took": 1, "responses": found})

    def _hits(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        assert body["_source"] is False
        if "match" in body["query"]:
            assert (body["collapse"], body["fields"]) == ({"field": "page"}, ["page"])
            scores = self.retrieval.scores(body["query"]["match"]["text"])
            return [{"_score": score, "fields": {"page": [page]}} for page, score in scores[: body["size"]]]
        wanted = body["query"]["bool"]
        text, page = wanted["must"]["match"]["text"], wanted["filter"]["term"]["page"]
        highlight = body["highlight"]["fields"]["text"]
        [begins], [ends] = highlight["pre_tags"], highlight["post_tags"]
        hits = []
        for evidence in self.retrieval.evidence(text, page):
            marked, end = "", 0
            for mark in evidence.highlights:
                marked += evidence.text[end : mark.start] + begins + evidence.text[mark.start : mark.end] + ends
                end = mark.end
            fields = {"page": [page], "kind": [evidence.source]}
            hits.append({"_score": 1.0, "fields": fields, "highlight": {"text": [marked + evidence.text[end:]]}})
        return hits[: body["size"]]

    def _answer(self, content: object, status: int = 200) -> None:
        self._send(json.dumps(content).encode(), status)

    def _send(self, body: bytes, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, value in {"documents": len(SOURCES), "broken": None}.items():
        monkeypatch.setattr(SearchServer, name, value)
    with ThreadingHTTPServer(("127.0.0.1", 0), SearchServer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def loaded(address: str) -> GuessingModel:
    return load(f"{address}/quiz", LoadOptions())


def test_it_guesses_as_the_embedded_index_does_and_marks_the_same(address: str) -> None:
    embedded = QuestionReader(RetrievalGuesser(SearchServer.retrieval))
    for text in (QUESTION, KILN, "zzz.", ""):
        [there] = loaded(address).predict([Query(text=text, answer="Loom")])
        [here] = embedded.predict([Query(text=text, answer="Loom")])
        assert there.model_dump(exclude={"saliency"}) == here.model_dump(exclude={"saliency"})
        assert [weight > 0 for weight in there.saliency] == [weight > 0 for weight in here.saliency]


def test_another_number_of_documents_is_another_model(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = loaded(address).identity
    assert loaded(address).identity == first
    monkeypatch.setattr(SearchServer, "documents", 7)
    assert loaded(address).identity != first


def test_the_key_is_sent(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "ApiKey abc")
    loaded(address)
    assert SearchServer.authorization == "ApiKey abc"


@pytest.mark.parametrize("source", ["quiz", "ftp://host/quiz", "http://host", "http://host/a/b", "http:///quiz"])
def test_what_names_no_index_is_wrong_usage(source: str) -> None:
    with pytest.raises(InvalidInput, match="names no index"):
        load(source, LoadOptions())


def test_an_index_that_is_empty_or_not_there_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AdversaryError, match=r"does not search the index 'other'.*index_not_found"):
        load(f"{address}/other", LoadOptions())
    monkeypatch.setattr(SearchServer, "documents", 0)
    with pytest.raises(AdversaryError, match="'quiz' has no documents"):
        loaded(address)
    with pytest.raises(AdversaryError, match="does not search the index"):
        load("http://127.0.0.1:9/quiz", LoadOptions())


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"[",
        b"[" * 100_000,
        b"null",
        b"{}",
        b'{"responses": []}',
        b'{"responses": [{"error": {"type": "too_many_clauses"}}]}',
        b'{"responses": [{"hits": {"hits": [{"_score": 1, "fields": {}}]}}]}',
        b'{"responses": "' + b"x" * (17 * 1024 * 1024) + b'"}',
    ],
    ids=["nothing", "torn", "deep", "null", "empty", "too few", "an error", "no page", "too much"],
)
def test_rubbish_is_an_error_and_no_guess(address: str, monkeypatch: pytest.MonkeyPatch, broken: bytes) -> None:
    model = loaded(address)
    monkeypatch.setattr(SearchServer, "broken", broken)
    with pytest.raises(AdversaryError):
        model.predict([Query(text=KILN, answer="Kiln")])
