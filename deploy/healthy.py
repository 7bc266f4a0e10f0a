"""Exit with 0 if the server of this container answers at HEALTH_URL."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request

SECONDS = 5


def main() -> int:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(os.environ["HEALTH_URL"], timeout=SECONDS):
            return 0
    except urllib.error.URLError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
