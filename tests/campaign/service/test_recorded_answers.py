"""Language models' answers in a campaign: what was never asked sets no money aside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import UNKNOWN_PRECISION, ModelIdentity
from beat_the_ai.adversary.wire import STATUS_OF_CODE
from beat_the_ai.campaign.service.recorded_answers import RecordedAnswers
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker
from beat_the_ai.store import Store
from tests.cli.launching import TASK

NAME = "recorded"
QUERY = Query(context="Rome fell in 476.", question="When did Rome fall?")
PRICES = Prices(
    cents_per_million_tokens_in=Decimal(1000), cents_per_million_tokens_out=Decimal(10000), max_answer_tokens=256
)
IDENTITY = ModelIdentity("tiny", "reading_comprehension", "0" * 64, UNKNOWN_PRECISION)


@contextmanager
def refusing_server(code: str, field: str) -> Iterator[str]:
    """The address of a server that asks no model."""

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = f'{{"error": {{"code": "{code}", "message": "No.", "field": "{field}"}}}}'.encode()
            self.send_response(STATUS_OF_CODE[code])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("code", "field"), [("invalid", "queries.0.context"), ("unknown", "model")])
def test_a_question_that_the_server_does_not_take_costs_nothing(
    store: Store, tmp_path: Path, code: str, field: str
) -> None:
    planned = PlannedRound(store, read_settings(TASK, [], name=NAME, out=tmp_path))
    begin_or_resume(planned)
    with refusing_server(code, field) as address:
        pool = Pool([Member("tiny", address)], 1)
        with closing(ModelInTheLoop(pool, Prediction, 5, {"tiny": IDENTITY}, {"tiny": PRICES})) as model:
            answers = RecordedAnswers(model, Prediction, store, NAME, {"tiny": PRICES}, lambda: 1000)
            with pytest.raises(BeatTheAIError):
                answers.ask(QUERY, key="a", asker=Asker("a", "w", 5))
    assert store.model_answers.spent_microcents(NAME) == 0
