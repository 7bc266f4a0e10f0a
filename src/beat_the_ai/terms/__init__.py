"""The terms of a round: what a HIT asks for and pays, how votes are counted, how the dataset is divided."""
