"""The requirements and the quiz that settings name, and who judges newcomers."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings, suite_root
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.data_file import find_data_file
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.requirements import OWN, RequirementSet, load_requirements


def requirement_set(settings: Settings) -> RequirementSet:
    """Return the requirements for workers. Raises `InvalidInput` where they do not fit who judges newcomers."""
    section, folder = settings.qualification, suite_root(settings.task_dir) / "qualification" / "requirements"
    loaded = load_requirements(find_data_file(section.requirements, folder, "requirement set"))
    if section.judged_by == "people" and not loaded.asks_for_own:
        raise InvalidInput(
            "qualification.judged_by",
            f"With qualification.judged_by=people HITs are for those whom a person has qualified, but requirements="
            f"{section.requirements} do not ask for it ({OWN!r}). Choose others, such as qualification=paper or open.",
        )
    return loaded


def quiz_file(settings: Settings) -> Path:
    """Return the file of the screening's quiz."""
    folder = suite_root(settings.task_dir) / "qualification" / "quizzes"
    return find_data_file(settings.qualification.quiz, folder, "quiz")


def judged_by_people(settings: Settings, campaign: BoundCampaign) -> bool:
    """Return whether people judge newcomers, also in a stage with other settings than the campaign's first."""
    return "people" in (settings.qualification.judged_by, campaign.decision_rules.judged_by)
