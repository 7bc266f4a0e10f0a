"""Sources of language models, as `openai:` names them: the model, its server and the settings.

    openai:http://127.0.0.1:8000/v1#Qwen/Qwen3-8B
    openai:https://api.example.com/v1?key_variable=EXAMPLE_KEY&seed=7#small-model

The address of the protocol, settings as its query, and the model's name on that server as its fragment. A source is
kept with the campaign and shown, so it names the place of the key and never holds one.
"""

from __future__ import annotations

import os
import stat
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from beat_the_ai.adversary.prices import Price, Prices
from beat_the_ai.errors import AdversaryError, InvalidInput, first_fault

FIELD = "adversary.members"
EXAMPLE = "openai:http://127.0.0.1:8000/v1#Qwen/Qwen3-8B"
MAX_KEY_BYTES = 4096


class LanguageModelSource(BaseModel):
    """A source, taken apart. `prompt` is the version of the kind's prompt.

    Prices are US cents per million tokens, and so millionths of a cent per token.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str = Field(description="before the `?`: of the protocol, such as http://127.0.0.1:8000/v1")
    model: str = Field(min_length=1, max_length=200, description="after the `#`: the model's name on the server")
    prompt: str = Field(
        default="1",
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
        description="version of the kind's prompt, `kinds/KIND/prompts/VERSION.md`",
    )
    temperature: float = Field(default=0.0, ge=0, le=2, allow_inf_nan=False, description="some reasoning models need 1")
    seed: int = Field(default=1, ge=0, le=2**31 - 1, description="passed to the server")
    max_answer_tokens: int = Field(default=256, ge=1, le=32_768, description="reasoning models need more")
    max_calls: int = Field(default=32, ge=1, le=1024, description="calls at once, for all workers together")
    # Below the deadline of the model server's requests.
    timeout_seconds: float = Field(default=15.0, gt=0, le=18, description="for an answer with all its retries")
    key_variable: str | None = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="the environment variable with the key"
    )
    key_file: Path | None = Field(default=None, description="a file with the key that only its owner can read")
    cents_per_million_tokens_in: Price = Field(default=Decimal(0), description="in US cents")
    cents_per_million_tokens_out: Price = Field(default=Decimal(0), description="in US cents")

    @model_validator(mode="after")
    def _has_one_key(self) -> LanguageModelSource:
        if self.key_variable and self.key_file:
            raise ValueError("name a key_variable or a key_file, not both")
        return self

    @property
    def prices(self) -> Prices | None:
        """None where nothing is charged."""
        if not (self.cents_per_million_tokens_in or self.cents_per_million_tokens_out):
            return None
        return Prices(
            cents_per_million_tokens_in=self.cents_per_million_tokens_in,
            cents_per_million_tokens_out=self.cents_per_million_tokens_out,
            max_answer_tokens=self.max_answer_tokens,
        )

    def key(self) -> str | None:
        """The key that the server asks for, if any. Raises `AdversaryError` where it cannot be read."""
        if self.key_variable:
            return _checked(os.environ.get(self.key_variable, ""), f"The environment variable {self.key_variable}")
        return None if self.key_file is None else _checked(_read(self.key_file), f"key_file={self.key_file.name}")


def read_source(text: str) -> LanguageModelSource:
    """Raises `InvalidInput`, without what stands there: it may be a key that somebody put in the wrong place."""
    try:
        parts = urlsplit(text)
        _ = parts.port
        settings = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise InvalidInput(FIELD, f"After openai: there is no address. Write it as in {EXAMPLE}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not parts.fragment:
        raise InvalidInput(FIELD, f"An address and a model's name after # are needed, as in {EXAMPLE}.")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(FIELD, "An address is kept and shown. Name key_variable=VARIABLE instead of a password.")
    address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    try:
        return LanguageModelSource(**{**settings, "address": address, "model": parts.fragment})  # type: ignore[arg-type]
    except ValidationError as error:
        fault = first_fault(error, "the source")
        allowed = ", ".join(name for name in LanguageModelSource.model_fields if name not in ("address", "model"))
        raise InvalidInput(
            FIELD, f"openai:{address}: {fault.place}: {fault.reason}. Settings are {allowed}; as in {EXAMPLE}."
        ) from None


def _read(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
            raise AdversaryError(f"key_file={path.name} must be a file that its owner alone can read: chmod 600.")
        return path.read_bytes()[:MAX_KEY_BYTES].decode("ascii", "replace")
    except OSError as error:
        raise AdversaryError(f"key_file={path.name} cannot be read: {error.strerror}.") from None


def _checked(text: str, where: str) -> str:
    key = text.strip()
    if not (key and key.isascii() and key.isprintable() and " " not in key):
        raise AdversaryError(f"{where} holds no key: one line of ASCII is expected there.")
    return key
