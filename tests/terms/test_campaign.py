"""A campaign's kind of task has the options of its current round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.store import Campaign, Round, Store, now
from beat_the_ai.terms.campaign import BoundCampaign

OWN_KIND = """
from dataclasses import replace
from beat_the_ai.rules.registry import bind

def kind(options, rules, language):
    usual = bind("reading_comprehension")
    return replace(usual, words=replace(usual.words, works=repr((sorted(options.items()), sorted(rules.items())))))
"""


TASK = {"kind": "own.py:kind", "page": "main", "title": "Ask", "description": "", "keywords": ""}
OPTIONS, RULES = {"task": {**TASK, "options": {"min_words": 3}}}, {"validation": {"rules": {"quorum": 2}}}


@pytest.mark.parametrize(
    "config",
    [{}, OPTIONS, RULES, {**OPTIONS, **RULES}, {"task": {**TASK, "options": {}}, "validation": {"parts": ["dev"]}}],
)
def test_the_current_kind_has_the_options_of_the_last_rounds_terms(
    store: Store, tmp_path: Path, config: dict[str, Any]
) -> None:
    (tmp_path / "own.py").write_text(OWN_KIND)
    before = {"task": {**TASK, "options": {"min_words": 9}}, "validation": {"rules": {"quorum": 9}}}
    own = Campaign("own", "own.py:kind", 7, "k" * 64, {"task_dir": str(tmp_path)}, now())
    store.campaigns.create(own, before)
    store.rounds.close("own", now())
    store.rounds.open(Round("own", 2, config, now()))
    works = BoundCampaign.open(store, "own").kind.words.works
    task, validation = config.get("task", {}), config.get("validation", {})
    assert works == repr((sorted(task.get("options", {}).items()), sorted(validation.get("rules", {}).items())))
