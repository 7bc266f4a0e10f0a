"""The label names of other datasets: by name or first letter in any case, and also by number."""

from __future__ import annotations

from typing import Literal

from beat_the_ai.kinds.nli.labels import LABELS, Label

NON_ENTAILMENT: Literal["non-entailment"] = "non-entailment"  # of HANS and RTE: neutral or contradiction
GoldLabel = Label | Literal["non-entailment"]
ALLOWED = ", ".join(f"{label} ({label[0]})" for label in LABELS)
_ALIASES: dict[str, Label] = {
    "contradictory": "contradiction",  # of Dynabench, and of translations of MultiNLI
    "entailed": "entailment",  # of Dynabench
    "supports": "entailment",  # of FEVER-NLI
    "not enough info": "neutral",
    "refutes": "contradiction",
}
_TWO_WAY = (NON_ENTAILMENT, "not_entailment")


def label_named(name: str) -> Label | None:
    """Return the label of that name or first letter; None for anything else."""
    folded = name.strip().casefold()
    folded = _ALIASES.get(folded, folded)
    return next((label for label in LABELS if folded in (label, label[0])), None)


def gold_label_named(name: object) -> GoldLabel | None:
    """Return the label of that name, or of the two that Dynabench lists for HANS; None for anything else."""
    if isinstance(name, list) and {label_named(str(each)) for each in name} == {"neutral", "contradiction"}:
        return NON_ENTAILMENT
    if not isinstance(name, str):
        return None
    return NON_ENTAILMENT if name.strip().casefold() in _TWO_WAY else label_named(name)
