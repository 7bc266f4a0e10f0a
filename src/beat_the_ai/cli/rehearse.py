"""`rehearse`: a whole campaign with simulated people: qualify, write, review, validate, pay, export, report."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import click
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from rich.console import Console

from beat_the_ai.analysis.arms import COMPARED
from beat_the_ai.analysis.rounds import BESIDE_EACH_OTHER
from beat_the_ai.campaign.money.cost import worst_of_all_stages
from beat_the_ai.campaign.results.files import REPORT_FILE, export_and_report
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.overrides import merged
from beat_the_ai.campaign.settings.planned_round import PlannedRound, load_contexts, warnings_of_training_texts
from beat_the_ai.campaign.settings.qualification import quiz_file
from beat_the_ai.campaign.settings.suggestions import suggestions_told
from beat_the_ai.cli.rehearsed_rounds import check_can_learn, differences, learn, open_next
from beat_the_ai.cli.sections import print_sections
from beat_the_ai.cli.status import progress_table
from beat_the_ai.cli.tasks import overrides, task_dir
from beat_the_ai.dataset.card import CARD_FILE
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.files.permissions import private_files
from beat_the_ai.payments import check_launch
from beat_the_ai.process.user import machine_user
from beat_the_ai.rehearsal.campaign import REHEARSAL, Rehearsal
from beat_the_ai.rehearsal.processes import LOG_FILE
from beat_the_ai.rehearsal.prolific import ProlificVenue
from beat_the_ai.rehearsal.shortage import shortage_of_contexts
from beat_the_ai.rehearsal.venue import MarketplaceVenue, Venue
from beat_the_ai.review import Reviewer
from beat_the_ai.rules.kind import Kind, People
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.roles import Role
from beat_the_ai.simulation import personas
from beat_the_ai.simulation.crowd import SimulatedCrowd, read_crowd
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import private_folder

REVIEWER = "simulated reviewer"
CHECK_SECONDS = 2
SMALL_PARTS = ("dataset.train=2", "dataset.dev=1", "dataset.test=1")  # so that each part has something in it

VENUES: Mapping[str, Callable[[Path, Settings], AbstractContextManager[Venue]]] = {
    "mturk": MarketplaceVenue.opened,
    "prolific": ProlificVenue.opened,
}
# Nobody brings a record of Mechanical Turk to Prolific.
REQUIREMENTS: Mapping[str, list[str]] = {"mturk": [], "prolific": ["qualification.requirements=open"]}
OF_CROWD: Mapping[str, list[str]] = {
    "mturk": [],
    "prolific": ["crowd.prolific.workspace=rehearsal", "crowd.prolific.minutes=10"],
}


@click.command()
@task_dir
@overrides
@click.option("--workers", type=click.IntRange(1, 1000), default=12, show_default=True, help="Simulated writers.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides all draws, and what people do.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="With several, each one's work trains the model of the next; the contexts of the file are shared out.",
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/rehearsal"), show_default=True)
@click.option(
    "--faults",
    type=click.Choice(("none", "heavy")),
    default="none",
    show_default=True,
    help="heavy: throttling, lost replies, failing services, and one kill of each process.",
)
@click.option(
    "--people",
    "people_options",
    metavar="CROWD|KEY=VALUE",
    multiple=True,
    help="A crowd with the rates of a paper (bartolo-2020), or its file. KEY=VALUE is of simulated people, as their "
    "kind of task has it: how skilled they are, how often they err.",
)
@private_files()
def rehearse(
    task_dir: Path,
    overrides: tuple[str, ...],
    workers: int,
    seed: int,
    rounds: int,
    out: Path,
    faults: str,
    people_options: tuple[str, ...],
) -> None:
    """Run a whole campaign with simulated people on a marketplace of its own, and leave its dataset in --out.

    They use the marketplace's portal and the pages' own protocol. Writers know what stands with the contexts; three in
    ten are sloppy, copy, or type anything, and a simulated reviewer is there to find them. Unless round.max_hits or
    --people says otherwise, there are four HITs for each worker, or with several rounds as many as the contexts allow.
    Half of the contexts are for train, a quarter each for dev and test, unless dataset.train and so on say otherwise.

    A rehearsal that was cut off goes on with the same command; any other one in --out is replaced.
    """
    out = out.resolve()
    read = partial(read_settings, task_dir, seed=seed, out=out, name=REHEARSAL, simulated=True)
    crowd = _crowd(overrides)
    base = [f"crowd={crowd}", *OF_CROWD[crowd]]
    settings = read([*base, *overrides])
    kind = settings.kind
    simulated = _simulated_crowd(kind, people_options)
    people = _people(kind, simulated, people_options)
    careless = math.ceil(workers * simulated.careless_newcomers)
    chosen = [*base, f"crowd.check_seconds={CHECK_SECONDS}"]
    if kind.screening is not None:
        chosen += ["qualification=paper", *REQUIREMENTS[crowd], f"qualification.places={workers + careless}"]
    if rounds > 1:
        check_can_learn(kind, settings.adversary.members)
        chosen += [f"round.max_hits={_hits_of_a_round(settings, rounds)}"]
    else:
        chosen += [f"round.max_hits={workers * simulated.hits_per_writer}"]
    sizes = settings.dataset
    if rounds > 1 or min(sizes.train, sizes.dev, sizes.test) > 0:  # a set of questions that is one part stays so
        chosen += SMALL_PARTS
    settings, later = (read([*chosen, *overrides], later_round=late) for late in (False, True))
    command = [str(task_dir.resolve()), *overrides, *people_options, *map(str, (workers, seed, rounds, faults))]
    private = _make_room(out, command)
    console = Console()
    for warning in warnings_of_training_texts(settings):
        console.print(warning, soft_wrap=True)
    shortage = shortage_of_contexts(settings, workers)
    if shortage is not None:
        console.print(shortage, soft_wrap=True)
    reviewer = Reviewer(REVIEWER, Role.LEAD, machine_user())
    names = [f"AWRITER{number:03}" for number in range(workers + careless)]
    of_writers = dict(zip(names, personas.mix(workers, simulated.shares, seed), strict=False))
    with _opened(settings) as store:
        planned = PlannedRound(store, settings)
        check_launch(worst_of_all_stages(planned), settings.pay.cap_cents, settings.crowd.unit)
        for arm, told in suggestions_told(planned).items():
            console.print(f"suggestions in arm {arm}: {told}", soft_wrap=True)
    with VENUES[crowd](private, settings) as venue, _opened(settings) as store:
        accounts = venue.enrol(names)
        rehearsal = Rehearsal(venue.located(settings), kind, people, venue, store, reviewer, console)
        first = rehearsal.take_up()
        for number in range(first, rounds + 1):
            if rounds > 1:
                console.rule(f"round {number} of {rounds}")
                rehearsal.enter(number)
            if faults == "heavy":
                venue.begin_faults(seed)
            if kind.screening is not None and number == 1:
                rehearsal.qualify(accounts, of_writers, kind.screening.newcomers(quiz_file(settings)))
            rehearsal.write(accounts, of_writers, with_kills=faults == "heavy")
            if kind.checking is not None:
                rehearsal.validate(accounts[:workers])
            venue.end_faults()
            rehearsal.pay()
            if rounds > 1:
                learn(out, number, settings, trains=number < rounds)
            if number < rounds:
                open_next(out, differences(settings, later))
        campaign = BoundCampaign.open(store, REHEARSAL)
        subject = export_and_report(campaign, out)
        console.print(progress_table(progress_of(campaign)))
        console.print(rehearsal.caught_table(of_writers))
    if shortage is not None:
        console.print(shortage, soft_wrap=True)
    print_sections([section for section in subject.sections if section.title.startswith((BESIDE_EACH_OTHER, COMPARED))])
    for kill in rehearsal.kills:
        console.print(kill)
    if rehearsal.kills:
        console.print(f"What the processes complained about: {private / LOG_FILE}", soft_wrap=True)
    _finished(out)
    for name in ("jsonl", CARD_FILE, REPORT_FILE):
        console.print(f"[bold]{out / name}[/bold]", soft_wrap=True)


def _crowd(overrides: tuple[str, ...]) -> str:
    """Return the crowd that is rehearsed: Mechanical Turk's protocol unless another is named. Raises `UnknownName`."""
    named = [one.partition("=")[2] for one in overrides if one.startswith("crowd=")]
    crowd = named[-1] if named else "mturk"
    if crowd not in VENUES:
        raise UnknownName("crowd", crowd, VENUES)
    return crowd


def _simulated_crowd(kind: Kind, options: tuple[str, ...]) -> SimulatedCrowd:
    """Return the crowd that `--people` names, or the usual one. Raises `UnknownName`, `InvalidInput`."""
    names = [one for one in options if "=" not in one]
    if len(names) > 1:
        raise InvalidInput("--people", f"{' and '.join(names)}: a rehearsal has one crowd. Name one of them.")
    crowd = read_crowd(names[0]) if names else SimulatedCrowd()
    crowd.check_task(kind.name)
    return crowd


def _people(kind: Kind, crowd: SimulatedCrowd, options: tuple[str, ...]) -> People:
    """Return the simulated people of a crowd, with other parameters (`key=value`). Raises `InvalidInput`."""
    if kind.people is None:
        raise InvalidInput("TASK_DIR", f"{kind.name} has no simulated people: it cannot be rehearsed.")
    values = [one for one in options if "=" in one]
    if not values and not crowd.people:
        return kind.people
    people: Any = kind.people
    if not is_dataclass(people):
        raise InvalidInput("--people", f"The simulated people of {kind.name} have no parameters.")
    try:
        of_crowd = OmegaConf.merge(asdict(cast(Any, people)), crowd.people)
        content = OmegaConf.to_container(merged(of_crowd, values))
    except (HydraException, OmegaConfBaseException) as error:
        raise InvalidInput("--people", " ".join(str(error).split())) from error
    return configured(type(kind.people), "--people", cast(Any, content))


@contextmanager
def _opened(settings: Settings) -> Iterator[Store]:
    store = open_store(settings.store.url)
    try:
        yield store
    finally:
        store.close()


def _hits_of_a_round(settings: Settings, rounds: int) -> int:
    """With which all rounds have as many contexts of the file. Raises `InvalidInput` where there are too few."""
    contexts = len(load_contexts(settings)) // rounds
    if not contexts:
        raise InvalidInput("--rounds", f"{settings.contexts} has too few contexts for {rounds} rounds.")
    return contexts * settings.round.hits_per_context


def _make_room(out: Path, command: list[str]) -> Path:
    """Keep what is there if this command has begun and not finished it; remove any other rehearsal.

    Anything else that lies there is left alone and refused. Returns the private folder.
    """
    mark = out / f".{REHEARSAL}"
    if mark.exists():
        if mark.read_text(encoding="utf-8") == json.dumps(command):
            return private_folder(out)
        shutil.rmtree(out)
    elif out.exists() and any(out.iterdir()):
        raise InvalidInput("--out", f"{out} holds something that is no rehearsal. Choose another folder.")
    private = private_folder(out)
    mark.write_text(json.dumps(command), encoding="utf-8")
    return private


def _finished(out: Path) -> None:
    """The next one begins anew."""
    (out / f".{REHEARSAL}").write_text("", encoding="utf-8")
