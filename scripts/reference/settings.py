"""The page of settings: from the pydantic models, and from the files of `hydra_configs/` with their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yaml import safe_load

from beat_the_ai.adversary.language_models.source import LanguageModelSource
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.presets import GROUP, preset_names, read_preset
from beat_the_ai.rules.registry import KINDS, bind
from beat_the_ai.terms.crowd import ProlificTerms, RecruiterTerms
from beat_the_ai.terms.validation import ValidationTerms
from scripts.reference.types import Field, code, field_table, fields, shown, table

CONFIGS = Path(__file__).resolve().parents[2] / "hydra_configs"
INTERNAL = {"simulated"}  # only `rehearse` sets it
NESTED = {"terms": ValidationTerms, "recruiter": RecruiterTerms, "prolific": ProlificTerms}
LONGEST_VALUE = 60  # of another choice that is shown
FREE = {"task.options": "writing", "validation.rules": "checking"}  # sections whose keys the kind of task declares
INTRODUCTION = """# Settings

Every setting of a campaign. Give one on the command line as `KEY=VALUE`, or choose another file of a group as
`GROUP=NAME`. An unknown key is an error that names it. [How to set up a campaign](../how-to/set-up-a-campaign.md) says
where settings are kept, and [how to change the terms](../how-to/change-terms.md) what may change later.
"""
PRESETS = """## preset

The campaigns of the papers, for the task of their kind. A preset chooses files of other groups and sets keys; each
given `KEY=VALUE` stands above it. [How to use a preset](../how-to/use-a-preset.md) says more.
"""
LANGUAGE_MODEL = """## Language models

Settings of a member `openai:ADDRESS?SETTING=VALUE&...#MODEL`. The key itself is in no configuration, store, log or
command line. [How to play against a language model](../how-to/play-against-a-language-model.md) says more.
"""


@dataclass(frozen=True)
class ConfigFile:
    """A file of settings. `comments` has what it says of each key; under "" what it says of itself."""

    name: str
    values: Mapping[str, Any]
    comments: Mapping[str, str]


def page() -> str:
    defaults = dict(
        pair for entry in safe_load(_text("base.yaml"))["defaults"] if entry != "_self_" for pair in entry.items()
    )
    sections = [INTRODUCTION, "## The campaign\n\n" + _campaign()]
    for group in sorted(path.name for path in CONFIGS.iterdir() if path.is_dir() and path.name != GROUP):
        first = defaults.get(group, "reading_comprehension")
        names = sorted((path.stem for path in (CONFIGS / group).glob("*.yaml")), key=lambda name: (name != first, name))
        sections.append(f"## {group}\n\n" + _group(group, [_read(f"{group}/{name}.yaml") for name in names]))
    return "\n".join([*sections, PRESETS, _presets(), LANGUAGE_MODEL, field_table(LanguageModelSource)])


def _presets() -> str:
    presets = [read_preset(CONFIGS, name) for name in preset_names(CONFIGS)]
    return table(
        ("preset", "what it is", "paper", "what differs from the paper"),
        ((code(one.name), one.title, one.paper, ", ".join(map(code, one.differences))) for one in presets),
    )


def _text(path: str) -> str:
    return (CONFIGS / path).read_text(encoding="utf-8")


def _campaign() -> str:
    of_base = _read("base.yaml")
    declared = [
        field for field in fields(Settings) if not (CONFIGS / field.name).is_dir() and field.name not in INTERNAL
    ]
    return table(
        ("key", "type", "default", "meaning"),
        ((code(one.name), one.type, code(_default(of_base, one)), _meaning(one.name, [of_base])) for one in declared),
    )


def _group(group: str, files: list[ConfigFile]) -> str:
    choices = table(
        ("choice", "what it is"), ((code(file.name), _first_sentence(file.comments.get("", ""))) for file in files)
    )
    rows = []
    for field in _fields_of_group(group):
        first, *others = (_value(file, field) for file in files)
        differing = [
            f"`{file.name}`: `{value}`"
            for file, value in zip(files[1:], others, strict=True)
            if value not in (first, "") and len(value) <= LONGEST_VALUE
        ]
        meaning = _meaning(field.name, files)
        rows.append((code(f"{group}.{field.name}"), field.type, code(first), "<br>".join([meaning, *differing])))
    return f"{choices}\n" + table(
        ("key", "type", f"default (`{files[0].name}`)", "meaning, and other choices' values"), rows
    )


def _fields_of_group(group: str) -> Iterator[Field]:
    for field in _declared(Settings.model_fields[group].annotation):
        if (part := FREE.get(f"{group}.{field.name}")) is None:
            yield field
            continue
        named: dict[str, Field] = {}
        for kind in KINDS:
            for option in fields(type(getattr(bind(kind), part))):
                named.setdefault(option.name, Field(f"{field.name}.{option.name}", option.type, None, ""))
        yield from named.values()


def _declared(section: Any) -> Iterator[Field]:
    """Yield the fields of a section; in the place of those that are sections themselves, the fields of these."""
    for field in fields(section):
        if field.name in NESTED:
            inner = fields(NESTED[field.name])
            yield from (Field(f"{field.name}.{one.name}", one.type, one.default, "") for one in inner)
        else:
            yield field


def _value(file: ConfigFile, field: Field) -> str:
    if field.name in file.values:
        return shown(file.values[field.name])
    return field.default or ""


def _default(file: ConfigFile, field: Field) -> str:
    value = _value(file, field)
    return "" if value == "???" else value


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=(?<! al)\.)\s", text)[0]


def _meaning(key: str, files: list[ConfigFile]) -> str:
    for file in files:
        if key in file.comments:
            return file.comments[key]
    raise ValueError(f"No file of {CONFIGS.name}/ says in a comment what {key} means: {[file.name for file in files]}.")


def _read(path: str) -> ConfigFile:
    """Return a file with its values and comments by dotted key. What it inherits from is read, too."""
    content = safe_load(_text(path)) or {}
    values: dict[str, Any] = {}
    for parent in (one for one in content.pop("defaults", []) if isinstance(one, str) and one != "_self_"):
        values |= _read(str(Path(path).parent / f"{parent}.yaml")).values
    return ConfigFile(Path(path).stem, values | dict(_dotted(content)), _comments(_text(path)))


def _dotted(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in content.items():
        yield f"{prefix}{key}", value
        if isinstance(value, Mapping):
            yield from _dotted(value, f"{prefix}{key}.")


def _comments(text: str) -> dict[str, str]:
    """Return the comment at the end of each key's line, and on the lines that go on under it; "" is the file's."""
    comments: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    current = ""
    for line in text.splitlines():
        if goes_on := re.match(r"\s*# ?(.*)", line):
            if current in comments and (not current or line.index("#") > len(line.split("#")[0].rstrip()) + 8):
                comments[current] += f" {goes_on[1]}"
            elif not above and current == "":
                comments[""] = goes_on[1]
        elif key := re.match(r"( *)(\w+):(.*)", line):
            above = [(depth, name) for depth, name in above if depth < len(key[1])] + [(len(key[1]), key[2])]
            current = ".".join(name for _, name in above)
            if comment := re.search(r" # ?(.*)", key[3]):
                comments[current] = comment[1]
    return {name: comment.strip() for name, comment in comments.items()}
