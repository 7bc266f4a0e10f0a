"""Reading a task folder: its configuration (Hydra groups, overridden from the command line) and its `run.py`.

The configuration is read once, here, and checked as a whole; everything else takes plain values from `Settings`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any
from urllib.parse import unquote

from hydra import compose
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException
from pydantic import Field, ValidationError, ValidationInfo, field_validator

from beat_the_ai.adversary.registry import check_serves, member_name
from beat_the_ai.campaign.settings.campaign_file import preset_overrides
from beat_the_ai.campaign.settings.override_errors import refusal
from beat_the_ai.campaign.settings.overrides import merged, quoted, readable
from beat_the_ai.campaign.settings.presets import GROUP, check_task, composing, named_preset, overrides_of, preset_name
from beat_the_ai.crowds import NAMES
from beat_the_ai.errors import InvalidInput, UnknownName, first_fault
from beat_the_ai.files.yaml_files import check_yaml
from beat_the_ai.listening import THIS_MACHINE
from beat_the_ai.mephisto import shim  # noqa: F401  # Hydra imports Mephisto, which has plugins for it
from beat_the_ai.process.importing import absolute
from beat_the_ai.rules.amounts import NO_MONEY
from beat_the_ai.rules.kind import Kind
from beat_the_ai.terms.alerts import AlertTerms
from beat_the_ai.terms.config_group import ConfigGroup
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.keeping import KeepingTerms
from beat_the_ai.terms.model_prices import check_cap, prices_of
from beat_the_ai.terms.preset import PresetSettings
from beat_the_ai.terms.release import ReleaseTerms
from beat_the_ai.terms.reviewing import ReviewTerms
from beat_the_ai.terms.round import (
    AdversarySettings,
    DatasetSettings,
    LanguageSettings,
    PaySettings,
    QualificationSettings,
    RoundSettings,
    RoundTerms,
    TaskSettings,
    ValidationSettings,
)
from beat_the_ai.words.languages import languages_in

Source = Annotated[str, Field(pattern=r"^[^\s;,]+$")]  # in a policy or a list that spaces part

WANTED = {  # in the place of what pydantic says
    "Input should be a valid integer, unable to parse string as an integer": "A whole number is needed, as in KEY=10",
    "Input should be a valid number, unable to parse string as a number": "A number is needed, as in KEY=0.5",
    "Input should be a valid boolean, unable to interpret input": "KEY=true or KEY=false is needed",
    "Input should be a valid tuple": "A list is needed, as in KEY=[one,other]",
    "Input should be a valid dictionary": "Pairs are needed, as in 'KEY={2: 25}'",
    "Extra inputs are not permitted": "There is no such setting",
}


class CrowdSettings(ConfigGroup, CrowdTerms):
    """Everything but the names is for crowds that speak the Mechanical Turk protocol.

    `charges_fees` and `requirements` are what the configuration takes for `pay.fees`, and for
    `qualification.requirements` without a screening.
    """

    provider: str
    requester: str
    page_url: str | None = None
    auto_approval_seconds: int = Field(default=2_592_000, ge=0, le=2_592_000)
    lifetime_seconds: int = Field(default=2_592_000, ge=30, le=31_536_000)
    frame_height: int = Field(default=800, ge=1)
    check_seconds: float = Field(default=60, gt=0)
    charges_fees: bool = True
    requirements: str = "experienced"

    @field_validator("people")
    @classmethod
    def _from_anywhere(cls, people: str | None) -> str | None:
        """Campaigns are continued from other folders."""
        return people if people is None or "://" in people else str(Path(people).resolve())


class StoreSettings(ConfigGroup):
    url: str


class FormsSettings(ConfigGroup):
    """Forms by their names: those of `qualification/forms/` without an ending, and files."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def from_anywhere(self, task_dir: Path) -> FormsSettings:
        """Return the same with absolute paths of files outside the task folder."""

        def path(name: str) -> str:
            return str(Path(name).resolve()) if names_file(name) and not (task_dir / name).is_file() else name

        return FormsSettings(before=tuple(map(path, self.before)), after=tuple(map(path, self.after)))


def names_file(form: str) -> bool:
    """Return whether a form is named by its file, rather than a shipped form."""
    return Path(form).name != form or Path(form).suffix != ""


class KeepingSettings(ConfigGroup, KeepingTerms):
    """Days for which personal data are kept after the campaign has ended. `people erase-due` erases what is due."""


class ReviewSettings(ConfigGroup, ReviewTerms):
    """Deadlines of appeals and answers, and the part of reviews that workers see."""


class ReleaseSettings(ConfigGroup, ReleaseTerms):
    """The words of a release: its name, licence and authors, and answers to the questions of a datasheet."""


class AlertSettings(ConfigGroup, AlertTerms):
    """Alerts by webhook or e-mail, and the bounds behind which there is one."""


class ProfileSettings(ConfigGroup):
    host: str
    port: int = Field(ge=0, le=65535)
    absence_seconds: float | None = Field(default=None, gt=0)
    frame_ancestors: tuple[Source, ...] | None = None
    hosts: tuple[Source, ...] = ()
    proxies: tuple[Source, ...] = THIS_MACHINE
    connections_per_address: int = Field(default=256, ge=0)
    registrations_per_minute: int = Field(default=60, ge=0)


OF_CAMPAIGN = {
    *("simulated", "task_dir", "crowd", "forms", "keeping", "qualification", "release", "review", "alerts", "profile")
}


class Settings(ConfigGroup):
    """The whole configuration of a campaign. `simulated`: nobody in it is a person; only `rehearse` sets it.

    Kinds of task and models that lie in a file are named from the task folder, which may move with them
    (`process.importing`).
    """

    simulated: bool = False
    name: str = Field(pattern=r"^[A-Za-z0-9._-]{1,80}$")
    seed: int
    contexts: Path
    out: Path
    task_dir: Path
    task: TaskSettings
    crowd: CrowdSettings
    adversary: AdversarySettings
    round: RoundSettings
    store: StoreSettings
    pay: PaySettings
    dataset: DatasetSettings = DatasetSettings()
    forms: FormsSettings = FormsSettings()
    language: LanguageSettings = LanguageSettings()
    keeping: KeepingSettings = KeepingSettings()
    release: ReleaseSettings = ReleaseSettings()
    review: ReviewSettings = ReviewSettings()
    alerts: AlertSettings = AlertSettings()
    qualification: QualificationSettings
    validation: ValidationSettings = ValidationSettings()
    profile: ProfileSettings
    preset: PresetSettings | None = None

    @field_validator("forms")
    @classmethod
    def _from_anywhere(cls, forms: FormsSettings, read: ValidationInfo) -> FormsSettings:
        """Campaigns are continued from other folders."""
        return forms.from_anywhere(read.data["task_dir"]) if "task_dir" in read.data else forms

    @field_validator("preset", mode="before")
    @classmethod
    def _none_is_empty(cls, preset: Any) -> Any:
        """The file of `preset=none` is empty."""
        return preset or None

    @property
    def terms(self) -> RoundTerms:
        """Return the terms of its round."""
        return RoundTerms.model_validate(self.model_dump(include=set(RoundTerms.model_fields)))

    @property
    def kind(self) -> Kind:
        """With the options of its round. Raises `UnknownName` and `InvalidInput`."""
        return self.terms.kind(absolute(self.task.kind, self.task_dir))

    @property
    def members(self) -> list[str]:
        """The models that are loaded here, as any process can name them."""
        return [absolute(spec, self.task_dir) for spec in self.adversary.members]

    def of_campaign(self) -> dict[str, Any]:
        """Return the part that the campaign's record keeps, for all rounds."""
        return self.model_dump(mode="json", include=OF_CAMPAIGN)

    def of_round(self) -> dict[str, Any]:
        """Return the part that the record of its round keeps."""
        return self.model_dump(mode="json", include=set(RoundTerms.model_fields))

    def at_marketplace(self, endpoint_url: str) -> Settings:
        return self.model_copy(update={"crowd": self.crowd.at(endpoint_url)})


def read_settings(task_dir: Path, overrides: list[str], *, later_round: bool = False, **given: Any) -> Settings:
    """The settings of a task folder; `overrides` are `key=value`, `given` stands above them.

    Those of a later round stand in `conf/later.yaml`; a task without that file has the same for every round.
    """
    if not (task_dir / "conf" / "config.yaml").is_file():
        raise InvalidInput("TASK_DIR", f"{task_dir} is no task folder: it has no conf/config.yaml.")
    name = "later" if later_round and (task_dir / "conf" / "later.yaml").is_file() else "config"
    task_dir = task_dir.resolve()
    shared = configs_of(task_dir)
    _check_files(task_dir / "conf", shared)
    overrides = [*preset_overrides(task_dir / "conf" / f"{name}.yaml", Settings), *overrides]
    preset = named_preset(overrides, shared)
    overrides = [*([] if preset is None else overrides_of(preset)), *overrides]

    def composed(chosen: list[str], *, missing: bool = False) -> Any:
        with composing(task_dir / "conf"), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Mephisto registers folders that do not exist
            searched = f"hydra.searchpath=[{quoted(f'file://{shared}')}]"
            asked = [*map(readable, chosen), *forced(**given, task_dir=task_dir)]
            config = compose(name, overrides=[searched, *asked])
            return OmegaConf.to_container(config, resolve=not missing, throw_on_missing=not missing)

    def without(key: str) -> Any:
        try:
            return composed([each for each in overrides if each.partition("=")[0] != key], missing=True)
        except HydraException:  # another one is wrong, too
            return composed([], missing=True)

    try:
        content = composed(overrides)
    except MissingMandatoryValue as error:
        key = str(error.full_key)
        raise InvalidInput(key, f"{key} has no default. Give it: {key}=VALUE.") from error
    except (HydraException, OmegaConfBaseException) as error:
        raise refusal(error, without) from error
    if preset is not None:
        check_task(preset, content["task"]["kind"])
        content[GROUP] = preset.model_dump(mode="json")
    return _checked(content)


def amended(settings: Settings, overrides: list[str]) -> Settings:
    """The same with other values; `overrides` are `key=value`, and no groups: their files lie with the task."""
    if preset_name(overrides) is not None:
        raise InvalidInput(GROUP, "A preset is named with TASK_DIR when a campaign begins, or for a new round.")
    try:
        content = OmegaConf.to_container(merged(settings.model_dump(mode="json"), overrides), resolve=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise InvalidInput("configuration", " ".join(str(error).split())) from error
    return _checked(content)


def _checked(content: Any) -> Settings:
    """Raises `InvalidInput` for the first thing that is wrong with it."""
    try:
        settings = Settings.model_validate(content)
    except ValidationError as error:
        fault = first_fault(error, "configuration")
        reason = WANTED.get(fault.reason, fault.reason).replace("KEY", fault.place)
        raise InvalidInput(fault.place, f"{fault.place}={fault.given!r}: {reason}.") from error
    if settings.crowd.provider not in NAMES:
        raise UnknownName("crowd.provider", settings.crowd.provider, NAMES)
    _check_folder(settings)
    kind = settings.kind  # its options are checked, too
    for spec in settings.members:
        check_serves(spec, kind.name)
    _check_unit(settings)
    if prices_of(settings.members):
        check_cap("A language model", settings.pay.cap_cents)
    if settings.validation.parts and kind.checking is None:
        raise InvalidInput(
            "validation.parts",
            f"Nobody checks what is written in {settings.task.kind}, so no part can be validated. Set "
            "validation.parts=[].",
        )
    if settings.dataset.balanced and not kind.dataset.balanced_by:
        raise InvalidInput(
            "dataset.balanced",
            f"A dataset of {settings.task.kind} has no labels to balance parts by. Set dataset.balanced=[].",
        )
    _check_arms(settings, kind)
    tariffs = settings.terms.tariff(kind).each
    if not settings.validation.parts and any(each.rules.ask_for_verification for each in tariffs):
        raise InvalidInput(
            "validation.parts",
            "pay promises bonuses for wins that other people confirm, but with validation.parts=[] nobody checks any. "
            "Name parts, such as validation.parts=[dev,test], or promise no such bonus.",
        )
    if not settings.contexts.exists():
        raise InvalidInput("contexts", f"contexts={settings.contexts} is neither a file nor a folder.")
    return settings


def _check_arms(settings: Settings, kind: Kind) -> None:
    """Raise `InvalidInput` or `UnknownName` for an arm that has not what it needs."""
    pool = [*settings.adversary.servers, *map(member_name, settings.members)]
    for name, arm in settings.terms.arms.items():
        key = f"round.arms.{name}"
        for member in arm.adversary.members or ():
            if member not in pool:
                raise UnknownName(f"{key}.adversary.members", member, pool)
        if arm.words is not None and not languages_in(settings.task_dir / arm.words):
            where = settings.task_dir / arm.words
            raise InvalidInput(f"{key}.words", f"{key}.words={arm.words}: {where} has no folder of a language, as en.")
        _check_suggestions(settings, kind, key, arm.suggestions)
        if arm.shows_model:
            continue
        if kind.words_without_model is None:
            raise InvalidInput(
                f"{key}.shows_model", f"{key}.shows_model=false: {kind.name} has no page that says nothing of a model."
            )
        if settings.review.shows_board:
            raise InvalidInput(
                "review.shows_board",
                f"{key} shows no model, and a board of verified wins would tell its writers of them. Set "
                "review.shows_board=false.",
            )
        if settings.terms.in_arm(arm).pays_bonuses:
            raise InvalidInput(
                f"{key}.pay",
                f"{key} shows no model, so its writers cannot know of wins that bonuses are paid for. Set "
                "bonus_cents_per_win, bonus_cents_per_verified_win and streak_bonus_cents of the arm to 0, 0 and {}.",
            )


def _check_suggestions(settings: Settings, kind: Kind, key: str, name: str | None) -> None:
    if name is None:
        return
    if kind.suggestions is None:
        raise InvalidInput(
            f"{key}.suggestions", f"{key}.suggestions={name}: {kind.name} has no suggestions to writers."
        )
    if not (settings.task_dir / name).is_file():
        raise InvalidInput(f"{key}.suggestions", f"{key}.suggestions={name}: {settings.task_dir / name} is no file.")


def _check_unit(settings: Settings) -> None:
    """Raise `InvalidInput` where something costs money and the campaign's unit is none."""
    if settings.crowd.unit not in NO_MONEY:
        return
    unit, what = f"crowd.unit={settings.crowd.unit}", "amounts of a campaign have one unit"
    if settings.pay.fees:
        raise InvalidInput("pay.fees", f"{unit}: fees are money, and {what}. Set pay.fees=false.")
    if prices_of(settings.members):
        raise InvalidInput(
            "adversary.members", f"{unit}: this language model costs money, and {what}. Name a model without a price."
        )


def _check_folder(settings: Settings) -> None:
    """Raise `InvalidInput` where `out` means another file in the URL of a store that lies in it."""
    out = str(settings.out)
    if out in settings.store.url and ("?" in out or unquote(out) != out):
        raise InvalidInput(
            "out",
            f"out={out!r}: the store lies in this folder and has a URL, in which ? and % followed by two digits mean "
            "something else. Choose a folder without them.",
        )


def forced(**values: Any) -> list[str]:
    """Overrides that set these values whatever stands there."""
    return [f"++{key}={quoted(one) if isinstance(one, str | Path) else one}" for key, one in values.items()]


def _check_files(*folders: Path) -> None:
    """Before Hydra reads them, which would write every alias out."""
    for path in (path for folder in folders for path in sorted(folder.rglob("*.yaml"))):
        try:
            check_yaml(path)
        except (OSError, ValueError) as error:
            raise InvalidInput("configuration", f"{path} cannot be read: {error}.") from error


def configs_of(task_dir: Path) -> Path:
    """Return the folder of configuration groups of a task."""
    return suite_root(task_dir) / "hydra_configs"


def suite_root(task_dir: Path) -> Path:
    """The folder with `blueprints/` and `hydra_configs/`: the checkout that this package or the task belongs to."""
    task_dir = task_dir.resolve()
    candidates = [Path(__file__).resolve().parents[4], task_dir, *task_dir.parents]
    for candidate in candidates:
        if (candidate / "blueprints").is_dir() and (candidate / "hydra_configs").is_dir():
            return candidate
    raise InvalidInput("TASK_DIR", f"No checkout with blueprints/ and hydra_configs/ was found around {task_dir}.")


def load_blueprints(root: Path) -> None:
    """Mephisto knows no plugins but those that are imported."""
    make_importable(root)
    for folder in sorted((root / "blueprints").iterdir()):
        if (folder / "__init__.py").is_file():
            importlib.import_module(f"blueprints.{folder.name}")


def make_importable(root: Path) -> None:
    """`blueprints` and `qualification`, which lie beside the package."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))


def load_task(task_dir: Path) -> ModuleType:
    """The task's `run.py` as a module; it may import `blueprints` and `qualification`."""
    make_importable(suite_root(task_dir))
    path = task_dir.resolve() / "run.py"
    spec = importlib.util.spec_from_file_location(f"task_{task_dir.name}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InvalidInput("TASK_DIR", f"{task_dir} has no run.py.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
