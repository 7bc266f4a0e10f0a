from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from beat_the_ai.payments import PaymentKey

KEYS = st.builds(PaymentKey, *[st.text(max_size=5) | st.text("/[]:%a", max_size=5)] * 4)


def test_a_token_never_changes_and_fits_into_64_characters() -> None:
    token = PaymentKey("pilot", "verified:3", "A1", "3X").token
    assert token == "6da79de2da32e9cc7704e19b24b7167a83c9d93613628b83c5972a861011d9cd"
    assert len(token) == 64


def test_a_mark_can_be_read() -> None:
    assert PaymentKey("pilot", "verified:3", "A1", "3X").mark == "[pilot/verified:3/A1/3X]"


@given(KEYS, KEYS)
def test_keys_differ_in_their_tokens_and_no_mark_holds_another(one: PaymentKey, other: PaymentKey) -> None:
    assume(one != other)
    assert one.token != other.token
    assert one.mark not in other.mark


@given(KEYS)
def test_every_part_counts(key: PaymentKey) -> None:
    changed = [replace(key, **{name: getattr(key, name) + "x"}) for name in PaymentKey.__dataclass_fields__]
    assert len({key.token, *(other.token for other in changed)}) == 5
