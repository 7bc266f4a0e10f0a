"""The forms that settings name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings, suite_root
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.forms import Form, read_form

ENDINGS = (".md", ".yaml")


def forms_before(settings: Settings) -> list[Form]:
    """Return the forms that come before the work. Raises `InvalidInput` for a form that is missing or faulty."""
    folder = suite_root(settings.task_dir) / "qualification" / "forms"
    forms = [read_form(_file(name, folder, settings.task_dir)) for name in settings.forms.before]
    _check_distinct(forms)
    return forms


def _file(name: str, folder: Path, task_dir: Path) -> Path:
    """Return a shipped form by its name, or a file, which may lie in the task folder."""
    shipped = [folder / f"{name}{ending}" for ending in ENDINGS]
    for path in (*shipped, task_dir / name, Path(name)):
        if path.is_file():
            return path
    known = sorted(path.stem for path in folder.iterdir() if path.suffix in ENDINGS)
    raise UnknownName("form", name, known)


def _check_distinct(forms: Sequence[Form]) -> None:
    digests = [form.digest for form in forms]
    if len(set(digests)) < len(digests):
        raise InvalidInput("forms.before", "forms.before names a form twice. Each is answered once.")
