"""Rounds: numbered stages of a campaign, each with its own adversary and contexts."""
