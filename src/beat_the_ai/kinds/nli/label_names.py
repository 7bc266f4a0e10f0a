"""The label names of other datasets: by name or first letter in any case, and also by number."""

from __future__ import annotations

from beat_the_ai.kinds.nli.labels import LABELS, Label

ALLOWED = ", ".join(f"{label} ({label[0]})" for label in LABELS)


def label_named(name: str) -> Label | None:
    """Return the label of that name or first letter; None for anything else."""
    folded = name.strip().casefold()
    if folded == "contradictory":  # as translations of MultiNLI have it
        folded = "contradiction"
    return next((label for label in LABELS if folded in (label, label[0])), None)
