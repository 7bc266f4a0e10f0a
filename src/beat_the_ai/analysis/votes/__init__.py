"""Labels by models of the votes, beside those of the papers' rule."""
