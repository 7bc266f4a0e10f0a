"""The rounds of a campaign: opened, kept as files, and the choice of the next adversary."""
