"""oTree 6.0.15, a participant an item: `otree prodserver`, one process with one lock around every request, and SQLite.

An annotator follows the session's link, is sent to a page, posts its form and is sent to the last page. The pages of
oTree 6 carry no CSRF token. The WebSocket that every page opens, and does not use here, is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

import httpx

from benchmarks.rivals.annotation.server import PASSAGE, Rival

DATABASE = "db.sqlite3"
SETTINGS = """\
SESSION_CONFIGS = [dict(name="statements", app_sequence=["statements"], num_demo_participants=1)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1.00, participation_fee=0.00)
LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "USD"
USE_POINTS = False
ADMIN_USERNAME = ADMIN_PASSWORD = SECRET_KEY = "benchmark"
"""
APP = """\
from otree.api import *

class C(BaseConstants):
    NAME_IN_URL = "statements"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = 1

class Subsession(BaseSubsession):
    pass

class Group(BaseGroup):
    pass

class Player(BasePlayer):
    statement = models.LongStringField()

class Statement(Page):
    form_model = "player"
    form_fields = ["statement"]

page_sequence = [Statement]
"""
PAGE = f"""\
{{{{ block title }}}}Write a statement{{{{ endblock }}}}
{{{{ block content }}}}<p>{PASSAGE}</p>{{{{ formfields }}}}{{{{ next_button }}}}{{{{ endblock }}}}
"""


class OTree(Rival):
    name = "otree"
    requirements = ("otree==6.0.15",)
    stores = (
        "SQLite: the statement in a row that the session had before, a commit for each request that changes anything"
    )

    def prepare(self) -> None:
        (self.folder / "_static").mkdir()
        (self.folder / "settings.py").write_text(SETTINGS, encoding="utf-8")
        app = self.folder / "statements"
        app.mkdir()
        (app / "__init__.py").write_text(APP, encoding="utf-8")
        (app / "Statement.html").write_text(PAGE, encoding="utf-8")
        self.run(self.programs() / "otree", "resetdb", "--noinput")
        self.run(self.programs() / "otree", "create_session", "statements", str(self.hits))
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            [[code]] = database.execute("SELECT _anonymous_code FROM otree_session")
        self._link = f"{self.url}/join/{code}"

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "OTREE_PRODUCTION": "1"}

    def command(self) -> Sequence[str]:
        return [str(self.programs() / "otree"), "prodserver", f"127.0.0.1:{self.port}"]

    async def write(self, http: httpx.AsyncClient, annotator: str, number: int, statement: str) -> None:
        page = await http.get(self._link, params={"participant_label": f"{annotator}-{number}"})
        (await http.post(page.raise_for_status().url, data={"statement": statement})).raise_for_status()

    def stored(self) -> list[str]:
        with closing(sqlite3.connect(self.folder / DATABASE)) as database:
            rows = database.execute("SELECT statement FROM statements_player WHERE statement IS NOT NULL").fetchall()
        return [statement for (statement,) in rows]
