"""The citation of a dataset: `CITATION.cff` (Citation File Format 1.2.0), and BibTeX in the data card."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from beat_the_ai.files.yaml_files import dump_yaml
from beat_the_ai.terms.release import LICENSES, ReleaseTerms, names

CITATION_FILE = "CITATION.cff"
BIBTEX = str.maketrans({each: f"\\{each}" for each in "&%$#_{}"} | dict.fromkeys("\\~^`", ""))


def citation_file(release: ReleaseTerms, title: str, released: date | None) -> str | None:
    """Return the text of the file; None without authors, whom it may not leave out."""
    if not release.authors:
        return None
    told: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": title,
        "version": release.version,
        "authors": [names(author) for author in release.authors],
    }
    if released is not None:
        told["date-released"] = released
    if release.doi is not None:
        told["doi"] = release.doi
    if release.address is not None:
        told["url"] = release.address
    if release.license is not None:
        told["license"] = LICENSES[release.license].spdx
    return dump_yaml(told)


def bibtex(release: ReleaseTerms, key: str, title: str, released: date | None) -> str | None:
    """Return an entry; None without authors. `key` is of letters, digits, points and hyphens."""
    return "\n".join([f"@misc{{{key},", *_entries(release, title, released), "}"]) if release.authors else None


def _entries(release: ReleaseTerms, title: str, released: date | None) -> Iterator[str]:
    yield f"  author = {{{' and '.join(map(_plain, release.authors))}}},"
    yield f"  title = {{{{{_plain(title)}}}}},"
    if released is not None:
        yield f"  year = {{{released.year}}},"
    if release.doi is not None:
        yield f"  doi = {{{release.doi}}},"
    if release.address is not None:
        yield f"  howpublished = {{\\url{{{release.address}}}}},"


def _plain(text: str) -> str:
    return text.translate(BIBTEX)
