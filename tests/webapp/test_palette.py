"""All colours come from one file: no page has another one, and every page shows them as they stand there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.web import palette
from tests.webapp.conftest import WEBAPP, NewPage

PACKAGE = WEBAPP.parent / "src" / "beat_the_ai"
FOLDERS = ("src", "review", "event", "console")
STYLED = [
    *(path for folder in FOLDERS for path in (WEBAPP / folder).rglob("*.css") if "dist" not in path.parts),
    *PACKAGE.rglob("*.css"),
    *PACKAGE.rglob("*.html"),
]
DRAWN = [path for folder in FOLDERS for path in (WEBAPP / folder).rglob("*.tsx")]

# What follows the text, and what the system chooses where it forces its own colours.
NO_COLOURS_OF_OURS = {"transparent", "currentcolor", "inherit", "initial", "unset", "Mark", "MarkText"}
FUNCTIONS = "rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color"
CANDIDATE = re.compile(rf"#[0-9a-fA-F]{{3,8}}\b|\b(?:{FUNCTIONS})\([^()]*\)|[a-zA-Z][\w-]*")
DRAWN_COLOUR = re.compile(
    r"""["'`]#[0-9a-fA-F]{3,8}["'`]|\b(?:rgb|hsl)a?\(|(?:fill|stroke|color)=["'](?!none|currentcolor)"""
)

# Text, and what it may stand on: a contrast of 4.5:1 is what WCAG 2.2 AA asks for.
GROUNDS = ("paper", "surface", "sunken")
READABLE = [
    *((text, ground) for text in ("ink", "muted", "accent") for ground in GROUNDS),
    *((text, ground) for text in ("won", "lost", "wrong") for ground in (f"{text}-tint", "surface")),
    *(("on-accent", ground) for ground in ("accent", "accent-strong")),
    *(("ink", ground) for ground in ("mark", *(name for name in palette.colours() if name.startswith("arc-")))),
]
CONTRAST = 4.5


def values_in(text: str) -> list[str]:
    """What the declarations of a stylesheet say, or those in a template."""
    styles = re.findall(r"<style>(.*?)</style>|style=\"([^\"]*)\"", text, re.DOTALL) if "<" in text else [(text, "")]
    plain = "\n".join(f"{style};{attribute};" for style, attribute in styles)
    plain = re.sub(r"/\*.*?\*/|\"[^\"]*\"|var\([^()]*\)|\{\{.*?\}\}", "", plain, flags=re.DOTALL)
    return re.findall(r"[\w-]+\s*:\s*([^;{}]+)(?=[;}])", plain)


def colours_in(page: Page, text: str) -> set[str]:
    """The colours that a stylesheet or a template names itself; the browser knows what is one."""
    words = {word for value in values_in(text) for word in CANDIDATE.findall(value)} - NO_COLOURS_OF_OURS
    found: list[str] = page.evaluate("words => words.filter(word => CSS.supports('color', word))", sorted(words))
    return set(found)


@pytest.fixture
def blank(new_page: NewPage) -> Page:
    return new_page()


def test_no_style_has_a_colour_of_its_own(blank: Page) -> None:
    assert len(STYLED) > 20  # or they have moved
    colours = {str(path): colours_in(blank, path.read_text(encoding="utf-8")) for path in STYLED}
    assert {path: found for path, found in colours.items() if found} == {}


def test_no_component_draws_in_a_colour_of_its_own() -> None:
    assert len(DRAWN) > 30
    assert [str(path) for path in DRAWN if DRAWN_COLOUR.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("style", "colour"),
    [
        ("a { color: #fff }", "#fff"),
        ("a:hover { border: 1px solid rgb(0 0 0 / 5%); }", "rgb(0 0 0 / 5%)"),
        (":root { --x: hsl(30 70% 82%) }", "hsl(30 70% 82%)"),
        ("a { background: var(--ink) linear-gradient(white, var(--ink)) }", "white"),
        ("<style>\nmark { background: gold; }</style>", "gold"),
        ('<p style="color:red">', "red"),
    ],
)
def test_a_colour_in_a_style_is_seen(blank: Page, style: str, colour: str) -> None:
    assert colours_in(blank, style) == {colour}


def test_names_of_properties_and_of_colours_of_the_palette_are_none(blank: Page) -> None:
    assert colours_in(blank, "#fed .red { color: var(--red); border: solid currentcolor } /* white */ a {}") == set()


def style_of(page: str) -> str:
    built = {"workers": WEBAPP / "dist" / "style.css", "reviewers": WEBAPP / "review" / "dist" / "style.css"}
    if page in built:
        return built[page].read_text(encoding="utf-8")
    return palette.stylesheet() if page == "portal" else report_page("Title", "Introduction", [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["workers", "reviewers", "portal", "report"])
def test_every_page_has_the_palette_as_it_stands_in_the_file(new_page: NewPage, name: str, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    style = style_of(name)
    page.set_content(style if name == "report" else f"<style>{style}</style>")
    wanted = {colour: values[scheme] for colour, values in palette.colours().items()}
    assert shown(page, {colour: f"var(--{colour})" for colour in wanted}) == shown(page, wanted)


def shown(page: Page, colours: dict[str, str]) -> dict[str, str]:
    """As the browser computes them."""
    computed: dict[str, str] = page.evaluate(
        """colours => {
            const element = document.body.appendChild(document.createElement("p"));
            return Object.fromEntries(Object.entries(colours).map(([name, value]) => {
                element.style.color = "";
                element.style.color = value;
                return [name, getComputedStyle(element).color];
            }));
        }""",
        colours,
    )
    return computed


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_every_ground(blank: Page, scheme: str) -> None:
    computed = shown(blank, {name: values[scheme] for name, values in palette.colours().items()})
    contrasts = {pair: contrast(computed[pair[0]], computed[pair[1]]) for pair in READABLE}
    assert {pair: found for pair, found in contrasts.items() if found < CONTRAST} == {}


def contrast(text: str, ground: str) -> float:
    """WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted((luminance(text), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
