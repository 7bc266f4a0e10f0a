"""What the guides say is there, is there."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from beat_the_ai.terms.bonuses import BonusRules

ROOT = Path(__file__).parents[1]
GROUPS = ROOT / "hydra_configs"


def documented_groups() -> dict[str, list[str]]:
    """Each configuration group of the requesters' guide with its choices, in the order of the table."""
    guide = (ROOT / "docs" / "requesters.md").read_text(encoding="utf-8")
    [table] = re.findall(r"^\| group \|.*\n\|[-|]+\n((?:\|.*\n)+)", guide, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {group.strip("`"): re.findall(r"`(\w+)`", choices) for group, _, choices in rows}


def test_the_requesters_guide_names_every_configuration_group_with_all_its_choices() -> None:
    there = {
        folder.name: sorted(path.stem for path in folder.glob("*.yaml"))
        for folder in GROUPS.iterdir()
        if folder.is_dir()
    }
    assert {group: sorted(choices) for group, choices in documented_groups().items()} == there


def test_the_first_choice_in_the_guide_is_the_default() -> None:
    defaults: dict[str, str] = {}
    for path in (GROUPS / "base.yaml", ROOT / "tasks" / "reading_comprehension" / "conf" / "config.yaml"):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["defaults"]:
            defaults.update(entry if isinstance(entry, dict) else {})
    assert {group: choices[0] for group, choices in documented_groups().items()} == defaults


def test_the_guide_has_every_bonus_in_the_words_that_workers_read() -> None:
    guide = (ROOT / "docs" / "payments.md").read_text(encoding="utf-8")
    rules = BonusRules(cents_per_win=10, cents_per_verified_win=50, streak_cents={3: 25})
    verified = BonusRules(streak_cents={3: 25}, verified_streaks=True)
    assert len(rules.terms()) == 3
    for term in (*rules.terms(), *verified.terms()):
        assert f"| {term.words} |" in guide
