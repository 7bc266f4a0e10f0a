"""Data files that requesters replace (quizzes, requirement sets): YAML, or JSON, which is YAML as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.errors import InvalidInput, UnknownName, first_fault
from beat_the_ai.files.yaml_files import load_yaml

ModelT = TypeVar("ModelT", bound=BaseModel)


def find_data_file(given: str, folder: Path, what: str) -> Path:
    """A file by its name in `folder` (without .yaml), or by its path. Raises `UnknownName` that lists the names."""
    for path in (folder / f"{given}.yaml", Path(given)):
        if path.is_file():
            return path
    raise UnknownName(what, given, [path.stem for path in folder.glob("*.yaml")])


def read_data_file(path: Path, model: type[ModelT], what: str) -> ModelT:
    """The content of a file. Raises `InvalidInput` that names the file, the place in it and what is wrong there."""
    try:
        content = load_yaml(path)
        text = json.dumps(content)  # as JSON, so that lists may become tuples while everything else stays strict
    except (OSError, ValueError, TypeError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise InvalidInput(what, f"The {what} {path} cannot be read: {reason}") from error
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        fault = first_fault(error, "the whole file")
        message = f"The {what} {path} is not as it should be at {fault.place}: {fault.reason}."
        raise InvalidInput(what, message) from None
