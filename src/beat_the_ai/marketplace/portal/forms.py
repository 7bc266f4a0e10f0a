"""Forms as browsers post them, read up to a limit."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.answers import MAX_FIELDS
from beat_the_ai.marketplace.saying import said

URLENCODED = "application/x-www-form-urlencoded"
MAX_BODY_BYTES = 3 * 1024 * 1024  # answers of a mebibyte, written as %XX in part

Form = list[tuple[str, str]]


async def read_form(request: Request) -> Form:
    """The fields in order, those without a name left out. Raises `InvalidInput`."""
    kind = request.headers.get("content-type", URLENCODED).partition(";")[0].strip().lower()
    if kind != URLENCODED:
        raise InvalidInput("body", said("portal_refusals.form.kind"))
    body = await _body(request)
    try:
        fields = parse_qsl(
            body.decode("latin-1"), keep_blank_values=True, max_num_fields=MAX_FIELDS + 10, errors="replace"
        )
    except ValueError:
        raise InvalidInput("body", said("portal_refusals.form.fields", most=MAX_FIELDS)) from None
    return [(name, text) for name, text in fields if name]


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise InvalidInput("body", said("portal_refusals.form.long", most=MAX_BODY_BYTES))
    return bytes(body)
