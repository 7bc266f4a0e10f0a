"""Reading comprehension as in "Beat the AI" (Bartolo et al. 2020): questions about passages, answered by spans."""
