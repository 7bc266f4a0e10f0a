"""The papers' tables done again: what each needs and costs, and our figures beside the published ones."""
