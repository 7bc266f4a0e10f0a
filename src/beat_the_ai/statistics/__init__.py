"""Figures with their intervals, and how far people agree. Knows nothing of campaigns."""
