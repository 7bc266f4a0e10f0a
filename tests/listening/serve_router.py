"""The router, printing its address as the other servers do: `python serve_router.py FOLDER`."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from beat_the_ai.mephisto.router.__main__ import main


def tell(path: Path) -> None:
    while not path.exists():
        time.sleep(0.02)
    written = json.loads(path.read_text())
    print(json.dumps({"address": f"http://{written['host']}:{written['port']}"}), flush=True)


if __name__ == "__main__":
    threading.Thread(target=tell, args=(Path(sys.argv[1]) / "address.json",), daemon=True).start()
    sys.argv += ["--absence-seconds", "900"]
    main()
