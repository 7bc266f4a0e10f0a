"""The files of an export for catalogues of datasets and for programs that cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.card import title_of
from beat_the_ai.dataset.citation import CITATION_FILE, bibtex, citation_file
from beat_the_ai.dataset.croissant import CROISSANT_FILE, DescribedTable, croissant
from beat_the_ai.dataset.files import write_text
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.release import LICENSES, is_person


def write_citation(campaign: BoundCampaign, tally: Tally, out: Path) -> Iterator[Path]:
    """Write `CITATION.cff` where authors are named, and yield it; elsewhere remove that of an earlier export."""
    path = out / CITATION_FILE
    cited = citation_file(campaign.release, title_of(campaign), tally.last_day)
    if cited is None:
        path.unlink(missing_ok=True)
    else:
        write_text(path, cited)
        yield path


def write_croissant(
    campaign: BoundCampaign, tally: Tally, out: Path, sums: Mapping[str, str], tables: Iterable[DescribedTable]
) -> Path:
    """Write `croissant.json` of the files with these SHA-256 and of the tables in them, and return it."""
    facts = {name: value for name, value in _facts(campaign, tally).items() if value}
    write_text(out / CROISSANT_FILE, croissant(facts, sums, tables, out))
    return out / CROISSANT_FILE


def _facts(campaign: BoundCampaign, tally: Tally) -> dict[str, Any]:
    """Return properties of schema.org; what is not known is empty."""
    release, title, day = campaign.release, title_of(campaign), tally.last_day
    return {
        "name": campaign.id,
        "alternateName": title,
        "description": campaign.kind.dataset.card.introduction,
        "inLanguage": campaign.languages,
        "version": release.version,
        "datePublished": day and f"{day:%Y-%m-%d}",
        "license": release.license and LICENSES[release.license].address,
        "url": release.address,
        "creator": [
            {"@type": "Person" if is_person(author) else "Organization", "name": author} for author in release.authors
        ],
        "identifier": release.doi and f"https://doi.org/{release.doi}",
        "citeAs": bibtex(release, campaign.id, title, day),
    }
