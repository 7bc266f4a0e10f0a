from __future__ import annotations

import re
from pathlib import Path

from beat_the_ai.marketplace.api.operations import OPERATIONS
from beat_the_ai.marketplace.api.service_model import operation_names

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "reference" / "marketplace-fidelity.md"
LACKING = {"GetFileUploadURL", "ListReviewPolicyResultsForHIT"}


def test_every_rule_of_the_fidelity_table_names_a_test_that_exists() -> None:
    named = re.findall(r"`(test_\w+\.py)::(\w+)` \|$", TABLE.read_text("utf-8"), re.MULTILINE)
    assert len(named) > 30
    for file, test in named:
        assert re.search(rf"^(def|class) {test}\b", (Path(__file__).parent / file).read_text("utf-8"), re.MULTILINE), (
            test
        )


def test_all_operations_of_the_model_are_there_but_those_left_out() -> None:
    assert operation_names() - OPERATIONS.keys() == LACKING
