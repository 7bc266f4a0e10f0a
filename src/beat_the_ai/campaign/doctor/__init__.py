"""The doctor: everything that a campaign needs is looked at at once, and each fault is named with its mend."""
