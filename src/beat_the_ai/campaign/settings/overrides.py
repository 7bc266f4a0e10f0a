"""KEY=VALUE on the command line, in Hydra's grammar. A value that is none in it is text, as a path with brackets is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
WORDS = ("true", "false", "null", "inf", "nan")  # of Hydra's grammar


def literal(value: Any) -> str:
    """Return a value in Hydra's grammar, which reads it as nothing else."""
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and value.lower() not in WORDS else quoted(value)
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{key}:{literal(of_key)}' for key, of_key in value.items())}}}"
    if isinstance(value, Sequence):
        return f"[{','.join(map(literal, value))}]"
    return "null" if value is None else str(value).lower()


def value_of(override: str) -> tuple[str, Any]:
    """Return the key and the value of KEY=VALUE."""
    parsed = OverridesParser.create().parse_override(readable(override))
    return parsed.key_or_group, parsed.value()


def quoted(value: object) -> str:
    """Return a value as text in Hydra's grammar, in which a backslash is special before a quotation mark alone."""
    escaped = re.sub(r"(\\*)('|$)", lambda match: match[1] * 2 + match[2].replace("'", "\\'"), str(value))
    return f"'{escaped}'"


def key_of(override: str) -> str:
    """Return the key of KEY=VALUE, without the signs of Hydra before it."""
    return override.partition("=")[0].lstrip("+~")


def readable(override: str) -> str:
    """Return KEY=VALUE so that Hydra can read it.

    A value that it cannot read, or takes for several, is text; in brackets it is a list of texts.
    """
    key, equals, value = override.partition("=")
    parser = OverridesParser.create()
    try:
        if not equals or not parser.parse_override(override).is_sweep_override():
            return override
        parser.parse_override(f"{key}=x")
    except HydraException:
        pass
    return f"{key}={_listed(value) or quoted(value)}"


def merged(settings: Any, overrides: Iterable[str]) -> DictConfig:
    """Return these settings with the values of KEY=VALUE; no groups: their files lie with a task."""
    config: DictConfig = OmegaConf.create(settings)
    for override in overrides:
        OmegaConf.update(config, *value_of(override), force_add=True)
    return config


def _listed(value: str) -> str | None:
    """Return a list of texts whose characters are strange to Hydra; None for any other value."""
    if not (value.startswith("[") and value.endswith("]")):
        return None
    try:
        items = yaml.safe_load(value)
    except yaml.YAMLError:
        return None
    return f"[{','.join(map(quoted, items))}]" if all(isinstance(item, str) for item in items) else None
