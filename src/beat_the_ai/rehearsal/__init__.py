"""A campaign with simulated people from its first newcomer to the last payment, in real processes."""
