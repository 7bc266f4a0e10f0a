"""The network that ships for natural language inference: what it reads, what it is, how it is trained and exported.

`features` and `classifier` label pairs with numpy alone; the other modules need torch and are for training (`train`,
`export`).
"""
