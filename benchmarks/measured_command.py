"""The command line in a process that says at its end what it took: `python -m benchmarks.measured_command ARGS...`.

The last line on standard error is JSON: CPU seconds since the process began, and its peak memory.
"""

from __future__ import annotations

import json
import os
import sys
import time

from beat_the_ai.cli import main
from benchmarks.processes import peak_rss_mb

if __name__ == "__main__":
    try:
        main()
    finally:
        figures = {"cpu_seconds": time.process_time(), "peak_megabytes": peak_rss_mb(os.getpid())}
        print(json.dumps(figures), file=sys.stderr)
