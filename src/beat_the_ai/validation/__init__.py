"""Validation: other people check what was written, and their votes decide what goes into the dataset."""

from beat_the_ai.validation.adjudicated import AdjudicatedWorks, at_one_moment
from beat_the_ai.validation.counting import CheckingByRound, counting_rules
from beat_the_ai.validation.desk import ItemState, ValidationDesk, ValidationState
from beat_the_ai.validation.draw import draw_gold, draw_works
from beat_the_ai.validation.figures import vote_figures
from beat_the_ai.validation.page import page_material, page_validation
from beat_the_ai.validation.results import are_divided, results
from beat_the_ai.validation.validators import ValidatorRecord, validators

__all__ = [
    "AdjudicatedWorks",
    "CheckingByRound",
    "ItemState",
    "ValidationDesk",
    "ValidationState",
    "ValidatorRecord",
    "are_divided",
    "at_one_moment",
    "counting_rules",
    "draw_gold",
    "draw_works",
    "page_material",
    "page_validation",
    "results",
    "validators",
    "vote_figures",
]
