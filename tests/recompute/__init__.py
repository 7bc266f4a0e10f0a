"""Every figure of a campaign's report, data card and status, computed again from the exported files alone.

What other commands leave in a campaign's folder counts as a file, too: `rescored/`, `artefacts.json`, `forecast.json`
and `rounds/`. `left_out` names what is not computed again, each with the reason; whatever else is said is a difference.

Nothing here imports the project: pandas, scipy and scikit-learn read the files as any reader would. `__main__` is the
command.
"""
