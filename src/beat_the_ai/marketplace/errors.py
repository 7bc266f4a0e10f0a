"""The refusals of the marketplace, in the words of the protocol.

MarketplaceError            `type_name` is the protocol's `__type`, `status` the HTTP status
├── RequestFailed           a rule of the marketplace: RequestError with a TurkErrorCode
├── ParameterInvalid        the request does not fit the service model: ValidationException
├── NotAuthentic            no key, an unknown key, a wrong or old signature
├── Throttled               ThrottlingException
└── Fault                   ServiceFault: the marketplace failed, whether by itself or because it was told to

Messages follow those that users of Mechanical Turk quote in public issues [seen]; programs do match on them.
"""

from __future__ import annotations

from beat_the_ai.errors import BeatTheAIError

CODE_PREFIX = "AWS.MechanicalTurk."


class MarketplaceError(BeatTheAIError):
    """An answer other than success."""

    code = "marketplace"
    type_name = "RequestError"
    status = 400
    turk_code: str | None = None


class RequestFailed(MarketplaceError):
    """A well-formed request that a rule forbids. `name` is the TurkErrorCode without its prefix."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.turk_code = CODE_PREFIX + name


class ParameterInvalid(MarketplaceError):
    """A value that the service model does not allow."""

    type_name = "ValidationException"


class NotAuthentic(MarketplaceError):
    """Nobody known has signed this request."""

    def __init__(self, type_name: str, message: str) -> None:
        super().__init__(message)
        self.type_name = type_name


class Throttled(MarketplaceError):
    """Too many requests; AWS's clients wait and repeat."""

    type_name = "ThrottlingException"

    def __init__(self) -> None:
        super().__init__("Rate exceeded")


class Fault(MarketplaceError):
    """The marketplace's own failure."""

    type_name = "ServiceFault"
    status = 500
    turk_code = CODE_PREFIX + "InternalServiceFault"

    def __init__(self, message: str = "The service is temporarily unavailable.") -> None:
        super().__init__(message)


def does_not_exist(kind: str, identifier: str) -> RequestFailed:
    """`kind` as in the error codes: HIT, Assignment, HITType, QualificationType, QualificationRequest, Worker."""
    shown = {"HIT": "Hit"}.get(kind, kind)  # MTurk writes "Hit 3X does not exist." [seen]
    return RequestFailed(f"{kind}DoesNotExist", f"{shown} {identifier} does not exist.")


def wrong_parameter(message: str) -> RequestFailed:
    """A rule about a single value that the service model does not hold."""
    return RequestFailed("ParameterValidationError", message)


def insufficient_funds() -> RequestFailed:
    return RequestFailed(
        "InsufficientFunds", "This Requester has insufficient funds in their account to complete this transaction."
    )
