"""The stages of a campaign: what each offers as HITs, to whom, and when it is done.

Every stage is a Mephisto run of its own, with an operator, a router and a Mephisto database; all share one store.
"""
