"""Guessing by retrieval: the page whose texts are most like the question, by BM25 (the paper's IR system, §3.2).

tantivy keeps the index, in memory or in a folder. What two texts share is counted by stems.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tantivy

from beat_the_ai.kinds.quizbowl.guesses import Evidence, Mark
from beat_the_ai.kinds.quizbowl.wording import Place, sentences, words

ORDINARY, FEWEST_ORDINARY = 0.1, 5  # texts that have an ordinary word: a share, and a number for small collections
TEXTS_COMPARED = 100  # the most that pages are ranked by
WRITER_BYTES = 50_000_000
ANALYZER = "quizbowl"
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True)
class Source:
    """A text about a page; `kind` is where it is from, as in quizbowl or wikipedia."""

    page: str
    text: str
    kind: str = "quizbowl"


class Retrieval:
    """An index of texts about pages. Safe to use from threads."""

    def __init__(self, index: tantivy.Index) -> None:
        self._index = index
        self._schema = index.schema
        self._searcher = index.searcher()

    @classmethod
    def build(cls, sources: Iterable[Source], folder: Path | None = None) -> Retrieval:
        """An index of these texts, in memory or in an empty folder that exists."""
        index = tantivy.Index(_schema(), path=str(folder) if folder is not None else None)
        index.register_tokenizer(ANALYZER, _analyzer())
        writer = index.writer(WRITER_BYTES, 1)
        for source in sources:
            writer.add_document(tantivy.Document(page=source.page, text=source.text, kind=source.kind))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return cls(index)

    @classmethod
    def open(cls, folder: Path) -> Retrieval:
        """Raises `ValueError` for a folder without an index."""
        index = tantivy.Index.open(str(folder))
        index.register_tokenizer(ANALYZER, _analyzer())
        return cls(index)

    def scores(self, text: str) -> list[tuple[str, float]]:
        """Pages by the score of their best text, the best first; none where no word is known."""
        best: dict[str, float] = {}
        for score, address in self._search(stemmed(text)):
            page = self._searcher.doc(address)["page"][0]
            best.setdefault(page, score)  # the best text comes first
        return list(best.items())

    def texts(self, page: str) -> list[str]:
        """Return the texts of a page, or the first hundred of them."""
        of_page = tantivy.Query.term_query(self._schema, "page", page)
        hits = self._searcher.search(of_page, TEXTS_COMPARED).hits
        return [self._searcher.doc(address)["text"][0] for _, address in hits]

    def is_ordinary(self, stem: str) -> bool:
        """Tell whether a stem stands in so many texts that it says little of any."""
        return bool(self._searcher.doc_freq("text", stem) > max(FEWEST_ORDINARY, ORDINARY * self._searcher.num_docs))

    def evidence(self, text: str, page: str) -> list[Evidence]:
        """For each sentence of a question the most similar sentence of the page's texts, if they share anything."""
        found = []
        for place in sentences(text):
            stems = set(stemmed(text[place.start : place.end]))
            texts = [self._searcher.doc(address) for _, address in self._search(stems, page)[:3]]
            candidates = [
                (self._shared(stems, each["text"][0], part), each, part)
                for each in texts
                for part in sentences(each["text"][0])
            ]
            weight, source, part = max(candidates, key=lambda each: each[0], default=(0.0, None, None))
            if weight > 0 and source is not None and part is not None:
                found.append(self._evidence(text, place, stems, source, part))
        return found

    def importance(self, text: str, evidence: Sequence[Evidence]) -> list[float]:
        """Return the weight of each word for the evidence's page: its weight in the search, if both have the word."""
        matched = {mark.start for each in evidence for mark in each.matches}
        weights = [
            sum(self._token_weight(token.group()) for token in _TOKEN.finditer(text, *word) if token.start() in matched)
            for word in words(text)
        ]
        most = max(weights, default=0.0)
        return [weight / most if most else 0.0 for weight in weights]

    def _evidence(self, text: str, place: Place, stems: set[str], source: tantivy.Document, part: Place) -> Evidence:
        told = source["text"][0][part.start : part.end]
        shared = stems & set(stemmed(told))
        return Evidence(
            sentence=Mark(start=place.start, end=place.end),
            page=source["page"][0],
            text=told,
            source=source["kind"][0],
            matches=self._marks(text, place, shared),
            highlights=self._marks(told, Place(0, len(told)), shared),
        )

    def _marks(self, text: str, place: Place, stems: set[str]) -> list[Mark]:
        return [
            Mark(start=token.start(), end=token.end())
            for token in _TOKEN.finditer(text, place.start, place.end)
            if stems.intersection(stemmed(token.group()))
        ]

    def _shared(self, stems: set[str], text: str, part: Place) -> float:
        return sum(self._weight(stem) for stem in stems.intersection(stemmed(text[part.start : part.end])))

    def _token_weight(self, token: str) -> float:
        return sum(map(self._weight, stemmed(token)))

    def _weight(self, stem: str) -> float:
        """As BM25 weighs a term: the rarer, the more."""
        texts, having = self._searcher.num_docs, self._searcher.doc_freq("text", stem)
        return math.log(1 + (texts - having + 0.5) / (having + 0.5)) if having else 0.0

    def _search(self, stems: Iterable[str], page: str | None = None) -> list[tuple[float, tantivy.DocAddress]]:
        """The best texts, of all pages or of one."""
        query_type, occur = tantivy.Query, tantivy.Occur
        any_of = query_type.boolean_query(
            [(occur.Should, query_type.term_query(self._schema, "text", stem, index_option="freq")) for stem in stems]
        )
        if page is not None:
            own = query_type.const_score_query(query_type.term_query(self._schema, "page", page), 0.0)
            any_of = query_type.boolean_query([(occur.Must, own), (occur.Must, any_of)])
        hits: list[tuple[float, tantivy.DocAddress]] = self._searcher.search(any_of, TEXTS_COMPARED).hits
        return hits


def stemmed(text: str) -> list[str]:
    """Return the stems of a text's words, without words that say little."""
    found: list[str] = _shared_analyzer().analyze(text)
    return found


@cache
def _shared_analyzer() -> tantivy.TextAnalyzer:
    return _analyzer()


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("page", stored=True, tokenizer_name="raw")
    builder.add_text_field("text", stored=True, tokenizer_name=ANALYZER)
    builder.add_text_field("kind", stored=True, tokenizer_name="raw")
    return builder.build()


def _analyzer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    filters = (tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold(), tantivy.Filter.stopword("english"))
    for each in (*filters, tantivy.Filter.stemmer("english")):
        builder = builder.filter(each)
    return builder.build()
