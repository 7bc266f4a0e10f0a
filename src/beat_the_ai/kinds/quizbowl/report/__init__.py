"""Reports on Quizbowl questions, after the tables and figures of Wallace et al. 2019."""
