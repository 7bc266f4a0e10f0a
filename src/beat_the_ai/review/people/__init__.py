"""The people of the campaign's crowd, as leads manage them on the reviewers' page."""

from beat_the_ai.review.people.api import PeopleApi
from beat_the_ai.review.people.desk import PeopleDesk

__all__ = ["PeopleApi", "PeopleDesk"]
