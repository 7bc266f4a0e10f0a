"""The process that forks, from `main` on. It ends when its socket's other end closes.

A forked program that may start others forks once more before it begins: into a template of its own.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import platform
import runpy
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import NoReturn

IMPORTED = (  # what most starts of the suite's programs import, at once or later
    "alembic.command",
    "anyio._backends._asyncio",
    "beat_the_ai.adversary.server",
    "beat_the_ai.cli.launch",
    "beat_the_ai.cli.marketplace",
    "beat_the_ai.cli.people",
    "beat_the_ai.cli.recruiter",
    "beat_the_ai.cli.rehearse",
    "beat_the_ai.cli.review",
    "beat_the_ai.crowds.mturk",
    "beat_the_ai.kinds.nli.backends.onnx",
    "beat_the_ai.kinds.nli.kind",
    "beat_the_ai.kinds.quizbowl.kind",
    "beat_the_ai.kinds.reading_comprehension.backends.onnx",
    "beat_the_ai.kinds.reading_comprehension.kind",
    "beat_the_ai.mephisto.router.app",
    "beat_the_ai.rehearsal.operator",
    "httpcore",
    "tests.forked.starts",  # imported by each program that may start others
)
ROOM = "ROOM_FOR_ANOTHER_ENVIRONMENT"
ENVIRONMENT_BYTES, COMMAND_BYTES = 100_000, 10_000
MAX_REQUEST_BYTES = 200_000
MAX_FILES = 100
CLONE_PARENT = 0x8000  # sched.h
CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())  # its number in unistd.h
IS_POSSIBLE = sys.platform == "linux" and CLONE is not None
COMMAND_PLACE, ENVIRONMENT_PLACE = slice(45, 47), slice(47, 49)  # in /proc/self/stat, from the process's state on
UNWRITTEN = 120  # the interpreter's status where what was printed cannot be written
LEAVES = ("beat_the_ai.mephisto.router", "beat_the_ai.adversary.child", "beat_the_ai.adversary.server")


@dataclass(frozen=True)
class Program:
    """A module to run as `python -m` does, and what its process is given."""

    module: str
    arguments: list[str]
    environment: dict[str, str]
    folder: str
    umask: int
    has_new_session: bool
    process_group: int  # -1: its starter's

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", self.module, *self.arguments]

    def run(self) -> NoReturn:
        """Never return: as in a new interpreter, whatever ends the program ends the process."""
        sys.modules["__main__"] = ModuleType("__main__")
        sys.modules.pop(self.module, None)
        sys.argv = ["-m", *self.arguments]
        sys.orig_argv = self.command
        sys.path[0] = self.folder
        try:
            runpy._run_module_as_main(self.module)  # type: ignore[attr-defined]  # what the interpreter itself calls
        except SystemExit as error:
            _end(error.code)
        except KeyboardInterrupt:
            raise  # the interpreter ends by the signal
        except BaseException:  # noqa: BLE001 - as in the interpreter
            sys.excepthook(*sys.exc_info())
            _end(1)
        _end(0)


def _end(code: object) -> NoReturn:
    """End as the interpreter does, but leave the memory to the kernel: taking all modules apart is most of the work.

    Threads are waited for, what is registered for the exit is called, and what was printed is written.
    """
    if not isinstance(code, int | None):
        print(code, file=sys.stderr)
    status = code & 0xFF if isinstance(code, int) else int(code is not None)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError):  # there is none, or it is closed
            continue
        except OSError:  # nobody reads it
            status = UNWRITTEN
    os._exit(status)


class Template:
    """The starter's side of a template."""

    def __init__(self, channel: socket.socket, environment: Mapping[str, str]) -> None:
        self.environment = environment  # under which it has imported
        self._channel = channel
        self._lock = Lock()

    def start(self, program: Program, files: Mapping[int, int]) -> int:
        """Return the id of a new child of this process. `files`: by their numbers there. Raises `OSError`."""
        message = json.dumps([asdict(program), list(files)]).encode()
        with self._lock:
            socket.send_fds(self._channel, [message], list(files.values()))
            answer = self._channel.recv(100)
        if not answer:
            raise ConnectionResetError("The template has ended.")
        return int(answer)


def serve(channel: socket.socket) -> Program:
    """Fork for each request. Returns in the forked processes alone.

    Signals are for the starter, which may be in the same group of processes.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        message, files, _, _ = socket.recv_fds(channel, MAX_REQUEST_BYTES, MAX_FILES)
        if not message:
            os._exit(0)
        described, numbers = json.loads(message)
        read, write = os.pipe()
        if (child := _fork_a_sibling()) == 0:
            program = Program(**described)
            channel.detach()  # another file gets its number, which it would close when it is collected
            _become(program, dict(zip(numbers, files, strict=True)))
            return program
        for file in (*files, write):
            os.close(file)
        os.read(read, 1)  # nothing: it has closed what is not its own
        os.close(read)
        channel.send(b"%d" % child)


def _fork_a_sibling() -> int:
    """As `os.fork`, but the new process is a child of this one's parent, and not of this one."""
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid: int = ctypes.PyDLL(None, use_errno=True).syscall(CLONE, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "no fork of the template")
    return pid


def _become(program: Program, files: Mapping[int, int]) -> None:
    _take_environment(program.environment)
    _show((f"{name}={value}" for name, value in program.environment.items()), ENVIRONMENT_PLACE)
    _show(program.command, COMMAND_PLACE)
    _take_files(files)
    os.chdir(program.folder)
    os.umask(program.umask)
    if program.has_new_session:
        os.setsid()
    if program.process_group >= 0:
        os.setpgid(0, program.process_group)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.stdout.reconfigure(line_buffering=os.isatty(1))  # type: ignore[union-attr]
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()  # Python's own generator is seeded at a fork


def _take_environment(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _show(texts: Iterable[str], place: slice) -> None:
    """To those who read /proc: over what the template was started with, which has room for it."""
    begin, end = map(int, Path("/proc/self/stat").read_text().rpartition(")")[2].split()[place])
    shown = b"".join(os.fsencode(f"{text}\0") for text in texts)
    assert len(shown) <= end - begin, "There is no room for the command or its environment."
    ctypes.memmove(begin, shown.ljust(end - begin, b"\0"), end - begin)


def _take_files(files: Mapping[int, int]) -> None:
    """Have these by their numbers, and no others."""
    above = max((*files, *files.values())) + 1
    copies = {number: os.dup2(file, above + place) for place, (number, file) in enumerate(files.items())}
    for number, copy in copies.items():
        os.dup2(copy, number)
    _close_all_but(files)


def _close_all_but(kept: Iterable[int]) -> None:
    for file in {int(path.name) for path in Path("/proc/self/fd").iterdir()}.difference(kept):
        with suppress(OSError):  # that of the listing itself
            os.close(file)


def _fork_a_template(environment: Mapping[str, str]) -> Program | None:
    """Have `starts` of this program come from a template. Returns the next program in one that comes from there."""
    from tests.forked import starts

    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        mine.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        _take_files({0: nothing, 1: nothing, 2: nothing, its.fileno(): its.fileno()})
        return serve(its)
    its.close()
    starts.come_from(lambda: Template(mine, environment))
    return None


def main(file: int) -> None:
    channel = socket.socket(fileno=file)
    environment = {name: value for name, value in os.environ.items() if name != ROOM}
    gc.disable()
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()
    gc.enable()
    program = serve(channel)
    while program.module not in LEAVES and (next_one := _fork_a_template(environment)) is not None:
        program = next_one
    program.run()
