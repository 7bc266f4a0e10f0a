"""Adversarial natural language inference in rounds (Nie et al. 2020, HAMLET): hypotheses that a model mistakes."""
