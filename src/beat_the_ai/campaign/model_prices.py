"""What the language models of a pool charge."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.adversary.language_models.source import LanguageModelSource
from beat_the_ai.adversary.registry import language_model

# Of a try that nobody has made yet: prompt, passage and question. What it takes in the end is counted.
TOKENS_IN_PER_TRY = 4_000


def priced(members: Sequence[str]) -> list[LanguageModelSource]:
    """The language models among these members that cost money."""
    sources = [language_model(spec) for spec in members]
    return [source for source in sources if source is not None and source.has_price]


def microcents_per_try(members: Sequence[str]) -> int:
    """What is set aside for a try, by the dearest of the members."""
    costs = [source.microcents(TOKENS_IN_PER_TRY, source.max_answer_tokens) for source in priced(members)]
    return max(costs, default=0)
