"""Forecasts of a campaign from a pilot or a rehearsal: sizes, cost, time and pay, with 90% intervals.

Pure functions of records: `forecasting.forecast` takes a `pilot.Pilot` and a `plan.Plan`. `campaign/forecasts` reads
both from campaigns and settings; `outcome` sets a forecast beside what came of it.
"""
