"""What reports say of Quizbowl questions, as the tables and figures of Wallace et al. 2019 do."""
