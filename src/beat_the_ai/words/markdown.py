"""Markdown of requesters as a tree that pages show, without HTML, scripts or pictures of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from beat_the_ai.rules.protocol import View

SAFE_LINKS = ("https://", "http://", "mailto:")
TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "strong": "strong",
    "em": "em",
    "blockquote": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "hr": "hr",
    "hardbreak": "br",
}
VERBATIM = {"code_inline": "code", "code_block": "pre", "fence": "pre"}


class Node(View):
    """An element with its children, or a text (its `tag` is empty). Headings begin at h2, below the form's title."""

    tag: str
    text: str = ""
    href: str | None = None
    children: tuple[Node, ...] = ()


def as_nodes(text: str) -> tuple[Node, ...]:
    """Return Markdown as a tree. HTML in it is text, and a link elsewhere than to the web or a mailbox is its words."""
    return tuple(_nodes([SyntaxTreeNode(_reader().parse(text))]))


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _nodes(found: Sequence[SyntaxTreeNode]) -> Iterator[Node]:
    for one in found:
        if one.type in ("text", "softbreak"):
            yield Node(tag="", text=one.content if one.type == "text" else "\n")
        elif one.type in VERBATIM:
            yield Node(tag=VERBATIM[one.type], children=(Node(tag="", text=one.content),))
        elif one.type == "heading":
            yield Node(tag=f"h{min(6, int(one.tag[1:]) + 1)}", children=tuple(_nodes(one.children)))
        elif one.type == "link" and (href := str(one.attrs.get("href", ""))).lower().startswith(SAFE_LINKS):
            yield Node(tag="a", href=href, children=tuple(_nodes(one.children)))
        elif one.type in TAGS:
            yield Node(tag=TAGS[one.type], children=tuple(_nodes(one.children)))
        else:
            yield from _nodes(one.children)
