"""The money of a campaign: what it may cost, what it owes, and what waits for a person."""
