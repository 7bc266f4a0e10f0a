"""LitServe with a worker for each core."""

from __future__ import annotations

from typing import Any

import litserve

from benchmarks.rivals import CORES, answer, port, reader


class Reader(litserve.LitAPI):  # type: ignore[misc]
    def setup(self, device: str) -> None:
        self.reader = reader(threads=1)

    def predict(self, asked: dict[str, str]) -> dict[str, Any]:
        return answer(self.reader, asked)


if __name__ == "__main__":
    server = litserve.LitServer(Reader(), accelerator="cpu", workers_per_device=CORES, timeout=False)
    server.run(host="127.0.0.1", port=port(), generate_client_file=False, log_level="warning")
