"""The crowd of a campaign: where its workers come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from beat_the_ai.rules.amounts import DOLLARS, NO_MONEY, UNIT, show

if TYPE_CHECKING:
    from typing_extensions import Self

HOST = r"[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?"
LOCAL = "mock"  # Mephisto's provider without a crowd: whoever opens the page is a worker, and nobody is paid


class RecruiterTerms(BaseModel):
    """A recruiter who sends people by a link, and to whom they go back with a code.

    `person` and `session` are the parameters of the link with the ids of the person and of the place that they have
    taken; without `session` a person comes once. `finish_url` has `{code}` where the code belongs. Codes are for those
    who are done, those who have done a part of their HITs, those who have returned them, and those for whom no HIT is
    left. Work is paid by the first two: they are no words that people could guess.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    person: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")
    session: str | None = Field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")
    finish_url: str = Field(pattern=rf"^https?://{HOST}([/?#][^\s{{}}]*(\{{code\}}[^\s{{}}]*)?)?$")
    done: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{1,40}$")
    partial: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_-]{1,40}$")
    returned: str = Field(default="returned", pattern=r"^[A-Za-z0-9_-]{1,40}$")
    no_work: str = Field(default="no_work", pattern=r"^[A-Za-z0-9_-]{1,40}$")
    hits_each: int = Field(default=1, ge=1, le=1000)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.person == self.session:
            raise ValueError(
                "person and session must be two parameters of the link; a person who comes once has no session"
            )
        if "form_token" in (self.person, self.session):
            raise ValueError("the portal uses form_token itself: choose another name of a parameter")
        if {self.done, self.partial} & {self.returned, self.no_work}:
            raise ValueError("done and partial need codes that are not those of returned and no_work")
        if "{code}" in self.finish_url:
            if self.done is None:
                raise ValueError("done needs a code, for finish_url has {code}: one that nobody guesses")
            if self.partial is None and self.hits_each > 1:
                raise ValueError("partial needs a code, for somebody may do fewer than hits_each HITs")
        return self


class ProlificTerms(BaseModel):
    """Studies on Prolific: one for each stage, with a place for each HIT.

    `workspace` and `project` are Prolific's ids; the campaign's unit is the currency of the workspace. `minutes` is
    how long a HIT takes, as participants are told. `filters` are Prolific's own, as its API has them. `signed` asks
    for addresses with a signed token, which Prolific offers to some workspaces. `check_seconds` is how often the
    portal looks at Prolific.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    workspace: str = Field(pattern=r"^[A-Za-z0-9]{1,64}$")
    project: str | None = Field(default=None, pattern=r"^[A-Za-z0-9]{1,64}$")
    minutes: int = Field(ge=1, le=600)
    filters: tuple[dict[str, Any], ...] = ()
    signed: bool = False
    check_seconds: float = Field(default=10, gt=0)
    api_url: str = Field(default="https://api.prolific.com", pattern=rf"^https?://{HOST}$")
    site_url: str = Field(default="https://app.prolific.com", pattern=rf"^https?://{HOST}$")


class CrowdTerms(BaseModel):
    """The crowd, as a campaign's record has it.

    `provider` is its Mephisto provider (`beat_the_ai.crowds`), `endpoint_url` the address of its requester API,
    `people` the store of a crowd of one's own. `recruiter` or `prolific` says who sends people there. `unit` is that of
    all amounts: a currency, points or hours.
    """

    model_config = ConfigDict(frozen=True)

    provider: str = ""
    endpoint_url: str | None = None
    people: str | None = None
    recruiter: RecruiterTerms | None = None
    prolific: ProlificTerms | None = None
    unit: str = Field(default=DOLLARS, pattern=UNIT)

    @model_validator(mode="after")
    def _check_unit(self) -> Self:
        if self.people is None and self.unit != DOLLARS:
            raise ValueError(f"the unit of {self.provider or 'a campaign without a crowd'} is {DOLLARS}, and no other")
        if self.prolific is not None and self.unit in NO_MONEY:
            raise ValueError("the unit is the currency of the workspace at Prolific, such as GBP")
        return self

    def amount(self, cents: int) -> str:
        """Return an amount as people read it."""
        return show(cents, self.unit)

    @property
    def is_marketplace(self) -> bool:
        """Return whether it has a requester API, in Mechanical Turk's protocol: it confirms work and pays workers."""
        return self.provider not in ("", LOCAL)

    def at(self, endpoint_url: str | None) -> Self:
        """Return the same crowd at another address."""
        return self.model_copy(update={"endpoint_url": endpoint_url})
