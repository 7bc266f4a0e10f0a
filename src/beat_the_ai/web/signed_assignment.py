"""The signed holder of a HIT: a marketplace puts it into the address of the requester's page, which passes it on.

The key comes from the requester's secret access key, which both sides have. So the requester checks a page without
asking the marketplace. While an access key is being replaced, the marketplace signs with both.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

HEADER, ALGORITHM = "x-signed-frames", "hmac-sha256"
"""The header of the marketplace's answers to the requester that says that it signs the addresses of frames."""

SIGNED = ("turkDeadline", "turkSignature")
"""The parameters that are added to an address."""

_PURPOSE = b"frame address 1"
_BETWEEN_SIGNATURES = "."


@dataclass(frozen=True)
class SignedAssignment:
    """A worker holds an assignment of a HIT until `deadline`, in seconds since 1970."""

    worker_id: str
    assignment_id: str
    hit_id: str
    deadline: int

    def parameters(self, secrets: Iterable[str]) -> dict[str, str]:
        """Return the parameters that are added to the page's address."""
        signatures = _BETWEEN_SIGNATURES.join(self._signature(secret) for secret in secrets)
        return dict(zip(SIGNED, (str(self.deadline), signatures), strict=True))

    def is_signed(self, signatures: str, secret: str) -> bool:
        """Return whether one of the signatures was made with this secret access key."""
        expected = self._signature(secret).encode()
        given = signatures.encode("utf-8", "replace").split(_BETWEEN_SIGNATURES.encode())
        return any(hmac.compare_digest(expected, signature) for signature in given)

    def _signature(self, secret: str) -> str:
        key = hmac.digest(secret.encode(), _PURPOSE, hashlib.sha256)
        parts = (self.worker_id, self.assignment_id, self.hit_id, str(self.deadline))
        return hmac.new(key, "\n".join(parts).encode("utf-8", "replace"), hashlib.sha256).hexdigest()
