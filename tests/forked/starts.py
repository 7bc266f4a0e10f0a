"""Which starts of programs come from the template: `python -m` of the suite's own modules, in an environment like its.

All else is started as ever: what a module does when it is imported may hang on other variables.
"""

from __future__ import annotations

import inspect
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.forked.template import COMMAND_BYTES, ENVIRONMENT_BYTES, IS_POSSIBLE, ROOM, Program, Template

OWN = ("beat_the_ai.", "benchmarks.", "tests.")  # modules
FREE = (
    "AWS_",
    "BAYES_WAITS_FOR",
    "BEAT_THE_AI_",
    "HEALTH_URL",
    "PATH",
    "PROLIFIC_TOKEN",
    "PYTEST_",
    "npm_config_",
)  # not looked at by an import
LATER = (
    "ARROW_",
    "KMP_",
    "RAY_",
    "TORCHINDUCTOR_",
)  # variables of packages that no template imports, set by them and by us
COMMAND = "import sys; from tests.forked.template import main; main(int(sys.argv[1]))"
PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
USUAL = {
    "executable": None,
    "preexec_fn": None,
    "close_fds": True,
    "shell": False,
    "uid": None,
    "gid": None,
    "gids": None,
    "umask": -1,
}
START = subprocess.Popen._execute_child  # type: ignore[attr-defined]
SIGNATURE = inspect.signature(START)


def pytest_collection_finish(session: pytest.Session) -> None:
    """With the variables of now: every module of tests is imported, and no test has begun."""
    if IS_POSSIBLE:
        environment, started = dict(os.environ), ExitStack()
        come_from(lambda: started.enter_context(_started(environment)))
        session.config.add_cleanup(started.close)


@contextmanager
def new_interpreters() -> Iterator[None]:
    """Have each start in the block make a new interpreter, and each start of what was started there.

    So sets have another order there: for whoever compares what two programs do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONHASHSEED", "20200813")
        yield


@contextmanager
def _started(environment: Mapping[str, str]) -> Iterator[Template]:
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, str(its.fileno()), " " * COMMAND_BYTES],
            stdin=subprocess.DEVNULL,
            pass_fds=[its.fileno()],
            cwd=Path(__file__).parents[2],
            env={**environment, ROOM: " " * ENVIRONMENT_BYTES},
        )
    with process, mine:  # it ends once the socket is closed
        yield Template(mine, environment)
    subprocess.Popen._execute_child = START  # type: ignore[attr-defined]


def come_from(begin: Callable[[], Template]) -> None:
    """Have this process's starts come from a template, which begins with the first of them."""
    templates: list[Template] = []

    def execute_child(process: Any, *given: Any, **named: Any) -> None:
        asked = SIGNATURE.bind(process, *given, **named).arguments
        if _is_ours(asked) and _is_forked(process, asked):
            process._close_pipe_fds(*(asked[name] for name in PIPES))
        else:
            START(process, *given, **named)

    def _is_forked(process: Any, asked: Mapping[str, Any]) -> bool:
        if not templates:
            templates.append(begin())
        program = _program(asked)
        if not _is_alike(program.environment, templates[0].environment):
            return False
        sys.audit("subprocess.Popen", sys.executable, asked["args"], asked["cwd"], asked["env"])
        process.pid = templates[0].start(program, _files(asked))
        process._child_created = True
        return True

    subprocess.Popen._execute_child = execute_child  # type: ignore[attr-defined]


def _is_ours(asked: Mapping[str, Any]) -> bool:
    if isinstance(asked["args"], str | bytes | os.PathLike):
        return False
    python, option, module = [*map(str, asked["args"]), "", "", ""][:3]
    is_usual = all(asked.get(name, usual) == usual for name, usual in USUAL.items())
    return (
        (python, option) == (sys.executable, "-m") and module.startswith(OWN) and is_usual and _folder(asked).is_dir()
    )


def _is_alike(environment: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(name.startswith(FREE + LATER) for name, _ in environment.items() ^ other.items())


def _program(asked: Mapping[str, Any]) -> Program:
    _, _, module, *arguments = map(os.fsdecode, asked["args"])
    environment = os.environ if asked["env"] is None else asked["env"]
    group = asked.get("process_group", -1)
    return Program(
        module=module,
        arguments=arguments,
        environment={os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()},
        folder=str(_folder(asked)),
        umask=_umask(),
        has_new_session=bool(asked["start_new_session"]),
        process_group=-1 if group is None else group,
    )


def _folder(asked: Mapping[str, Any]) -> Path:
    return Path.cwd() / os.fsdecode(asked["cwd"] or "")


def _umask() -> int:
    """Return the umask of this process. `os.umask` would set another one for all threads meanwhile."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("Umask:")]
    return int(line.split()[1], 8)


def _files(asked: Mapping[str, Any]) -> dict[int, int]:
    """Return the files that the program gets, by their numbers there."""
    standard = (asked["p2cread"], asked["c2pwrite"], asked["errwrite"])
    files = {number: number if file == -1 else file for number, file in enumerate(standard)}
    return files | {file: file for file in asked["pass_fds"]}
