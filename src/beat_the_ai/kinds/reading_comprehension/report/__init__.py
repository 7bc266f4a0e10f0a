"""What reports say of questions about passages, as the tables and figures of Bartolo et al. 2020 do."""
