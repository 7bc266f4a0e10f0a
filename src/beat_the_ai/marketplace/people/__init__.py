"""People of one's own: workers with a name, whom the requester invites, imports from lists and puts into groups."""
