"""The tables and lines of `review`. Everything that workers wrote is escaped: it is hostile text."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rich.table import Column, Table

from beat_the_ai.cli.terminal import shown
from beat_the_ai.review import WorkerDecision
from beat_the_ai.review.decisions import Change
from beat_the_ai.rules.amounts import show
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.figure import Estimate, decimals
from beat_the_ai.store import AuditEntry, Proposal
from beat_the_ai.workforce import Agreement, Assessment, Consequences, Difference, Evidence, SampledHit


def folded(title: str, *columns: str, caption: str | None = None, show_lines: bool = False) -> Table:
    """Return a table whose cells fold: no id or text is cut."""
    return Table(
        *(Column(name, overflow="fold") for name in columns), title=title, caption=caption, show_lines=show_lines
    )


def people_table(campaign_id: str, people: list[Assessment], refused: Collection[str]) -> Table:
    """One line for each worker; `refused` newcomers never were let in."""
    table = Table(
        *("worker", "standing", "HITs", "sampled", "reviewed", "accuracy", ""),
        title=f"Workers of {shown(campaign_id)}",
        caption="accuracy with its 95% Wilson interval; “revoke?”: it was below 80% at some point",
    )
    for one in people:
        rate = "" if one.accuracy is None else f"{one.accuracy:.0%} ({one.low:.0%} to {one.high:.0%})"
        advice = "revoke?" if one.recommended else ""
        standing = one.standing.value if one.standing is not None else ""
        standing = "not let in" if one.worker in refused else standing
        counts = (str(one.completed), str(one.sampled), str(one.reviewed))
        table.add_row(shown(one.worker), standing, *counts, rate, advice)
    return table


def consequences_text(effect: Consequences, unit: str) -> str:
    """Return the effect of a revocation in a sentence."""
    return (
        f"Revoking {shown(effect.worker)} would discard {effect.hits} HITs with {effect.attempts} attempts, "
        f"{effect.wins} of which beat the AI. {show(effect.paid_cents, unit)} is paid and stays paid; "
        f"{show(effect.owed_cents, unit)} is still owed and will be paid."
    )


def hits_table(hits: list[SampledHit], evidence: dict[str, list[Evidence]]) -> Table:
    """One line for each sampled HIT, with all that was asked."""
    names = ("assignment", "worker", "work (+ beat the AI)", "evidence", "verdicts")
    table = folded("Sampled HITs", *names, show_lines=True)
    for one in hits:
        asked = [
            f"{'+' if made.fooled else '-'} {_text(made.work)}{' (taken back)' if made.retracted else ''}"
            for made in one.attempts
        ]
        signs = [f"{item.kind}: {item.detail}" for item in evidence[one.assignment.id]]
        verdicts = [f"you: {one.mine.verdict} {one.mine.reason}"] if one.mine else []
        verdicts += [f"{other.reviewer}: {other.verdict} {other.reason}" for other in one.others]
        cells = (one.assignment.id, one.assignment.worker, "\n".join(asked), "\n".join(signs), "\n".join(verdicts))
        table.add_row(*map(_lines, cells))
    return table


def _text(work: object) -> str:
    """The question and the answer of reading comprehension; of other kinds the values as they are."""
    if not isinstance(work, dict):
        return str(work)
    values = [value["text"] if isinstance(value, dict) and "text" in value else value for value in work.values()]
    return " → ".join(map(str, values))


def agreement_text(agreement: Agreement) -> str:
    """Return the agreement of reviewers where two or more judged the same HIT."""
    if agreement.percent is None:
        return "No HIT has been judged by two reviewers yet."
    alpha = "not defined" if agreement.alpha is None else _coefficient(agreement.alpha)
    pairs = [f"{one} and {two}: {_coefficient(of)}" for (one, two), of in agreement.kappa.items() if of is not None]
    told = f"{agreement.units} HITs judged twice: {agreement.percent:.0f}% agreement, Krippendorff's alpha {alpha}"
    return f"{told}{'; Cohen’s kappa ' + shown(', '.join(pairs)) if pairs else ''}."


def _coefficient(of: Estimate) -> str:
    """Return a coefficient with its 95% interval."""
    return of.text(decimals(2))


def differences_table(found: list[Difference]) -> Table:
    """Return the table of differences between the marketplace and the store."""
    table = Table("worker", "difference", "mended", "note", title="Differences from the marketplace")
    for one in found:
        table.add_row(shown(one.worker), one.kind, "yes" if one.mended else "no", shown(one.note or ""))
    return table


def proposal_text(waiting: Proposal) -> str:
    """A revocation that waits, in a sentence."""
    return shown(
        f"{waiting.by} has proposed to revoke {waiting.worker} ({waiting.at:%Y-%m-%d}): {waiting.reason}. "
        "It waits for a second lead: `review confirm` or `review withdraw`."
    )


def outcome_text(decided: WorkerDecision, change: Change, campaign: str) -> str:
    """Return the outcome of a decision in a sentence, for a terminal without markup."""
    worker = printable(decided.worker, max_chars=255)
    if decided.event is not None:
        return f"{worker} is not let in." if change == "refuse" else f"{worker} is {decided.event.standing}."
    if decided.proposal is None:
        return f"The request of {worker} was turned down."
    if decided.proposal.outcome is None:
        return (
            f"Nothing has changed yet: the reviews do not recommend to revoke {worker}, so a second lead has to "
            f"confirm it: beat-the-ai review confirm {campaign} {worker}"
        )
    return f"The proposal to revoke {worker} was withdrawn."


def newcomers_table(found: list[dict[str, Any]]) -> Table:
    """One line for each newcomer, with all answers and what the grader said of them."""
    names = ("worker", "standing", "screening", "answers", "sample HIT (+ beat the AI)")
    table = folded("Newcomers", *names, show_lines=True)
    for newcomer in found:
        standing = newcomer["standing"]["standing"] if newcomer["standing"] else ""
        screening = newcomer["screening"] or {"outcome": "", "steps": [], "attempts": []}
        answers = [
            f"{step['step']}: {_text(step['work'])} ({step['mistake'] or 'right'})" for step in screening["steps"]
        ]
        asked = [f"{'+' if attempt['fooled'] else '-'} {_text(attempt['work'])}" for attempt in screening["attempts"]]
        waits = f"{standing or 'none'}{', waits' if newcomer['decidable'] else ''}"
        outcome = screening["outcome"] or "not handed in"
        table.add_row(*map(_lines, (newcomer["worker"], waits, outcome, "\n".join(answers), "\n".join(asked))))
    return table


def requests_table(found: list[dict[str, Any]]) -> Table:
    """Return the table of workers who ask for the qualification on the marketplace."""
    table = Table("worker", "asked", "standing", "screening", title="Requests for the qualification")
    for one in found:
        screening = "handed in" if one["screened"] else "none"
        table.add_row(*map(shown, (one["worker"], one["at"][:16], one["standing"] or "none", screening)))
    return table


def log_line(entry: AuditEntry) -> str:
    """An entry of the log, for a terminal without markup."""
    who = f"{entry.who} (command line, {entry.machine_user})" if entry.machine_user else entry.who
    told = f"{entry.id}  {entry.at:%Y-%m-%d %H:%M:%S}  {who}  {entry.action}  {entry.subject}  {entry.note}"
    return printable(told, max_chars=4000) or ""


def _lines(text: str) -> str:
    return "\n".join(shown(line) for line in text.split("\n"))
