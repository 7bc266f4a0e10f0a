"""The form of a transcript: entries, each committed to by a salted hash, in a chain of hashes.

What an entry says is kept as a text of JSON, and it is this text that is hashed: nobody has to write the same JSON
again to check it. An entry of which salt and text were erased keeps its place, and says nothing.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64  # the head of a transcript without entries
CAMPAIGN, ROUND, STANDING, ATTEMPT, VOTE, ERASURE = "campaign", "round", "standing", "attempt", "vote", "erasure"
SALT_BYTES = 16
_as_json = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `salt` and `content` are None once they are erased."""

    type: str
    commitment: str
    salt: str | None = None
    content: str | None = None

    @property
    def is_redacted(self) -> bool:
        return self.content is None


def new_entry(of_type: str, content: Mapping[str, Any]) -> Entry:
    """Return an entry with a new random salt. Its text is ASCII."""
    text, salt = _as_json(content), secrets.token_hex(SALT_BYTES)
    return Entry(of_type, commitment_of(salt, text), salt, text)


def commitment_of(salt: str, content: str) -> str:
    """Return the hash that an entry is committed to by: of nothing, unless the salt is known."""
    return hashlib.sha256(f"{salt}{content}".encode(errors="surrogatepass")).hexdigest()


def next_head(head: str, of_type: str, commitment: str) -> str:
    """Return the head of a transcript after one more entry."""
    return hashlib.sha256(f"{head} {of_type} {commitment}".encode(errors="surrogatepass")).hexdigest()


def line(number: int, entry: Entry, head: str) -> str:
    """Return the line of an entry, the `number`-th; `head` is that of the transcript with this entry."""
    if entry.is_redacted:
        said = f'"commitment":"{entry.commitment}"'
    else:
        said = f'"salt":"{entry.salt}","content":{json.dumps(entry.content)}'
    return f'{{"number":{number},"type":"{entry.type}",{said},"head":"{head}"}}\n'
