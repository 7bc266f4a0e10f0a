"""The network that ships with the project: what it reads, what it is, how it is trained and exported.

`features`, `span` and `reader` answer questions with numpy alone; the other modules need torch and are for training
(`train`, `export`) and for running checkpoints (`checkpoint`).
"""
