"""The header in which a marketplace tells its requesters that it charges no fees."""

HEADER, NONE = "x-fees", "none"
