"""Contexts: read from documents, cut into passages, chosen for questions, and drawn for rounds."""
