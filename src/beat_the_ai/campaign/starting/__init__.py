"""A campaign before it begins: a draft of it, what it would cost, its rehearsal and forecast, and its launch."""
