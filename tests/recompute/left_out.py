"""Figures that are not computed again, each with the reason. All others of a report or card must be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

Reasons = Mapping[str, str]

SECTIONS: Reasons = {
    r"The baselines": "It says what each baseline sees, and has no figure.",
    r"Not as in the paper: round \d+": "A preset's words; it is held to the same table of the card.",
    r"Comprehension requirements": "Labels are in the annotators' file, which is in no export (`--annotations`).",
    r"Inference types": "Labels are in the annotators' file, which is in no export (`--annotations`).",
    r"Inference types, finer tags": "Labels are in the annotators' file, which is in no export (`--annotations`).",
    r"Annotated examples": "Labels are in the annotators' file, which is in no export (`--annotations`).",
    r"Labels by models of the votes": "Its models are crowd-kit's; `votes EXPORT` fits them to the same votes again.",
    r"How far the models trust validators": "Its models are crowd-kit's; `votes EXPORT` fits them again.",
    r"Phenomena": "Labels are in the annotators' file, which is in no export (`--annotations`).",
}
"""Sections of a report, by patterns of their whole titles."""

TABLES: Reasons = {
    r"Fields: field": "Meanings of columns.",
    r"Settings: setting": "Settings, as the requester chose them.",
    r"Not as in the paper: round \d+: what": "A preset's words, which only the campaign's record has.",
}
"""Tables of a card, by patterns of section and first column."""

FACTS: Reasons = {
    "task": "The name of the kind, by which all else is computed.",
    "seed": "It is drawn by nothing.",
    "beaten means": "Terms.",
    "asked for": "Terms.",
    "reward": "Terms.",
    "votes asked for": "Terms.",
    "parts": "Terms.",
    "test part only": "Terms.",
    "crowd": "Terms.",
}
"""Facts about a collection in a card, by their names."""

ROWS: Reasons = {
    "charged by language models, at most": "No file has what a model charged; costs that follow are computed with it.",
}
"""Rows of tables, by their first cells: the other cells are taken as they are said."""

STATUS: Reasons = {
    "campaign": "A name.",
    "screening_of": "A name.",
    "simulated": "A fact about the campaign.",
    "closed_at": "A time at which the requester acted.",
    "paused_at": "A time at which the requester acted.",
    "round": "The current one may have no work yet.",
    "hits": "An export has no HIT that nobody took.",
    r"checked\.waiting": "What waits for votes depends on terms and on who is at work.",
    r"review\.sampled": "The draw of the sample is no figure.",
    r"review\.candidates": "Newcomers who wait are in no export.",
    r"letters(\..+)?": "Letters are in no export.",
    "unit": "Terms.",
    r"money(\..+)?": "States of payments are the ledger's; what is paid and owed in all is in the totals.",
    r"waiting(\..+)?": "The report's table of work that waits has it.",
    r"forms(\..+)?": "Answers to forms are in no export.",
    "arms": "There are none.",
    "operators_gone": "State of machines.",
    r"crowd(\..+)?": "State of the crowd.",
    "away": "State of the crowd.",
    "served": "State of machines.",
    "personal_data": "Terms.",
    r"transcript(\..+)?": "`verify` recomputes it.",
    r"totals\.campaign": "A name.",
    r"totals\.attempts": "Attempts of sample HITs, which are among them, are in no export.",
    r"totals\.unit": "Terms.",
    r"totals\.owed_cents": "How much of what was earned is paid yet is the ledger's.",
    r"totals\.models_cents": "No file has what a model charged.",
    r"totals\.cap_cents": "Terms.",
    "forecast": "There is none.",
}
"""Figures of `status --json`, by patterns of their whole dotted names."""

PHRASES: Sequence[str] = (
    r"\bat 95%",
    r"95% (Wilson |bootstrap )?(intervals?|ones)",
    r"\((Hesterberg 2015|MacKinnon, Nielsen and Webb 2023|Woodruff 1952)\)",
    r"alpha: 1 is perfect, 0 is chance",
    r"pieces below 0\.4% are left out",
    r"3 of each round at most",
    r"[Aa]t most 1[02]\b",
    r"at most 50 are listed",
    r"above 0 where people do better",
    r"Abilities have mean 0 and standard deviation 1",
    r"less than 0\.5 of the median",
    r"a probability of (5|7)0%",
    r"the 50 most frequent answers",
    r"above 5 points",
    r"overlap F1\b",
    r"all after the first 100",
    r"No intervals: 2 \w+ are the fewest",
    r"shows the first 40",
)
"""Numbers in texts that are rules of the report, the same for every campaign."""

OF_PAPERS = re.compile(r"(?:^|(?<=[.:;] ))[^.]*\bpaper\b.*", re.DOTALL)  # such sentences are the last ones of a text


def reason(title: str, reasons: Reasons) -> str | None:
    """Return why something is left out, if it is."""
    return next((why for pattern, why in reasons.items() if re.fullmatch(pattern, title)), None)


def unexplained_numbers(title: str, text: str, sentences: Sequence[str]) -> Iterator[str]:
    """Yield the numbers in a text that no sentence has which was computed again. Names in the title have some, too."""
    for sentence in sorted(sentences, key=len, reverse=True):
        text = text.replace(sentence, "…")
    for name in re.findall(r"\S+ \(\w{8}, \w+\)|round \d+", title):
        text = text.replace(name, "…")
    for phrase in PHRASES:
        text = re.sub(phrase, "…", text)
    yield from re.findall(r"[\w.,%$-]*\d[\w.,%]*", OF_PAPERS.sub("", text))
