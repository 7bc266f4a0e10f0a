"""A browser's reading of a portal page: its links, its forms, the frame, and its error messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """A form: its address, and its initial fields."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)


class Document(HTMLParser):
    """One page, read. `alert` is empty unless the page has one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.frame: str | None = None
        self.alert = ""
        self._alerting: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "form":
            self.forms.append(Form(given.get("action", "")))
        elif tag == "input" and given.get("name") and self.forms:
            self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "iframe":
            self.frame = given.get("src")
        if given.get("role") == "alert":
            self._alerting = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._alerting:
            self._alerting = None

    def handle_data(self, data: str) -> None:
        if self._alerting is not None:
            self.alert += data
