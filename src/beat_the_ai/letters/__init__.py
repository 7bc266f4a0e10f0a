"""A worker's page about the campaign: results so far, reviewed HITs, and letters to the requester.

The page has an address of its own for each worker, which the worker's HITs show: a worker who is let in no more has
no HIT, and may still write.
"""

from beat_the_ai.letters.address import address_of, token_of, worker_of
from beat_the_ai.letters.app import build_app
from beat_the_ai.letters.board import Board, Records
from beat_the_ai.letters.box import Letterbox
from beat_the_ai.letters.server import serve

__all__ = ["Board", "Letterbox", "Records", "address_of", "build_app", "serve", "token_of", "worker_of"]
