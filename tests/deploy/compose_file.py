"""Reading deploy/compose.yaml, with its variables put in as Docker Compose does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::-(?P<default>[^}]*)|:\?)?\}")


def compose_file(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the file's content."""

    def value(found: re.Match[str]) -> str:
        if found["default"] is None:
            return variables[found["name"]]
        return variables.get(found["name"]) or found["default"]

    def put_in(content: Any) -> Any:
        if isinstance(content, str):
            return VARIABLE.sub(value, content)
        if isinstance(content, list):
            return [put_in(each) for each in content]
        return {name: put_in(each) for name, each in content.items()} if isinstance(content, dict) else content

    content = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return cast(dict[str, Any], put_in(content))


def in_order(services: Mapping[str, Any]) -> Iterator[str]:
    """Yield the services, each after those that it depends on."""
    started: set[str] = set()
    while waiting := [name for name in services if name not in started]:
        ready = [name for name in waiting if started.issuperset(services[name].get("depends_on", ()))]
        assert ready, f"{waiting} wait for each other"
        yield ready[0]
        started.add(ready[0])
