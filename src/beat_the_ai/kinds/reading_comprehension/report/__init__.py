"""Reports on questions about passages, after the tables and figures of Bartolo et al. 2020."""
