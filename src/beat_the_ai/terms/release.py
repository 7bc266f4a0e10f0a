"""The requester's words on a dataset: its name, authors and licence, and what only they can say in a datasheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

NO_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]+$"
Line = Annotated[str, Field(pattern=NO_CONTROLS, max_length=200)]
Prose = Annotated[str, Field(max_length=5_000)]
Source = Annotated[str, Field(pattern=r"^(original|extended|(original|extended)\|[A-Za-z0-9._/-]{1,100})$")]


class License(NamedTuple):
    """A licence: its id in the SPDX list, and where its text lies."""

    spdx: str
    address: str


_CC, _ODC, _LINUX = (
    "https://creativecommons.org",
    "https://opendatacommons.org/licenses",
    "https://cdla.dev",
)
LICENSES: Mapping[str, License] = {  # of data, by their names on the Hugging Face hub
    "cc0-1.0": License("CC0-1.0", f"{_CC}/publicdomain/zero/1.0/"),
    **{
        f"{name}-{version}": License(
            f"{name.upper()}-{version}", f"{_CC}/licenses/{name.removeprefix('cc-')}/{version}/"
        )
        for name in ("cc-by", "cc-by-sa", "cc-by-nc", "cc-by-nc-sa", "cc-by-nd", "cc-by-nc-nd")
        for version in ("3.0", "4.0")
    },
    "odc-by": License("ODC-By-1.0", f"{_ODC}/by/1-0/"),
    "odbl": License("ODbL-1.0", f"{_ODC}/odbl/1-0/"),
    "pddl": License("PDDL-1.0", f"{_ODC}/pddl/1-0/"),
    "cdla-permissive-2.0": License("CDLA-Permissive-2.0", f"{_LINUX}/permissive-2-0/"),
    "cdla-sharing-1.0": License("CDLA-Sharing-1.0", f"{_LINUX}/sharing-1-0/"),
    "apache-2.0": License("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    "mit": License("MIT", "https://opensource.org/license/mit"),
}


class ReleaseTerms(BaseModel):
    """The words of a release. They go into every export as they are; all may change at any time.

    `authors` are written as "Family, Given"; one without a comma is a group, such as a university. `source_datasets`
    are in the Hugging Face hub's words. Without a licence nobody may use the data.
    """

    model_config = ConfigDict(frozen=True)

    pretty_name: Line | None = None
    version: Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}\.\d{1,6}$")] = "1.0.0"
    license: str | None = None
    authors: tuple[Line, ...] = Field(default=(), max_length=200)
    address: Annotated[str, Field(pattern=r"^https?://[^\s<>\"\\^`{|}]{1,500}$")] | None = None
    doi: Annotated[str, Field(pattern=r"^10\.\d{4,9}/[A-Za-z0-9._;()/:-]{1,200}$")] | None = None
    source_datasets: tuple[Source, ...] = ("original",)
    motivation: Prose = ""
    uses: Prose = ""
    maintenance: Prose = ""

    @field_validator("license")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        if name is not None and name not in LICENSES:
            raise ValueError(f"A license of data by its name on the Hugging Face hub is needed: {', '.join(LICENSES)}")
        return name

    def __bool__(self) -> bool:
        """Return whether the requester has said anything."""
        return bool(self.model_dump(exclude_defaults=True))


def is_person(author: str) -> bool:
    """Return whether an author is a person, and not a group."""
    return "," in author


def names(author: str) -> dict[str, str]:
    """Return an author's names, as citation files have them."""
    if not is_person(author):
        return {"name": author.strip()}
    family, _, given = author.partition(",")
    return {"family-names": family.strip(), "given-names": given.strip()}
