"""Retrieval over an index of OpenSearch or Elasticsearch ("Trick Me If You Can", §3.2): `opensearch:http://HOST:9200/INDEX`.

Its documents have `page` (of type keyword), `text`, and perhaps `kind`, where the text is from. Scores are the
server's; its Highlight API says what a sentence of the question shares with a text. Only `_settings`, `_count` and
`_msearch` of its API are used, which both have. What the environment variable `OPENSEARCH_AUTHORIZATION` holds is sent
as the header of that name. Nobody should write to an index that a campaign plays against: only another index, or
another number of documents, is noticed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.quizbowl.backends.tantivy import PRECISION, TEMPERATURE, ranking
from beat_the_ai.kinds.quizbowl.guesses import Evidence, Mark
from beat_the_ai.kinds.quizbowl.reader import GuessingModel, Ranking, Reasons
from beat_the_ai.kinds.quizbowl.retrieval import stemmed
from beat_the_ai.kinds.quizbowl.wording import Place, sentences, words
from beat_the_ai.kinds.quizbowl.writing import NAME

VARIABLE = "OPENSEARCH_AUTHORIZATION"
TIMEOUT_SECONDS = 10.0
MAX_REPLY_BYTES = 16 * 1024 * 1024
SEARCHES_AT_ONCE = 100
PAGES = 100
FRAGMENT_CHARS = 400
OPEN, CLOSE = "\ue000", "\ue001"  # of the private use area: no text has them
_MARKED = re.compile(f"{OPEN}(.*?){CLOSE}", re.DOTALL)
_TOKEN = re.compile(r"\w+")
Body = Mapping[str, Any]


def load(source: str, options: LoadOptions) -> GuessingModel:
    """Raises `AdversaryError` for a server that does not answer, and for an index that is not there or is empty."""
    if options.precision is not None:
        raise InvalidInput("precision", f"{options.precision!r} was given; retrieval has no precision to choose.")
    parts = urlsplit(source)
    index = parts.path.strip("/")
    if parts.scheme not in ("http", "https") or not parts.hostname or not index or "/" in index:
        raise InvalidInput("adversary", f"{source[:200]!r} names no index. Write opensearch:http://HOST:9200/INDEX.")
    search = SearchIndex(f"{parts.scheme}://{parts.netloc}", index)
    identity = ModelIdentity(f"opensearch-{index}", NAME, search.fingerprint(), PRECISION)
    return GuessingModel(identity, SearchGuesser(search))


class SearchIndex:
    """An index on a server. Safe to use from threads; all raise `AdversaryError`."""

    def __init__(self, address: str, index: str) -> None:
        headers = {"Authorization": key} if (key := os.environ.get(VARIABLE)) else {}
        self._http = httpx.Client(base_url=address, headers=headers, timeout=TIMEOUT_SECONDS, trust_env=False)
        self._index = index

    def fingerprint(self) -> str:
        """SHA-256 of which index it is and how many documents it has."""
        settings = self._call("GET", f"/{self._index}/_settings")
        try:
            ids = sorted(str(each["settings"]["index"]["uuid"]) for each in settings.values())
            count = int(self._call("GET", f"/{self._index}/_count")["count"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self._not_understood(error) from error
        if not count:
            raise AdversaryError(f"The index {self._index!r} has no documents.")
        return hashlib.sha256(json.dumps([ids, count]).encode()).hexdigest()

    def hits(self, searches: Sequence[Body]) -> list[list[dict[str, Any]]]:
        """Return the results of each search, the best first."""
        found: list[list[dict[str, Any]]] = []
        for start in range(0, len(searches), SEARCHES_AT_ONCE):
            lines = [line for body in searches[start : start + SEARCHES_AT_ONCE] for line in ({}, body)]
            content = "".join(json.dumps(line) + "\n" for line in lines).encode()
            reply = self._call("POST", f"/{self._index}/_msearch", content)
            try:
                found += [each["hits"]["hits"] for each in reply["responses"]]
            except (KeyError, TypeError) as error:  # a search that failed has an `error` in place of hits
                raise self._not_understood(error) from error
        if len(found) != len(searches):
            raise self._not_understood(ValueError(f"{len(found)} answers to {len(searches)} searches"))
        return found

    def _call(self, method: str, path: str, content: bytes | None = None) -> Any:
        headers = {"Content-Type": "application/x-ndjson"} if content is not None else {}
        try:
            with self._http.stream(method, path, content=content, headers=headers) as response:
                body = bytearray()
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_REPLY_BYTES:
                        raise ValueError(f"more than {MAX_REPLY_BYTES:,} bytes")
            if not response.is_success:
                raise ValueError(f"status {response.status_code}: {bytes(body[:200])!r}")
            return json.loads(body)
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise self._not_understood(error) from error

    def _not_understood(self, error: Exception) -> AdversaryError:
        return AdversaryError(f"{self._http.base_url} does not search the index {self._index!r}: {error!r}")


@dataclass(frozen=True)
class SearchGuesser:
    """Confidence is a softmax over the scores of the pages that were found."""

    search: SearchIndex

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        return [
            ranking([(_field(hit, "page"), float(hit["_score"])) for hit in hits], TEMPERATURE)
            for hits in self.search.hits([_pages_like(text) for text in texts])
        ]

    def reasons(self, text: str, page: str) -> Reasons:
        """Every word that a sentence shares with its evidence matters alike: the server does not say how much."""
        places = sentences(text)
        found = self.search.hits([_evidence_for(text[place.start : place.end], page) for place in places])
        evidence = [
            each
            for place, hits in zip(places, found, strict=True)
            if hits and (each := _evidence(text, place, hits[0])) is not None
        ]
        matched = {mark.start for each in evidence for mark in each.matches}
        return Reasons(
            evidence, [float(any(word.start <= start < word.end for start in matched)) for word in words(text)]
        )


def _pages_like(text: str) -> Body:
    """Each page by its best text."""
    return {
        "query": {"match": {"text": text}},
        "collapse": {"field": "page"},
        "fields": ["page"],
        "_source": False,
        "size": PAGES,
    }


def _evidence_for(sentence: str, page: str) -> Body:
    """The best text of the page, and the part of it that is most like the sentence."""
    highlight = {
        "type": "unified",
        "boundary_scanner": "sentence",
        "fragment_size": FRAGMENT_CHARS,
        "number_of_fragments": 1,
        "order": "score",
        "pre_tags": [OPEN],
        "post_tags": [CLOSE],
    }
    return {
        "query": {"bool": {"must": {"match": {"text": sentence}}, "filter": {"term": {"page": page}}}},
        "highlight": {"fields": {"text": highlight}},
        "fields": ["page", "kind"],
        "_source": False,
        "size": 1,
    }


def _evidence(text: str, place: Place, hit: Mapping[str, Any]) -> Evidence | None:
    fragments = hit.get("highlight", {}).get("text", [])
    if not fragments:
        return None
    fragment = str(fragments[0])
    plain, highlights, end = "", list[Mark](), 0
    for match in _MARKED.finditer(fragment):
        plain += fragment[end : match.start()]
        highlights.append(Mark(start=len(plain), end=len(plain) + len(match.group(1))))
        plain += match.group(1)
        end = match.end()
    plain += fragment[end:]
    shared = {stem for mark in highlights for stem in stemmed(plain[mark.start : mark.end])}
    matches = [
        Mark(start=token.start(), end=token.end())
        for token in _TOKEN.finditer(text, place.start, place.end)
        if shared.intersection(stemmed(token.group()))
    ]
    page, kind = _field(hit, "page"), hit["fields"].get("kind", ["quizbowl"])[0]
    return Evidence(
        sentence=Mark(start=place.start, end=place.end),
        page=page,
        text=plain,
        source=str(kind),
        matches=matches,
        highlights=highlights,
    )


def _field(hit: Mapping[str, Any], name: str) -> str:
    try:
        return str(hit["fields"][name][0])
    except (KeyError, IndexError, TypeError) as error:
        raise AdversaryError(f"The search has found a document without {name!r}: {str(hit)[:200]}") from error
