"""The requester's console: its JSON API and its process, with the reviewers' page of each campaign beside it."""

from beat_the_ai.console.app import Pages, Site
from beat_the_ai.console.campaigns import Watched, by_key
from beat_the_ai.console.metrics import TOKEN_VARIABLE, check_token
from beat_the_ai.console.server import serve

__all__ = ["TOKEN_VARIABLE", "Pages", "Site", "Watched", "by_key", "check_token", "serve"]
