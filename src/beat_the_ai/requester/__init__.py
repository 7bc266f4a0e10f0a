"""The one client of a crowd's requester API: money, HITs, assignments, and requests for anything else."""

from beat_the_ai.requester.client import REGION, Client, listed
from beat_the_ai.requester.label import Label
from beat_the_ai.requester.requester import BookedBonus, Requester

__all__ = ["REGION", "BookedBonus", "Client", "Label", "Requester", "listed"]
