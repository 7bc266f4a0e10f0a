"""The model server as a child process: it ends when its standard input closes, that is, however its parent ends.

python -m beat_the_ai.adversary.child --member bidaf=onnx:bidaf-small --port 0
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from beat_the_ai.adversary.server import main


def _stop_when_stdin_closes() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_stop_when_stdin_closes, name="parent", daemon=True).start()
    main()
