"""Sentences of English texts, as reports and artefacts cut them."""

from __future__ import annotations

import re

STOP = re.compile(r"""[.!?]["'”’)\]]*\s+(?=["'“‘(\[]?[A-Z0-9])""")
NO_STOP = re.compile(r"""(?:^|[\s("'“‘])(?:[A-Z]|Mrs?|Ms|Dr|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|vs|ca?|Ph)\.$""")


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Cut after a stop before a capital or a digit, but for that of an initial, an abbreviation, or No. and Op."""
    cuts = [0]
    for match in STOP.finditer(text):
        before = text[cuts[-1] : match.start() + 1]
        is_number = before.endswith(("No.", "Op.")) and text[match.end()].isdigit()
        if not NO_STOP.search(before) and not is_number:
            cuts.append(match.end())
    places = []
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        said = text[start:end]
        places.append((start + len(said) - len(said.lstrip()), start + len(said.rstrip())))
    return places


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_places(text)]
