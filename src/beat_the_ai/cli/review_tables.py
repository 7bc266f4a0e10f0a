"""What `review` shows to people. Everything that workers wrote is escaped: it is hostile text."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from beat_the_ai.payments.cap import show
from beat_the_ai.workforce import Agreement, Assessment, Consequences, Difference, Evidence, SampledHit


def people_table(campaign_id: str, people: list[Assessment]) -> Table:
    """One line for each worker."""
    table = Table(
        title=f"Workers of {escape(campaign_id)}",
        caption="accuracy with its 95% Wilson interval; “revoke?”: it was below 80% at some point",
    )
    for name in ("worker", "standing", "HITs", "sampled", "reviewed", "accuracy", ""):
        table.add_column(name)
    for one in people:
        rate = "" if one.accuracy is None else f"{one.accuracy:.0%} ({one.low:.0%} to {one.high:.0%})"
        advice = "revoke?" if one.recommended else ""
        standing = one.standing.value if one.standing is not None else ""
        counts = (str(one.completed), str(one.sampled), str(one.reviewed))
        table.add_row(escape(one.worker), standing, *counts, rate, advice)
    return table


def consequences_text(effect: Consequences) -> str:
    """What a revocation would do, in a sentence."""
    return (
        f"Revoking {escape(effect.worker)} would discard {effect.hits} HITs with {effect.attempts} attempts, "
        f"{effect.wins} of which beat the AI. {show(effect.paid_cents)} is paid and stays paid; "
        f"{show(effect.owed_cents)} is still owed and will be paid."
    )


def hits_table(hits: list[SampledHit], evidence: dict[str, list[Evidence]]) -> Table:
    """One line for each sampled HIT, with all that was asked."""
    table = Table(title="Sampled HITs", show_lines=True)
    for name in ("assignment", "worker", "questions (+ beat the AI)", "evidence", "verdicts"):
        table.add_column(name, overflow="fold")
    for one in hits:
        asked = [
            f"{'+' if made.fooled else '-'} {_text(made.work)}{' (taken back)' if made.retracted else ''}"
            for made in one.attempts
        ]
        signs = [f"{item.kind}: {item.detail}" for item in evidence[one.assignment.id]]
        verdicts = [f"you: {one.mine.verdict} {one.mine.reason}"] if one.mine else []
        verdicts += [f"{other.reviewer}: {other.verdict} {other.reason}" for other in one.others]
        cells = (one.assignment.id, one.assignment.worker, "\n".join(asked), "\n".join(signs), "\n".join(verdicts))
        table.add_row(*map(escape, cells))
    return table


def _text(work: object) -> str:
    """The question and the answer of reading comprehension; of other kinds the values as they are."""
    if not isinstance(work, dict):
        return str(work)
    values = [value["text"] if isinstance(value, dict) and "text" in value else value for value in work.values()]
    return " → ".join(map(str, values))


def agreement_text(agreement: Agreement) -> str:
    """How far reviewers agree where two or more judged the same HIT."""
    if agreement.percent is None:
        return "No HIT has been judged by two reviewers yet."
    alpha = "not defined" if agreement.alpha is None else f"{agreement.alpha:.2f}"
    pairs = [f"{one} and {two}: {kappa:.2f}" for (one, two), kappa in agreement.kappa.items() if kappa is not None]
    told = f"{agreement.units} HITs judged twice: {agreement.percent:.0f}% agreement, Krippendorff's alpha {alpha}"
    return f"{told}{'; Cohen’s kappa ' + escape(', '.join(pairs)) if pairs else ''}."


def differences_table(found: list[Difference]) -> Table:
    """Where the marketplace and the store disagreed."""
    table = Table(title="Differences from the marketplace")
    for name in ("worker", "difference", "mended", "note"):
        table.add_column(name)
    for one in found:
        table.add_row(escape(one.worker), one.kind, "yes" if one.mended else "no", escape(one.note or ""))
    return table
