"""A study as researchers write it, checked field by field."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from beat_the_ai.recruiter.completion_codes import CompletionCode, check_codes
from beat_the_ai.recruiter.filters import Filter, groups_in, read_filter
from beat_the_ai.recruiter.reading import Given, Id, Line, Positive, Text, Whole

# The document says that there is a greatest value, not which; a day is ours.
MAX_ALLOWED_MINUTES = 24 * 60
WITHOUT_END = -1


def least_allowed_minutes(estimated: float) -> int:
    """Return the least `maximum_allowed_time`: two minutes, twice the estimate, and twice its square root."""
    return math.ceil(2 + 2 * estimated + 2 * math.sqrt(estimated))


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or any(character.isspace() or not character.isprintable() for character in text):
        raise ValueError("this is not an address; write it like https://example.org/task?id={{%PROLIFIC_PID%}}")
    return text


def _filters(given: Any) -> Any:
    return [read_filter(one) for one in given] if isinstance(given, list) else given or []


def _is_limit(value: int) -> int:
    if value != WITHOUT_END and value < 1:
        raise ValueError("1 or more is needed, or -1 for any number")
    return value


Label = Literal[
    "survey",
    "writing_task",
    "annotation",
    "decision_making_task",
    "interview",
    "other",
    "ai_annotation",
    "ai_evaluation",
    "ai_reasoning",
    "ai_fact_checking",
    "ai_safety",
    "ai_data_creation_text",
    "ai_data_creation_audio",
    "ai_data_creation_video",
    "ai_data_creation_images",
    "ai_other",
]
Peripheral = Literal["audio", "camera", "download", "microphone"]
Limit = Annotated[Whole, AfterValidator(_is_limit)]


class SubmissionsConfig(Given):
    """The number of submissions that a participant, and that all of them at once, may have."""

    max_submissions_per_participant: Limit | None = 1
    max_concurrent_submissions: Limit | None = WITHOUT_END
    auto_rejection_categories: list[Literal["EXCEPTIONALLY_FAST"]] = Field(default=[], max_length=0)


class StudyDocument(Given):
    """The document's `CreateStudy`, with its defaults."""

    name: Line
    internal_name: Line | None = None
    description: Text
    external_study_url: Annotated[str, Field(max_length=2000), AfterValidator(_address)]
    prolific_id_option: Literal["question", "url_parameters", "not_required"]
    reward: Positive
    completion_codes: Annotated[
        list[CompletionCode], Field(default=[], max_length=100), AfterValidator(check_codes)
    ]  # a draft may have none yet
    total_available_places: Positive
    estimated_completion_time: Annotated[float, Field(gt=0, le=MAX_ALLOWED_MINUTES)]
    maximum_allowed_time: Positive | None = None
    device_compatibility: list[Literal["desktop", "tablet", "mobile"]] = Field(default=[], max_length=4)
    peripheral_requirements: list[Peripheral] = Field(default=[], max_length=4)
    filters: Annotated[list[Filter], Field(default=[], max_length=100), BeforeValidator(_filters)]
    filter_set_id: None = None
    filter_set_version: int | None = None
    naivety_distribution_rate: Annotated[float, Field(ge=0, le=1)] | None = None
    project: Id | None = None
    submissions_config: SubmissionsConfig = SubmissionsConfig()
    study_labels: list[Label] = Field(default=[], max_length=1)
    content_warnings: list[Literal["sensitive", "explicit"]] = Field(default=[], max_length=4)
    content_warning_details: Annotated[str, Field(max_length=20_000)] = ""
    metadata: Annotated[str, Field(max_length=20_000)] | None = None
    credential_pool_id: None = None
    has_credentials: Literal[False] = False
    data_collection_method: None = None
    data_collection_id: None = None
    data_collection_metadata: None = None
    access_details: None = None
    is_external_study_url_secure: bool = False

    @field_validator("maximum_allowed_time")
    @classmethod
    def _is_enough(cls, minutes: int | None, others: ValidationInfo) -> int | None:
        estimated = others.data.get("estimated_completion_time")
        if minutes is not None and estimated is not None and minutes < (least := least_allowed_minutes(estimated)):
            raise ValueError(f"at least {least} minutes are needed for this estimate")
        return minutes

    @field_validator("completion_codes")
    @classmethod
    def _screens_out_for_less(cls, codes: list[CompletionCode], others: ValidationInfo) -> list[CompletionCode]:
        reward = others.data.get("reward")
        for code in codes:
            if reward is not None and code.screen_out and code.screen_out.fixed_screen_out_reward >= reward:
                raise ValueError("a fixed screen-out reward must be less than the study's")
        return codes

    @property
    def minutes_allowed(self) -> int:
        """Return the minutes that a submission may take."""
        most = max(MAX_ALLOWED_MINUTES, least_allowed_minutes(self.estimated_completion_time))
        return self.maximum_allowed_time or most

    @property
    def groups(self) -> set[str]:
        """Return the ids of all participant groups that the study names."""
        by_codes = {
            one.participant_group
            for code in self.completion_codes
            for one in code.actions
            if hasattr(one, "participant_group")
        }
        return {*by_codes, *groups_in(self.filters)}
