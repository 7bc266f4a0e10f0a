"""The files that `index.html` preloads before any script runs: a round trip takes a slow phone half a second."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

MANIFEST = Path(".vite", "manifest.json")  # the build's list of which file takes which
CONFIG = '<link rel="preload" href="./task_config.json" as="fetch" crossorigin />'


def preloading(folder: Path, page: str) -> str:
    """The `index.html` of a built page, with links to what that page takes and `index.html` does not name."""
    index = (folder / "index.html").read_text(encoding="utf-8")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    files = _files(manifest, f"src/pages/{page}/page.tsx")
    scripts = [name for name in files if f'"./{name}"' not in index]
    links = [CONFIG, *(f'<link rel="modulepreload" href="./{escape(name)}" />' for name in scripts)]
    return index.replace("</head>", "".join(f"  {link}\n  " for link in links) + "</head>")


def _files(manifest: Mapping[str, Any], chunk: str) -> list[str]:
    """Return the files of a chunk and of all its imports, which may import each other."""
    chunks, files = [chunk], dict[str, str]()
    while chunks:
        name = chunks.pop(0)
        if name in manifest and name not in files:
            files[name] = manifest[name]["file"]
            chunks[:0] = manifest[name].get("imports", ())
    return list(files.values())
