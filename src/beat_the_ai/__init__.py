"""Collect datasets with humans and models in the loop."""
