"""A requester's FormattedContent as markup that is safe in the portal's own pages.

Only elements of MTurk's XHTML subset that cannot do anything are kept, and of their attributes none but what a link,
a picture or a table cell needs; everything else is shown as text or left out.
"""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

from markupsafe import Markup

WORDS = {"a", "b", "big", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "q", "s", "samp", "small", "span"}
WORDS |= {"strike", "strong", "sub", "sup", "u", "var", "br", "img"}
PARAGRAPHS = {"p", "pre", "blockquote", "center", "hr", "h3", "h4", "h5", "h6", "ol", "ul", "li", "dl", "dt", "dd"}
TABLES = {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
KEPT = WORDS | PARAGRAPHS | TABLES
EMPTY = frozenset(("br", "hr", "img"))
RENAMED = {"h1": "h3", "h2": "h3"}  # the page has headings of its own above them
SILENT = frozenset(("script", "style"))
ATTRIBUTES = {"img": ("alt",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan", "scope")}
ADDRESSES = {"a": "href", "img": "src"}


def formatted(content: str) -> Markup:
    writer = _Writer()
    writer.feed(content)
    return writer.finish()


class _Writer(HTMLParser):
    """Writes what it reads again, and closes what was left open."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[str] = []
        self._open: list[str] = []
        self._silent = 0

    def finish(self) -> Markup:
        self.close()
        while self._open:
            self._written.append(f"</{self._open.pop()}>")
        return Markup("".join(self._written))  # noqa: S704 - nothing but escaped texts and the elements above

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag, attributes = RENAMED.get(tag, tag), _attributes(RENAMED.get(tag, tag), dict(attrs))
        if tag in SILENT:
            self._silent += 1
        elif tag in KEPT and (tag != "a" or attributes):
            self._written.append(f"<{tag}{attributes}>")
            if tag not in EMPTY:
                self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        tag = RENAMED.get(tag, tag)
        if tag in SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in self._open:
            while (last := self._open.pop()) != tag:
                self._written.append(f"</{last}>")
            self._written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._written.append(escape(data))


def _attributes(tag: str, given: dict[str, str | None]) -> str:
    kept = {name: given[name] or "" for name in ATTRIBUTES.get(tag, ()) if name in given}
    if tag == "img":
        kept.setdefault("alt", "")
    address = (given.get(ADDRESSES.get(tag, "")) or "").strip()
    if address.startswith("https://"):
        kept[ADDRESSES[tag]] = address
        if tag == "a":
            kept |= {"target": "_blank", "rel": "noopener noreferrer"}
    return "".join(f' {name}="{escape(text)}"' for name, text in kept.items())
