"""The colours of every page: the workers' and the reviewers' (built from the same file), the portal's and the reports'.

Each has a value for light and one for dark surroundings.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def colours() -> dict[str, dict[str, str]]:
    """The values of each colour under `light` and `dark`."""
    text = (files("beat_the_ai.web") / "palette.json").read_text(encoding="utf-8")
    palette: dict[str, dict[str, str]] = json.loads(text)
    return palette


@cache
def stylesheet() -> str:
    """The palette as CSS custom properties: `ink` is `var(--ink)`."""
    dark = f"@media (prefers-color-scheme: dark) {{\n:root {{\n{_properties('dark')}}}\n}}\n"
    return f":root {{\ncolor-scheme: light dark;\n{_properties('light')}}}\n{dark}"


def _properties(scheme: str) -> str:
    return "".join(f"--{name}: {values[scheme]};\n" for name, values in colours().items())
