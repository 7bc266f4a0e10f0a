"""Forecasts of campaigns: what a pilot was, what a round is planned to be, and the forecast kept in a folder."""
