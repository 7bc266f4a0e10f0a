"""A stage of a campaign in service: what it offers to whom, until it is done."""
