"""Reports on pairs of premise and hypothesis, after the tables of Nie et al. 2020."""
