"""A requester's acts on a campaign, for the command line and the console.

Each act is a model of the values that it needs. `estimate` shows what it may cost, and `do` does it once.
"""
