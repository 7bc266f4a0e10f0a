"""Erasing a person from campaigns: store, frozen rounds, rescorings, Mephisto's files, logs."""
