"""The interface of a kind of task, the registry that finds kinds, and rules on text that several share."""
