"""Servers under a path of a proxy's: no page leads out of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening.root_path import UnderRootPath, check_root_path, cookie_path

SOURCES = Path(__file__).parents[2] / "src" / "beat_the_ai"
TEMPLATES = sorted(SOURCES.glob("*/p*/templates/*.html"))
WITH_PARTS = [path for path in TEMPLATES if path.with_name("parts.html").is_file()]
# An address in a page that begins at the root of the host; in Jinja's own texts it is put together.
AT_ROOT = re.compile(
    r"""(?:href|src|action|data-sent)="(?!\{\{ root \}\})(/|\{\{ (?!frame\.url|node\.href|one\.url|address))"""
)


def answer(request: Request) -> Response:
    return PlainTextResponse(f"{request.url.path} {cookie_path(request)} {request.base_url.path}")


@pytest.mark.parametrize("asked", ["/market/page", "/page"], ids=["whole", "stripped"])
def test_a_proxy_may_strip_the_path_or_pass_it(asked: str) -> None:
    app = UnderRootPath(Starlette(routes=[Route("/page", answer)]), "/market")
    assert TestClient(app).get(asked).text == "/market/page /market /market/"


def test_a_path_that_only_begins_alike_is_another() -> None:
    app = UnderRootPath(Starlette(routes=[Route("/marketplace", answer)]), "/market")
    assert TestClient(app).get("/marketplace").text == "/market/marketplace /market /market/"


@pytest.mark.parametrize("path", ["market", "/market/", "/a b", "/a;path=/", "//"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput):
        check_root_path(path)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: f"{path.parts[-4]}-{path.name}")
def test_addresses_in_pages_begin_with_the_root_path(template: Path) -> None:
    assert [found.group() for found in AT_ROOT.finditer(template.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("template", WITH_PARTS, ids=lambda path: f"{path.parts[-4]}-{path.name}")
def test_parts_with_addresses_are_imported_with_the_root_path(template: Path) -> None:
    """Without `with context` a macro has no `root`."""
    parts = template.with_name("parts.html").read_text(encoding="utf-8")
    macros = re.findall(r"macro (\w+)\(.*?endmacro", parts, re.DOTALL)
    bodies = re.findall(r"macro \w+\((.*?)endmacro", parts, re.DOTALL)
    rooted = {name for name, body in zip(macros, bodies, strict=True) if "{{ root }}" in body}
    for names, context in re.findall(r'from "parts.html" import (.*?)( with context)? %}', template.read_text()):
        used = {name.split()[0] for name in names.split(", ")}
        assert context or not used & rooted
