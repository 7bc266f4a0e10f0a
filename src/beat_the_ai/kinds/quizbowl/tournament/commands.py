"""`event`: hold a tournament of people and models on regular and adversarial questions ("Trick Me", §4.1 and 5.3)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click
from pydantic import ValidationError
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from beat_the_ai.adversary.budget import check_budget
from beat_the_ai.adversary.registry import check_serves
from beat_the_ai.analysis.pages import report_page
from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused, first_fault
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.kinds.quizbowl.kind import PAPER
from beat_the_ai.kinds.quizbowl.tournament.draw import Draw, candidates, known_answers
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam, read_match
from beat_the_ai.kinds.quizbowl.tournament.match import Scoring
from beat_the_ai.kinds.quizbowl.tournament.players import ModelPlayer
from beat_the_ai.kinds.quizbowl.tournament.report import EventRoom, event_sections
from beat_the_ai.kinds.quizbowl.tournament.results import Result, read_result, write_csv
from beat_the_ai.kinds.quizbowl.tournament.server import serve
from beat_the_ai.kinds.quizbowl.tournament.simulation import SimulatedRoom
from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options

STDERR = Console(stderr=True)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DATASET = click.Path(exists=True, path_type=Path)
event_argument = click.argument("folder", metavar="EVENT", type=click.Path(file_okay=False, path_type=Path))


@click.group()
def event() -> None:
    """Hold a tournament: teams of people, and models, on tossups in several rooms."""


@event.command()
@event_argument
@click.option(
    "--regular",
    type=DATASET,
    required=True,
    metavar="DATASET",
    help="Questions of the comparison, which no model has seen.",
)
@click.option(
    "--adversarial",
    type=DATASET,
    required=True,
    metavar="DATASET",
    help="Such as an exported campaign, or a part of it.",
)
@click.option(
    "--answers", type=FILE, multiple=True, help="Answers with their aliases, as contexts are; else by answer lines."
)
@click.option("--room", "rooms", multiple=True, required=True, metavar="NAME=TEAM,TEAM", help="May be given again.")
@click.option("--level", "levels", multiple=True, metavar="TEAM=LEVEL", help="How good a team is, as in expert.")
@click.option("--model", "models", multiple=True, metavar="NAME=BACKEND:SOURCE", help="Plays in every room.")
@click.option(
    "--max-cents", type=click.IntRange(1), metavar="CENTS", help="What the answers of each model with a price may cost."
)
@click.option(
    "--kept",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("out/answers"),
    show_default=True,
    help="Keeps what language models answer: the same command asks only for what is missing.",
)
@click.option(
    "--tossups", type=click.IntRange(2), default=20, show_default=True, help="In each room; half are adversarial."
)
@click.option("--power", type=int, default=Scoring.power, show_default=True, help="Points for an early right answer.")
@click.option("--correct", type=int, default=Scoring.correct, show_default=True, help="For any other right answer.")
@click.option("--interrupt", type=int, default=Scoring.interrupt, show_default=True, help="For interrupting wrongly.")
@click.option(
    "--power-share",
    type=click.FloatRange(0, 1),
    default=Scoring.power_share,
    show_default=True,
    help="Up to this share of the words an answer is early.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
def new(
    folder: Path,
    regular: Path,
    adversarial: Path,
    answers: tuple[Path, ...],
    rooms: tuple[str, ...],
    levels: tuple[str, ...],
    models: tuple[str, ...],
    max_cents: int | None,
    kept: Path,
    tossups: int,
    power: int,
    correct: int,
    interrupt: int,
    power_share: float,
    seed: int,
) -> None:
    """Draw a match for each room into the folder EVENT.

    Each room has questions of its own: what is read in one gives nothing away in another.
    """
    if tossups % 2:
        raise InvalidInput("--tossups", f"{tossups} was given; an even number is needed: half are adversarial.")
    teams = [_named("--room", text, "NAME=TEAM,TEAM") for text in rooms]
    level_of = dict(_named("--level", text, "TEAM=LEVEL") for text in levels)
    specs = [_named("--model", text, "NAME=BACKEND:SOURCE") for text in models]
    scoring = Scoring(power, correct, interrupt, power_share)
    EventFolder.check_new(folder)
    names_of_rooms = [room for room, _ in teams]
    if repeated := [room for number, room in enumerate(names_of_rooms) if room in names_of_rooms[:number]]:
        raise InvalidInput("--room", f"{repeated[0]} was given twice. Each room needs a name of its own.")
    teams_of = {room: [team.strip() for team in names.split(",")] for room, names in teams}
    _check_levels(level_of, teams_of)
    for _, spec in specs:
        check_serves(spec, NAME)
        check_budget(spec, max_cents)
    draw = Draw(
        [*candidates(regular, adversarial=False), *candidates(adversarial, adversarial=True)],
        known_answers(answers),
        seed,
    )
    drawn = draw.rooms(len(teams), tossups)
    unasked = [ModelTeam.unasked(name, spec) for name, spec in specs]  # no answer is paid for before names are checked
    matches = [
        _match(
            room=room,
            teams=names,
            models=unasked,
            tossups=each,
            levels={team: level_of[team] for team in names if team in level_of},
            **asdict(scoring),
        )
        for (room, names), each in zip(teams_of.items(), drawn, strict=True)
    ]
    with ExitStack() as stack:
        players = [
            stack.enter_context(ModelPlayer.load(name, spec, draw.left, scoring, seed, max_cents, kept))
            for name, spec in specs
        ]
        matches = [
            _match(**{**dict(each), "models": [player.team(each.tossups) for player in players]}) for each in matches
        ]
    EventFolder.create(folder, matches)
    for player in players:
        rule, measured = player.calibration.rule, player.calibration
        STDERR.print(
            f"{player.name} ({player.spec}) buzzes above a confidence of {rule.threshold:g}, from word {rule.earliest} "
            f"on: {measured.points:.1f} points a tossup on {measured.questions} questions that are not played",
            soft_wrap=True,
            highlight=False,
        )
    STDERR.print(f"{len(matches)} rooms of {tossups} tossups in {folder}", soft_wrap=True, highlight=False)


@event.command("serve")
@event_argument
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option(
    "--language", "languages", multiple=True, metavar="TAG", help="Offer these only; pages begin with the first."
)
@click.option(
    "--words",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Words in the place of the product's: TASK_DIR/words.",
)
@connection_options
def serve_event(
    folder: Path, host: str, port: int, languages: tuple[str, ...], words: Path | None, limits: ConnectionLimits
) -> None:
    """Serve EVENT until stopped; its address and the moderators' links are printed as JSON.

    The moderator of a room tells each team its code. Who knows a moderator's link moderates. Readers choose their
    language.
    """
    serve(EventFolder.open(folder), host, port, limits, languages, words)


@event.command()
@event_argument
@click.option("--seed", type=int, default=0, show_default=True, help="Of what simulated people know.")
def rehearse(folder: Path, seed: int) -> None:
    """Play EVENT with simulated moderators and teams, over the sockets that their pages use."""
    opened = EventFolder.open(folder)
    matches = [read_match(path)[0] for _, path in opened.matches()]
    command = [sys.executable, "-m", "beat_the_ai.cli", "event", "serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, Progress(console=STDERR) as progress:
        try:
            assert server.stdout is not None
            if not (line := server.stdout.readline()):
                raise Refused(f"The event in {folder} was not served; what was wrong stands above.")
            for match in matches:
                bar = progress.add_task(f"room {match.room}", total=len(match.tossups))
                room = SimulatedRoom(json.loads(line)["address"], match, opened.keys.rooms[match.room], seed)
                room.play(lambda number, bar=bar: progress.update(bar, completed=number))  # type: ignore[misc]
        finally:
            server.terminate()


@event.command()
@event_argument
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output, with every buzz.")
@click.option("--csv", "table", type=click.Path(dir_okay=False, path_type=Path), help="Write every buzz to this file.")
def score(folder: Path, as_json: bool, table: Path | None) -> None:
    """Standings and figures of EVENT from its logs, counted twice; it may still be going on."""
    results = [read_result(path) for _, path in EventFolder.open(folder).matches()]
    if table is not None:
        with table.open("w", encoding="utf-8", newline="") as file:
            write_csv(results, file)
    if as_json:
        click.echo(json.dumps({"rooms": [asdict(result) for result in results]}, ensure_ascii=False))
    else:
        for result in results:
            _print(result)
    wrong = [result.room for result in results if not result.agrees]
    if wrong:
        raise BeatTheAIError(
            f"A second count of the log gives another score, in: {', '.join(wrong)}. Please report it."
        )


@event.command()
@event_argument
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The page to write.")
def report(folder: Path, out: Path) -> None:
    """A page about EVENT that opens offline: people and models in the course of questions, with intervals."""
    rooms = [EventRoom(read_match(path)[0], read_result(path)) for _, path in EventFolder.open(folder).matches()]
    played = sum(room.result.tossups_played for room in rooms)
    place = "a room" if len(rooms) == 1 else f"{len(rooms)} rooms"
    introduction = f"{played:,} tossups played in {place} of the event in {folder.name}."
    page = report_page("Trick me if you can: an event", introduction, event_sections(rooms), PAPER)
    with replacing(out) as file:
        file.write(page.encode())
    click.echo(out)


def _named(option: str, text: str, pattern: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not (name and value):
        raise InvalidInput(option, f"{text!r} was given; write {pattern}.")
    return name, value


def _check_levels(levels: Mapping[str, str], teams: Mapping[str, Sequence[str]]) -> None:
    """Raise `InvalidInput` for the level of a team that plays nowhere."""
    names = list(dict.fromkeys(team for of_room in teams.values() for team in of_room))
    if unknown := [team for team in levels if team not in names]:
        raise InvalidInput(
            "--level", f"{unknown[0]} was given a level and plays in no room. Teams: {', '.join(names)}."
        )


def _match(**fields: object) -> Match:
    """Raises `InvalidInput` where pydantic finds fault with names of rooms and teams."""
    try:
        return Match.model_validate(fields)
    except ValidationError as error:
        fault = first_fault(error, "the match")
        raise InvalidInput("--room", f"{fields['room']}: {fault.place}: {fault.reason}.") from None


def _print(result: Result) -> None:
    console = Console()
    state = "ended" if result.ended else "not ended"
    table = Table(
        *("", "points", "power", "correct", "interrupt", "wrong"),
        title=f"{result.room}: {result.tossups_played} of {result.tossups} tossups, {state}",
    )
    for row in result.standings:
        name = f"{row.side} (model)" if row.is_model else row.side
        table.add_row(name, *(str(count) for count in (row.points, row.power, row.correct, row.interrupt, row.wrong)))
    console.print(table, markup=False)
    for figure in result.figures:
        if figure.accuracy is not None and figure.words_left is not None:
            console.print(
                f"{figure.by} on {figure.questions} questions: {figure.answers} answers, {figure.accuracy:.1%} right, "
                f"{figure.words_left:.1%} of the words left",
                highlight=False,
            )
