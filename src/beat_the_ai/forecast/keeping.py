"""The forecast that is kept in a campaign's folder, to be set beside its outcome."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.forecast.records import Forecast

FORECAST_FILE = "forecast.json"


def keep_forecast(out: Path, forecast: Forecast) -> Path:
    """Write a forecast to the folder of the campaign that it is of. Return the file."""
    path = out / FORECAST_FILE
    out.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(f"{forecast.model_dump_json(indent=1)}\n".encode())
    return path


def kept_forecast(out: Path) -> Forecast | None:
    """Return the forecast in a campaign's folder, if there is one. Raises `InvalidInput` for another file."""
    path = out / FORECAST_FILE
    if not path.is_file():
        return None
    try:
        return Forecast.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise InvalidInput("forecast", f"{path} is no forecast of this version. Remove it, or make it anew.") from error
