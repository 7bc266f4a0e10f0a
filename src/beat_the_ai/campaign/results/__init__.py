"""The results of a campaign: outcomes, dataset, report and progress."""
