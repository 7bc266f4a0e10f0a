"""XML from outside, read without what makes XML dangerous: no document type, so no entities that grow or reach out."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

MAX_BYTES = 65_535


class Unreadable(ValueError):
    """Too long, not well-formed, or with a document type."""


def read_document(text: str, max_bytes: int = MAX_BYTES) -> Element:
    """The root element. Raises `Unreadable`."""
    data = text.encode("utf-8", errors="surrogatepass")
    if len(data) > max_bytes:
        raise Unreadable(f"it has {len(data)} bytes, at most {max_bytes} are allowed")
    parser = XMLParser(target=_Builder())  # noqa: S314 - without a document type there are no entities to expand
    try:
        parser.feed(data)
        root: Element = parser.close()
    except ParseError as error:
        raise Unreadable(f"it is not well-formed XML: {error}") from None
    return root


class _Builder(TreeBuilder):
    """Is told of a document type before anything in it is read."""

    def doctype(self, *_: object) -> None:
        raise Unreadable("it has a DOCTYPE, which is not allowed")


def name_of(element: Element) -> str:
    """Its name without the namespace; MTurk's schemas differ by their dates only."""
    return element.tag.rpartition("}")[2]


def child_text(element: Element, name: str) -> str | None:
    """The text of the first child of that name."""
    for child in element:
        if name_of(child) == name:
            return (child.text or "").strip()
    return None


def children(element: Element, name: str) -> list[Element]:
    return [child for child in element if name_of(child) == name]
