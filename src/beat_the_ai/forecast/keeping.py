"""The forecast that is kept in a campaign's folder, to be set beside its outcome."""

from __future__ import annotations

from pydantic import TypeAdapter

from beat_the_ai.files.kept import KeptFile
from beat_the_ai.forecast.records import Forecast

KEPT_FORECAST = KeptFile("forecast.json", TypeAdapter(Forecast), "forecast", "Remove it, or make it anew.")
