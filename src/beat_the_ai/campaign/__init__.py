"""A campaign at work, in rooms: its settings, its service, its money, its results, its rounds and its models."""
