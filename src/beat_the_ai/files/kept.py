"""JSON files that a folder keeps for later commands: written as a whole, and read as what they are or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.atomic_write import replacing

ContentT = TypeVar("ContentT")


@dataclass(frozen=True)
class KeptFile(Generic[ContentT]):
    """A file of a folder. `what` names its content, and `remedy` says what to do with another file of that name."""

    name: str
    content: TypeAdapter[ContentT]
    what: str
    remedy: str

    def write(self, folder: Path, content: ContentT) -> Path:
        """Write the content, and return the file. The folder is made if it is not there."""
        path = folder / self.name
        with replacing(path) as file:
            file.write(self.content.dump_json(content, indent=1) + b"\n")
        return path

    def read(self, folder: Path) -> ContentT | None:
        """Return the content, if the file is there. Raises `InvalidInput` for another file."""
        path = folder / self.name
        if not path.is_file():
            return None
        try:
            return self.content.validate_json(path.read_bytes())
        except ValidationError as error:
            fault = first_fault(error, "the whole file")
            reason = f"{path} has no {self.what} of this version ({fault.place}: {fault.reason})."
            raise InvalidInput(self.name, f"{reason} {self.remedy}") from error
