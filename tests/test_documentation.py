"""What the pages say is there, is there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import pytest
import yaml

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.cli import main
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.registry import KINDS, bind
from beat_the_ai.terms.bonuses import BonusRules
from scripts.measure import prose, sentences, written_pages
from scripts.write_reference import FOLDER

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GROUPS = ROOT / "hydra_configs"
WRITTEN = written_pages()
MOST_WORDS = 16_900
LONGEST_SENTENCE = 40
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROOTS = (ROOT, ROOT / "src" / "beat_the_ai")  # from which pages name files


def page_id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_page_is_of_one_of_the_four_kinds() -> None:
    folders = {path.relative_to(DOCS).parts[0] for path in DOCS.rglob("*.md") if path.parent != DOCS}
    assert folders == {"tutorials", "how-to", "reference", "explanation"}
    assert {path.name for path in DOCS.glob("*.md")} == {"README.md", "code.md"}


def test_the_pages_are_short() -> None:
    words = {page_id(path): len(prose(path).split()) for path in WRITTEN}
    assert sum(words.values()) <= MOST_WORDS, words


@pytest.mark.parametrize("path", WRITTEN, ids=page_id)
def test_no_sentence_is_long(path: Path) -> None:
    assert [one for one in sentences(path) if len(one.split()) > LONGEST_SENTENCE] == []


def commands() -> Iterator[tuple[str, str]]:
    """Yield each call of the program in a block of code, with its page."""
    for path in WRITTEN:
        for block in FENCED.findall(path.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                if called := re.search(r"(?:^|\s)beat-the-ai (.*)", line):
                    yield page_id(path), re.split(r"\s#\s| > ", called[1])[0]


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the command that is called, and what follows its name."""
    command, context = cast(click.Command, main), click.Context(main)
    while True:
        if place := place_of(command.name or "", words):
            command = cast(click.Command, object_at(place, "--task"))
        if not isinstance(command, click.Group) or not words:
            return command, words
        if (used := command.get_command(context, words[0].split("|")[0])) is None:
            assert command.name == "review", f"{words[0]} is no command"
            return cast(click.Command, command.get_command(context, "serve")), words
        command, words = used, words[1:]


def place_of(name: str, words: list[str]) -> str | None:
    """Return where the command lies that a kind of task brings for `train` and `event`."""
    for kind in map(bind, KINDS):
        if name == "train" and kind.name in words and "--task" in words:
            return kind.training
        if name == "event" and kind.events and not words[0].startswith("-"):
            return kind.events
    return None


@pytest.mark.parametrize(("page", "called"), sorted(set(commands())))
def test_every_command_in_a_page_is_there_with_its_options(page: str, called: str) -> None:
    command, words = resolved(shlex.split(called.replace("...", "")))
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {
        "--task",
        "--help",
    }
    used = {word.strip("[]").partition("=")[0] for word in words if word.strip("[").startswith("--")}
    passes_on = command.context_settings.get("ignore_unknown_options")
    assert command is not main
    assert used <= known or passes_on, f"{page}: {used - known}"


def settings_named(path: Path) -> set[str]:
    groups = "|".join(Settings.model_fields)
    named = re.findall(rf"(?<![\w./-])((?:{groups})(?:\.[a-z_]+)+)(?![\w./-])", path.read_text(encoding="utf-8"))
    return {name for name in named if not name.endswith(".md")}


@pytest.mark.parametrize("path", WRITTEN, ids=page_id)
def test_every_setting_in_a_page_is_in_the_reference(path: Path) -> None:
    known = (FOLDER / "settings.md").read_text(encoding="utf-8")
    there = {name for name in settings_named(path) if f"| `{name}` |" in known or f"| `{name}." in known}
    assert settings_named(path) - there <= {"adversary.servers.roberta"}, "a server's name is the requester's"


def paths_named(path: Path) -> Iterator[str]:
    """Yield what a page names as code and begins with a folder of the project or of the engine."""
    for code in re.findall(r"`([^`\n]+)`", FENCED.sub("", path.read_text(encoding="utf-8"))):
        first, _, rest = code.partition("/")
        if first == "out":  # what a reader makes
            continue
        if first and rest and re.fullmatch(r"[\w./*-]+", code) and any((root / first).is_dir() for root in ROOTS):
            yield re.sub(r"\b[A-Z]+\b", "*", code.rstrip("/"))  # a word for any of them, as in kinds/KIND/


@pytest.mark.parametrize("path", WRITTEN, ids=page_id)
def test_every_file_that_a_page_names_is_there(path: Path) -> None:
    assert [name for name in paths_named(path) if not any(any(root.glob(name)) for root in ROOTS)] == []


def documented_groups() -> dict[str, list[str]]:
    """Return each configuration group of the guide with its choices, in the order of the table."""
    guide = (DOCS / "how-to" / "set-up-a-campaign.md").read_text(encoding="utf-8")
    [table] = re.findall(r"^\| group \|.*\n\|[-|]+\n((?:\|.*\n)+)", guide, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {group.strip("`"): re.findall(r"`([\w-]+)`", choices) for group, _, choices in rows}


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
    guide = (DOCS / "how-to" / "pay.md").read_text(encoding="utf-8")
    rules = BonusRules(cents_per_win=10, cents_per_verified_win=50, streak_cents={3: 25})
    verified = BonusRules(streak_cents={3: 25}, verified_streaks=True)
    assert len(rules.terms()) == 3
    for term in (*rules.terms(), *verified.terms()):
        assert f"| {term.words('USD')} |" in guide
