"""The slow tests: they begin first, so that none is left alone at the end, and `make check` leaves them out.

A file or folder belongs here from about five seconds of work on: machines of Hypothesis, processes that are killed,
campaigns that are served, browsers, training.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SLOW = (  # the slowest first
    "test_installation.py",
    "campaign/service/test_more_than_one_machine.py",
    "test_benchmarks.py",
    "cli/test_rehearse.py",
    "cli/test_crash_matrix.py",
    "cli/test_launch.py",
    "cli/test_backup.py",
    "cli/test_doctor.py",
    "campaign/backup",
    "kinds/nli/test_rehearsed_rounds.py",
    "e2e/test_stock_mephisto.py",
    "e2e/test_quality.py",
    "deploy/test_stack.py",
    "campaign/preview",
    "attacks",
    "e2e",
    "kinds/quizbowl/neural/test_export.py",
    "kinds/quizbowl/test_guessers.py",
    "kinds/quizbowl/test_rehearsal.py",
    "kinds/nli/test_training.py",
    "kinds/nli/test_rounds.py",
    "kinds/nli/test_rehearsal.py",
    "kinds/test_rehearsal.py",
    "mephisto/test_operator.py",
    "validation/test_campaign_machine.py",
    "experiments/test_matrix.py",
    "experiments/test_own_network.py",
    "store/test_leases.py",
    "store/test_machines_apart.py",
    "mephisto/test_mturk_work.py",
    "cli/test_several_operators.py",
    "cli/test_rounds.py",
    "cli/test_task_script.py",
    "dataset/test_random_campaigns.py",
    "campaign/service/test_stages.py",
    "cli/test_one_process_serves.py",
    "store/test_attempts.py",
    "marketplace/test_notifications.py",
    "mephisto/test_mturk_launch.py",
    "writing/test_kill.py",
    "webapp",
    "marketplace/test_portal.py",
    "cli/test_payments.py",
    "campaign/service/test_shared_model_server.py",
    "payments/test_kill.py",
    "payments/test_payer_machine.py",
    "cli/test_judged_by_people.py",
    "mephisto/test_mturk_identity.py",
    "simulation/test_marketplace.py",
    "kinds/nli/cross_encoder/test_train.py",
    "kinds/nli/test_fine_tuning.py",
    "kinds/quizbowl/tournament/test_pages.py",
    "kinds/quizbowl/tournament/test_words.py",
    "kinds/reading_comprehension/bidaf/test_bidaf_train.py",
    "kinds/reading_comprehension/test_fine_tuning.py",
    "kinds/reading_comprehension/test_training.py",
    "cli/test_review_decisions.py",
    "campaign/service/test_adversaries.py",
    "mephisto/test_architect.py",
    "cli/test_rehearsed_rounds.py",
    "cli/test_mephisto_command.py",
    "mephisto/test_resuming.py",
    "cli/test_held.py",
    "campaign/service/test_model_server.py",
    "kinds/nli/cross_encoder/test_exported.py",
    "writing/test_session_machine.py",
    "workforce/test_screening_machine.py",
    "mephisto/test_switchboard.py",
    "marketplace/test_rules.py",
    "payments/test_payer.py",
    "payments/test_unpaid.py",
    "payments/test_ledger.py",
    "test_site.py",
    "test_watchdog.py",
    "simulation/test_validators.py",
    "simulation/test_writers.py",
    "networks/test_openvino.py",
    "review/test_security.py",
    "simulation/test_screening.py",
    "language_models/test_campaign.py",
    "kinds/quizbowl/tournament/test_wire.py",
    "files/test_hostile_files.py",
    "listening/test_attack.py",
    "recruiter/test_server.py",
    "recruiter/test_hostile_input.py",
    "contracts/test_recruiter.py",
    "cli/test_bad_input.py",
    "kinds/quizbowl/tournament/test_simulation.py",
    "language_models/test_transformers_server.py",
    "mephisto/test_shim.py",
    "listening/test_listening.py",
    "campaign/settings/test_changes.py",
    "adversary/test_server.py",
    "language_models/test_kept.py",
    "language_models/test_connection.py",
    "blueprints/test_validation.py",
    "marketplace/test_failures.py",
    "adversary/test_served.py",
    "databases/test_database.py",
)
PLACES = {TESTS / name: place for place, name in enumerate(SLOW)}


def place_of(path: Path) -> int | None:
    """Return the place in `SLOW` of a file of tests, or of the folder that it lies in; None for a fast one."""
    return next((PLACES[part] for part in (path, *path.parents) if part in PLACES), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if place_of(item.path) is not None:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: len(SLOW) if (place := place_of(item.path)) is None else place)
