"""This process: signals, the death of its parent, memory, garbage collection, and imports by name."""
