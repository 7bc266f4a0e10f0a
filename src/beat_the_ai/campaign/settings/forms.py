"""The forms that settings name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from beat_the_ai.campaign.settings.configuration import Settings, names_file, suite_root
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.forms import Form, read_form

ENDINGS = (".md", ".yaml")


class CampaignForms(NamedTuple):
    """The forms of a campaign: those before the work, and those after the HITs."""

    before: Sequence[Form]
    after: Sequence[Form]


def campaign_forms(settings: Settings) -> CampaignForms:
    """Return the forms of a campaign. Raises `InvalidInput` for one that is missing, faulty or in the wrong place."""
    forms = CampaignForms(
        _read("forms.before", settings.forms.before, settings), _read("forms.after", settings.forms.after, settings)
    )
    _check_distinct([*forms.before, *forms.after])
    for form in forms.before:
        if form.also_when_declined:
            raise InvalidInput("forms.before", f"{form.title!r} is `also_when_declined`. Name it in forms.after.")
    for form in forms.after:
        if form.kind == "consent" or form.refuses:
            raise InvalidInput(
                "forms.after",
                f"{form.title!r} cannot come after the work: it could refuse what is done. Name surveys without "
                "`refuses` and notices in forms.after, and this form in forms.before.",
            )
    return forms


def _read(setting: str, names: Sequence[str], settings: Settings) -> list[Form]:
    folder = suite_root(settings.task_dir) / "qualification" / "forms"
    return [read_form(_file(setting, name, folder, settings.task_dir)) for name in names]


def _file(setting: str, name: str, folder: Path, task_dir: Path) -> Path:
    """Return the file of a form: a shipped form by its name, or a file, which may lie in the task folder."""
    shipped = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in ENDINGS}
    if names_file(name):
        path = task_dir / name
        if not path.is_file():
            raise InvalidInput(
                setting,
                f"{setting}: there is no file {path}. Name a file that is there, or a shipped form: "
                f"{', '.join(shipped)}.",
            )
        return path
    if name not in shipped:
        raise UnknownName("form", name, shipped)
    for local in (place / f"{name}{ending}" for place in (Path.cwd(), task_dir) for ending in ENDINGS):
        if local.is_file() and not local.samefile(shipped[name]):
            raise InvalidInput(
                setting,
                f"{setting} names {name}, which is the shipped form, and there is a file {local}, too. Name "
                f"{local.name} to ask yours, or {shipped[name]} to ask the shipped form.",
            )
    return shipped[name]


def _check_distinct(forms: Sequence[Form]) -> None:
    digests = [form.digest for form in forms]
    if len(set(digests)) < len(digests):
        raise InvalidInput(
            "forms", "This campaign names a form twice in forms.before and forms.after. Each is answered once."
        )
