"""No desk takes an item of the shipped contexts on which people or models are measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import HintDesk, WritingDesk

TASKS = Path(__file__).parents[2] / "tasks"
TYPED = {"reading_comprehension": "question", "nli": "hypothesis", "quizbowl": "text"}
GOLD_ITEMS = {"reading_comprehension": 174, "nli": 240, "quizbowl": 96}
each_kind = pytest.mark.parametrize("name", TYPED)
DISGUISES: list[Callable[[str], str]] = [
    str,
    str.upper,
    lambda text: f"  {text.replace(' ', '  ')} ",
    lambda text: text.replace("e", "e\u200b"),
]


class NoModel:
    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        raise AssertionError(f"{query} was asked")


@each_kind
def test_gold_of_the_sample_is_refused_in_every_disguise(name: str, store: Store, tmp_path: Path) -> None:
    settings = read_settings(TASKS / name, [], out=tmp_path)
    kind, writing = settings.kind, settings.kind.writing
    contexts = writing.load_contexts(settings.contexts)
    store.campaigns.create(Campaign("pilot", kind.name, 1, "k" * 64, {}, now()))
    hits = store.campaigns.offer(
        "pilot", contexts, round_number=1, slots=1, brief=lambda context, slot: writing.brief(context, slot, 1)
    )
    desk = WritingDesk(store, writing, NoModel(), Terms(1, 1, 3))
    hints = None if kind.hints is None else HintDesk(store, kind.hints, writing, NoModel(), 3)
    items = 0
    for hit, context in zip(hits, contexts, strict=True):
        assignment = desk.accept(hit, "w1", f"r{hit}")[0].id
        for work in writing.gold(context):
            items += 1
            for disguise in DISGUISES:
                payload: dict[str, Any] = work.model_dump()
                payload[TYPED[name]] = disguise(payload[TYPED[name]])
                with pytest.raises(InvalidInput) as caught:
                    desk.submit(assignment, "k1", context.id, payload)
                assert (caught.value.field, str(caught.value)) == writing.repeated, payload
                if hints is not None:
                    with pytest.raises(InvalidInput) as caught:
                        hints.hint(assignment, "e1", context.id, payload, "pause")
                    assert str(caught.value) == writing.repeated[1]
        assert desk.state(assignment).attempts == ()
    assert items == GOLD_ITEMS[name]
