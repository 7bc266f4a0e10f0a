"""The model server as a child process: it ends when its standard input closes, that is, however its parent ends.

python -m beat_the_ai.adversary.child --member bidaf=onnx:bidaf-small --port 0
"""

from __future__ import annotations

import os
import signal
import threading

from beat_the_ai.process.gc_control import importing

with importing():
    from beat_the_ai.adversary.server import main
    from beat_the_ai.process.parent_death import keep_standard_output


def _stop_when_stdin_closes() -> None:
    while os.read(0, 1024):  # not sys.stdin: its lock would be held while the interpreter ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    keep_standard_output()  # a model may print what it likes
    threading.Thread(target=_stop_when_stdin_closes, name="parent", daemon=True).start()
    main()
