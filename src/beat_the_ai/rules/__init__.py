"""What a kind of task is, how one is found, and rules on text that several share."""
