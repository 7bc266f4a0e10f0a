"""Backups: all that a campaign needs to go on elsewhere, in one private file, and campaigns out of such files."""
