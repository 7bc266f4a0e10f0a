"""The base of all parts of the configuration."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ConfigGroup(BaseModel):
    """A part of the configuration; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
