"""The pages that analysis makes: each one file that opens offline and asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from beat_the_ai.analysis.annotations import sample_key
from beat_the_ai.rules.corpora import Item, Scheme
from beat_the_ai.rules.kind import Paper
from beat_the_ai.statistics.section import Section
from beat_the_ai.web import palette


def report_page(
    title: str, introduction: str, sections: Sequence[Section], paper: Paper | None = None, warning: str = ""
) -> str:
    """Return a page, the same for the same sections, which name places in `paper`. A `warning` stands above all."""
    return _render(
        "report.html", title=title, introduction=introduction, sections=sections, paper=paper, warning=warning
    )


def annotation_page(title: str, items: Sequence[Item], scheme: Scheme) -> str:
    """Return a page to label a sample; it saves what `read_annotations` reads."""
    script = _file("annotation.js")
    return _render(
        "annotation.html",
        title=title,
        items=items,
        scheme=scheme,
        key=sample_key(items),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _render(template: str, **values: object) -> str:
    style = Markup(palette.stylesheet()) + _file("page.css")  # noqa: S704  # the package's own
    return _templates().get_template(template).render(style=style, **values)


def _file(name: str) -> Markup:
    """Return a style or script of this package, as it stands."""
    return Markup((files("beat_the_ai.analysis") / "templates" / name).read_text(encoding="utf-8"))  # noqa: S704


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("beat_the_ai.analysis"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
