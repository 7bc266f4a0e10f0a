"""Checks of this machine: port, disk, permissions, memory and GPU."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from beat_the_ai.campaign.doctor.checks import check, fault, ok
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.permissions import OWNER_ONLY, PRIVATE
from beat_the_ai.listening import listen
from beat_the_ai.marketplace.people.store import is_database
from beat_the_ai.terms.locate import EXPORTS

Findings = Iterator[tuple[str, str | None]]
GIBIBYTE = 2**30
LEAST_DISK, LEAST_MEMORY = GIBIBYTE, GIBIBYTE
LEAST_DESCRIPTORS = 4096
SHARED = {"static", EXPORTS}  # a router's pages, and datasets: everybody may have them


@check("port", "Choose another port: profile.port=N, or 0 for a free one.")
def port(subject: Subject) -> Findings:
    if (settings := subject.settings) is None or subject.served:
        return
    host, number = settings.profile.host, settings.profile.port
    try:
        listen(host, number).close()
    except InvalidInput as error:
        yield fault(str(error), f"Stop what holds port {number}, or choose another one: profile.port=N.")
    else:
        yield ok(f"{host}: port {number or 'as it comes'}")


@check("disk", "Free some space there.")
def disk(subject: Subject) -> Findings:
    place = _existing(subject.folder)
    free = shutil.disk_usage(place).free
    if free < LEAST_DISK:
        said = f"{place} has {free / GIBIBYTE:.2f} GiB left; pages refuse work once it is full."
        yield fault(said, "Free some space there, or choose another folder: --out DIR.")
    else:
        yield ok(f"{free / GIBIBYTE:.0f} GiB are free at {place}")


@check("writable", "Choose a folder that you may write: --out DIR.")
def writable(subject: Subject) -> Findings:
    places = [subject.folder, subject.folder / PRIVATE, *_people(subject)]
    refusing = [place for each in places if not os.access(place := _existing(each), os.W_OK | os.X_OK)]
    for place in dict.fromkeys(refusing):
        yield fault(f"{place} cannot be written.", f"Take it over (chown -R $USER {place}), or choose another folder.")
    if not refusing:
        yield ok(str(subject.folder))


@check("private_files", "Take the files away from others: chmod -R go-rwx FOLDER.")
def private_files(subject: Subject) -> Findings:
    """Everything in private folders is its owner's alone."""
    for folder in (subject.folder / PRIVATE, *_people(subject)):
        if not folder.is_dir():
            continue
        files = [path for path in folder.rglob("*") if path.is_file() and SHARED.isdisjoint(path.parts)]
        loose = [path for path in files if _is_loose(path)]
        mend = f"Take them away from others: chmod -R go-rwx {folder}"
        if folder.stat().st_mode & OWNER_ONLY:
            yield fault(f"Others may enter {folder}, where workers' names and keys are.", mend)
        elif loose:
            more = f", and {len(loose) - 1} more," if len(loose) > 1 else ""
            yield fault(f"Others may read {loose[0].name}{more} in {folder}.", mend)
        else:
            yield ok(f"{folder} is its owner's alone")


def _is_loose(path: Path) -> bool:
    """Return whether others may read a file; one that a campaign in service has removed by now is none."""
    try:
        return bool(path.stat().st_mode & OWNER_ONLY)
    except FileNotFoundError:
        return False


@check("descriptors", "Raise the limit: ulimit -Hn 65536.")
def descriptors(_subject: Subject) -> Findings:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 <= most < LEAST_DESCRIPTORS:
        yield fault(f"A process may open {most} files; a server needs one a connection.", "Raise it: ulimit -Hn 65536.")
    else:
        yield ok(f"{most:,} files a process")


@check("memory", "Free some memory, or choose a smaller model: adversary=NAME.")
def memory(_subject: Subject) -> Findings:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:  # no Linux
        return
    [available] = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")]
    if available < LEAST_MEMORY:
        yield fault(f"{available / GIBIBYTE:.1f} GiB of memory are free.", "Free some, or choose a smaller model.")
    else:
        yield ok(f"{available / GIBIBYTE:.0f} GiB are free")


@check("gpu", "Use the processor: adversary.device=cpu.")
def gpu(subject: Subject) -> Findings:
    """Only where the settings ask for one."""
    if subject.settings is None or subject.settings.adversary.device != "cuda" or not subject.settings.members:
        return
    program = shutil.which("nvidia-smi")
    command = ["--query-gpu=name,memory.free", "--format=csv,noheader,nounits"]
    done = None if program is None else subprocess.run([program, *command], capture_output=True, text=True)
    if done is None or done.returncode or not done.stdout.strip():
        mend = "Install its driver, or use the processor: adversary.device=cpu."
        yield fault("adversary.device=cuda, and no GPU answers here (nvidia-smi).", mend)
        return
    name, free_mib = (part.strip() for part in done.stdout.splitlines()[0].rsplit(",", 1))
    wanted = subject.settings.adversary.memory_gib
    if wanted is not None and float(free_mib) / 1024 < wanted:
        said = f"{name} has {float(free_mib) / 1024:.1f} GiB free, and adversary.memory_gib={wanted:g}."
        yield fault(said, "Free some of its memory, or lower adversary.memory_gib.")
    else:
        yield ok(f"{name}, {float(free_mib) / 1024:.0f} GiB free")


def _people(subject: Subject) -> list[Path]:
    place = None if subject.settings is None else subject.settings.crowd.people
    return [] if place is None or is_database(place) else [Path(place) / PRIVATE]


def _existing(folder: Path) -> Path:
    """Return the folder, or the first above it that is there."""
    return next(each for each in (folder, *folder.parents) if each.exists())
