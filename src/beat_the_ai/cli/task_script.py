"""A task's `run.py` as a program, as users of Mephisto know it: `python tasks/NAME/run.py key=value ... --cfg job`.

It is `beat-the-ai launch` where the crowd is paid and `beat-the-ai serve` where it is not, with their options; what
shows the configuration instead (`--help`, `--cfg`, `--info`) is Hydra's.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import hydra

from beat_the_ai.campaign.settings.configuration import configs_of, forced, read_settings, suite_root
from beat_the_ai.campaign.settings.overrides import readable
from beat_the_ai.campaign.settings.presets import named_preset, overrides_of
from beat_the_ai.cli import errors_in_one_line, main
from beat_the_ai.cli.launch import launch
from beat_the_ai.cli.serve import serve

OF_HYDRA = {"--help", "-h", "--hydra-help", "--cfg", "-c", "--info", "-i"}
HELP = """{script} serves this task to people: `beat-the-ai launch` with crowd=mturk, else `beat-the-ai serve`.

    python {script} [KEY=VALUE ...] [--out DIR] [--stage STAGE]     with crowd=mturk also: --yes, --resume, --stop
    python {script} [KEY=VALUE ...] --cfg job                       shows the configuration, and does nothing else

STAGE is screening, writing or validation. GROUP=NAME takes another file of hydra_configs/GROUP:

{groups}

KEY=VALUE changes a value of the configuration:

$CONFIG"""


def run_task(script: str) -> None:
    """The whole program; ends the process."""
    task_dir, arguments = Path(script).resolve().parent, sys.argv[1:]
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--stage")
    for flag in ("--yes", "--resume", "--stop"):
        parser.add_argument(flag, action="store_true")
    ours, rest = parser.parse_known_args(arguments)
    overrides = [argument for argument in rest if argument[:1] == "~" or (argument[:2] != "--" and "=" in argument)]
    with errors_in_one_line():
        paid = read_settings(task_dir, overrides, out=Path.cwd()).crowd.is_marketplace
    command = launch if paid else serve
    options = [argument for argument in rest if argument not in overrides]
    if OF_HYDRA.intersection(option.partition("=")[0] for option in options):
        [default] = [parameter.default for parameter in command.params if parameter.name == "out"]
        out = Path(ours.out or str(default)).resolve()
        _show(
            task_dir, options, [*map(readable, _with_preset(task_dir, overrides)), *forced(out=out, task_dir=task_dir)]
        )
    else:
        main([str(command.name), str(task_dir), *arguments])


def _show(task_dir: Path, options: list[str], overrides: list[str]) -> None:
    """Hydra composes and prints; there is nothing to run."""
    groups = suite_root(task_dir) / "hydra_configs"
    template = HELP.format(script=sys.argv[0], groups="\n".join(_choices(groups)))
    sys.argv[1:] = [*options, "--config-dir", str(groups), *overrides, *forced(**{"hydra.help.template": template})]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Mephisto registers folders that do not exist
        hydra.main(config_path=str(task_dir / "conf"), config_name="config", version_base="1.3")(lambda _config: None)()


def _with_preset(task_dir: Path, overrides: list[str]) -> list[str]:
    preset = named_preset(overrides, configs_of(task_dir))
    return overrides if preset is None else [*overrides_of(preset), *overrides]


def _choices(groups: Path) -> list[str]:
    folders = sorted(folder for folder in groups.iterdir() if folder.is_dir())
    return [
        f"    {folder.name}: {', '.join(sorted(file.stem for file in folder.glob('*.yaml')))}" for folder in folders
    ]
