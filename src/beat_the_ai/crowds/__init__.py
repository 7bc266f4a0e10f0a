"""Crowds: where workers come from. Each is a module of its own here, and no other package knows it by name."""

from beat_the_ai.crowds.crowd import Crowd
from beat_the_ai.crowds.registry import CROWDS, NAMES, crowd_of, recruiters_of

__all__ = ["CROWDS", "NAMES", "Crowd", "crowd_of", "recruiters_of"]
