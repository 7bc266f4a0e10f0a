"""The settings of a campaign: read, checked, and compared with those that it has."""
