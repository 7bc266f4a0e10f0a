"""The forms that people were shown, and their answers, apart from all work. The first full answer to a form stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import form_answers, forms

GIVEN, DECLINED, FAILED = "given", "declined", "failed"
FINAL = (GIVEN, FAILED)


@dataclass(frozen=True)
class FormAnswers:
    """A person's answers to a form, by the form's hash. `outcome` is given, declined or failed (attention checks)."""

    worker: str
    form: str
    outcome: str
    answers: Mapping[str, Any]
    at: datetime


class Forms:
    """Queries on forms and on the answers to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, campaign_id: str, digest: str, content: Mapping[str, Any], at: datetime) -> None:
        """Keep a form as people are shown it; one that is there stays."""

        def keep(connection: sa.Connection) -> None:
            lock_campaign(connection, campaign_id)
            there = sa.select(forms.c.digest).filter_by(campaign_id=campaign_id, digest=digest)
            if connection.scalar(there) is None:
                row = {"campaign_id": campaign_id, "digest": digest, "content": content, "at": at}
                connection.execute(sa.insert(forms).values(row))

        self._database.write(keep)

    def contents(self, campaign_id: str) -> dict[str, Mapping[str, Any]]:
        """Return the forms that people were shown, by hash, in the order in which they came into use."""
        query = sa.select(forms.c.digest, forms.c.content).filter_by(campaign_id=campaign_id)
        with self._database.reading() as connection:
            return {row.digest: row.content for row in connection.execute(query.order_by(forms.c.at, forms.c.digest))}

    def of_worker(self, campaign_id: str, worker: str) -> dict[str, FormAnswers]:
        """Return a worker's answers to all forms of the campaign, former ones too, by the forms' hashes."""
        rows = self._database.rows(_selected.filter_by(campaign_id=campaign_id, worker=worker), {})
        return {row.form: FormAnswers(**row._mapping) for row in rows}

    def answer(self, campaign_id: str, given: FormAnswers) -> FormAnswers:
        """Keep answers, and return those that stand. A form that was declined may be answered later."""

        def answer(connection: sa.Connection) -> FormAnswers:
            lock_campaign(connection, campaign_id)
            which = {"campaign_id": campaign_id, "worker": given.worker, "form": given.form}
            row = connection.execute(_selected.filter_by(**which)).one_or_none()
            if row is not None and row.outcome in FINAL:
                return FormAnswers(**row._mapping)
            kept = {"outcome": given.outcome, "answers": dict(given.answers), "at": given.at}
            if row is None:
                connection.execute(sa.insert(form_answers).values(**which, **kept))
            else:
                connection.execute(sa.update(form_answers).filter_by(**which).values(kept))
            return given

        return self._database.write(answer)

    def counts(self, campaign_id: str) -> dict[str, dict[str, int]]:
        """Return how many people have answered each form, by its hash and by outcome."""
        query = (
            sa.select(form_answers.c.form, form_answers.c.outcome, sa.func.count().label("number"))
            .filter_by(campaign_id=campaign_id)
            .group_by(form_answers.c.form, form_answers.c.outcome)
        )
        counted: dict[str, dict[str, int]] = {}
        for row in self._database.rows(query, {}):
            counted.setdefault(row.form, {})[row.outcome] = row.number
        return counted

    def blank(self, campaign_id: str) -> int:
        """Erase everybody's answers; their outcomes and times stay. Returns how many there were."""
        answered = sa.select(*_KEY, form_answers.c.answers).filter_by(campaign_id=campaign_id)

        def blank(connection: sa.Connection) -> int:
            lock_campaign(connection, campaign_id)
            keys = [row[: len(_KEY)] for row in connection.execute(answered) if row.answers]
            for key in keys:
                which = dict(zip((column.name for column in _KEY), key, strict=True))
                connection.execute(sa.update(form_answers).filter_by(**which).values(answers={}))
            return len(keys)

        return self._database.write(blank)

    def all_answers(self, campaign_id: str) -> Iterator[FormAnswers]:
        """Yield the answers of everybody, by worker and form."""
        query = _selected.filter_by(campaign_id=campaign_id)
        by = self._database.by_code_point
        with self._database.reading() as connection:
            for row in connection.execute(query.order_by(by(form_answers.c.worker), by(form_answers.c.form))):
                yield FormAnswers(**row._mapping)


_KEY = (form_answers.c.campaign_id, form_answers.c.worker, form_answers.c.form)
_selected = sa.select(*(form_answers.c[name] for name in FormAnswers.__dataclass_fields__))
