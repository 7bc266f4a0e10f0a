"""Mephisto's own Node router, ready to run: a copy with its packages installed and one fault corrected.

On Node 20 and newer the pinned `ws` reports a sent packet with `null` where the router waits for `undefined`, so it
sends every packet a second time, 500 ms later. The rival is measured without that fault.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

FAULTS = {"(error === undefined)": "(error == null)", "(error2 === undefined)": "(error2 == null)"}
ROOT = Path(__file__).parents[2]
OWN_NODE = ROOT / "webapp" / ".node" / "bin"


def use_node() -> None:
    """Put the project's own Node, where it was built, in front of any other. Ends the program if there is none."""
    if (OWN_NODE / "npm").exists():
        os.environ["PATH"] = f"{OWN_NODE}{os.pathsep}{os.environ['PATH']}"
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        raise SystemExit(
            f"Mephisto's stock router needs {' and '.join(missing)}, which this machine lacks. "
            "Run `make webapp` (it brings a Node into webapp/.node), or install Node 18 or newer."
        )


def corrected_router(source: Path, target: Path) -> Path:
    """`source` (Mephisto's router/node) copied to `target` and made to work; kept if it is there already."""
    if target.exists():
        return target
    draft = target.with_name(f"{target.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(source, draft)
    _correct(draft / "server.js")
    if subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=draft, check=False).returncode != 0:
        raise SystemExit("npm could not install the stock router's packages; is the npm registry reachable?")
    return draft.rename(target)


def _correct(server: Path) -> None:
    code = server.read_text(encoding="utf-8")
    for fault, correction in FAULTS.items():
        if code.count(fault) != 1:
            raise SystemExit(f"{server.name} is not Mephisto 1.1.1's: {fault!r} does not stand there once.")
        code = code.replace(fault, correction)
    server.write_text(code, encoding="utf-8")
