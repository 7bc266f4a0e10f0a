"""What reports say of pairs of premise and hypothesis, as the tables of Nie et al. 2020 do."""
