"""YAML that people write, and YAML for people. A few lines with aliases of aliases can stand for more than any machine
holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

MAX_NODES = 100_000
LINE_BREAKS = re.compile("[\x85\u2028\u2029]")  # that PyYAML writes as they are, and reads as others


def load_yaml(path: Path) -> Any:
    """The content. Raises `ValueError` or an `OSError` that says what is wrong with the file."""
    return parse_yaml(path.read_text(encoding="utf-8"))


def parse_yaml(text: str) -> Any:
    """Return the content of a text. Raises `ValueError` that says what is wrong with it."""
    _check(text)
    return yaml.safe_load(text)


def dump_yaml(content: Mapping[str, Any]) -> str:
    """Return content as a text that is read as the same; letters of all languages stay readable."""
    text: str = yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)
    return text


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # the library has no types
    """A dumper that escapes every line break within quotes."""

    def represent_text(self, text: str) -> yaml.Node:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style='"' if LINE_BREAKS.search(text) else None)


_Dumper.add_representer(str, _Dumper.represent_text)


def check_yaml(path: Path) -> str:
    """The text of a file that is YAML of a sensible size. Raises like `load_yaml`."""
    text = path.read_text(encoding="utf-8")
    _check(text)
    return text


@lru_cache  # a process reads the same files again and again
def _check(text: str) -> None:
    """In Python: the loader in C dies of what is nested too deeply."""
    try:
        nodes = _size(yaml.compose(text, yaml.SafeLoader), {})
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    if nodes > MAX_NODES:
        raise ValueError(f"with its aliases written out it has more than {MAX_NODES:,} values")


def _size(node: Any, known: dict[int, int]) -> int:
    """Return how many values a node stands for, aliases written out. Each node is counted once."""
    if node is None or isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = MAX_NODES + 1  # until it is counted: who meets it within itself has found a circle
        parts = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
        known[id(node)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(node)]
