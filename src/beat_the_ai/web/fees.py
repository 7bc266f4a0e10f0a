"""How a marketplace tells its requesters that it charges no fees: a header of its answers."""

HEADER, NONE = "x-fees", "none"
