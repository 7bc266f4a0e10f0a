"""The forms that settings name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings, names_file, suite_root
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
    """Return the file of a form: a shipped form by its name, or a file, which may lie in the task folder."""
    shipped = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in ENDINGS}
    if names_file(name):
        path = task_dir / name
        if not path.is_file():
            raise InvalidInput(
                "forms.before",
                f"forms.before: there is no file {path}. Name a file that is there, or a shipped form: "
                f"{', '.join(shipped)}.",
            )
        return path
    if name not in shipped:
        raise UnknownName("form", name, shipped)
    for local in (place / f"{name}{ending}" for place in (Path.cwd(), task_dir) for ending in ENDINGS):
        if local.is_file() and not local.samefile(shipped[name]):
            raise InvalidInput(
                "forms.before",
                f"forms.before names {name}, which is the shipped form, and there is a file {local}, too. Name "
                f"{local.name} to ask yours, or {shipped[name]} to ask the shipped form.",
            )
    return shipped[name]


def _check_distinct(forms: Sequence[Form]) -> None:
    digests = [form.digest for form in forms]
    if len(set(digests)) < len(digests):
        raise InvalidInput("forms.before", "forms.before names a form twice. Each is answered once.")
