"""Artefacts of a dataset: whatever tells its answers to a model that does not understand them."""
