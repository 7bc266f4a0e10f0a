"""The standing of workers, the quality of their work, and the work that is kept (Bartolo et al. 2020, §3.3).

What a web page or a blueprint builds on, all keyed on the crowd's own worker id and on assignments of the store:

- `Workforce(campaign, gate=None, needs_qualification=False)`: standing. A blueprint asks `may_work(worker,
  stage)` in `choose_units` for every stage, and calls `enter_screening(worker, registration)` in `open_unit` of the
  screening (a repeat raises `Refused`). A page calls `qualify`, `revoke`, `block`, `reinstate` (worker, by, reason) and
  shows `standing`, `history`, `candidates`. `gate` is the crowd's side (`MTurkGate`); without one standing is local.
  `requests()` are those of workers who ask the crowd to be let in: `qualify` accepts, `turn_down` rejects.
  `reconcile(mend=True)` compares with the crowd and gives `Difference`s.
- `screening`: the quiz, its grading and the screenings of newcomers; who passes one becomes a candidate.
  `requirements`: what a marketplace is to ask of workers before they see a HIT.
- `Reviewing(campaign)`: `draw()` after every batch; `queue(reviewer)` gives `SampledHit`s, blind to other
  reviewers' verdicts; `accept`, `reject`, `undo` (assignment, reviewer, reason); `agreement()`.
- `Probation(store, campaign_id, first_hits, time_limit)`: `check(worker)` refuses whoever has done their first HITs
  until enough of them have been reviewed.
- `assess(campaign, min_reviews=1)`: an `Assessment` per worker, with the accuracy, its Wilson interval and
  whether revocation is recommended; `consequences(campaign, worker)`: what it would discard, what is
  paid. Nothing is revoked by itself: a person calls `Workforce.revoke`.
- `evidence_for(campaign, assignments)`: signs of cheating for reviewers, `{assignment: [Evidence]}`.
- Discards: `store.attempts.kept(campaign)` and `store.standings.discarded(campaign)`; payment stays.
"""

from beat_the_ai.workforce.agreement import Agreement
from beat_the_ai.workforce.assessment import Assessment, Consequences, assess, consequences
from beat_the_ai.workforce.evidence import Evidence, Signs, evidence_for
from beat_the_ai.workforce.gate import Gate, GateRequest, MTurkGate
from beat_the_ai.workforce.probation import Probation
from beat_the_ai.workforce.refusals import refused_newcomers
from beat_the_ai.workforce.reviewing import Reviewing, SampledHit
from beat_the_ai.workforce.sampling import choose, sample_size
from beat_the_ai.workforce.standing import Difference, Standing, Workforce
from beat_the_ai.workforce.verdicts import THRESHOLD

__all__ = [
    "THRESHOLD",
    "Agreement",
    "Assessment",
    "Consequences",
    "Difference",
    "Evidence",
    "Gate",
    "GateRequest",
    "MTurkGate",
    "Probation",
    "Reviewing",
    "SampledHit",
    "Signs",
    "Standing",
    "Workforce",
    "assess",
    "choose",
    "consequences",
    "evidence_for",
    "refused_newcomers",
    "sample_size",
]
