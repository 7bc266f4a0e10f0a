"""The kinds of task that ship, each in a folder of its own. The engine reaches them through `rules.registry` alone."""
