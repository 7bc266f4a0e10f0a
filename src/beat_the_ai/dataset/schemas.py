"""The columns of the dataset and of the table of attempts, for pyarrow."""

from __future__ import annotations

import pyarrow as pa

_TEXT, _POSITION, _NUMBER, _TRUTH = pa.string(), pa.int32(), pa.float64(), pa.bool_()

EXAMPLES = pa.schema(
    {
        "id": _TEXT,
        "title": _TEXT,
        "context": _TEXT,
        "question": _TEXT,
        "answers": pa.struct({"text": pa.list_(_TEXT), "answer_start": pa.list_(_POSITION)}),
        "metadata": pa.struct({"split": _TEXT, "model_in_the_loop": _TEXT}),
    }
)
ATTEMPTS = pa.schema(
    {
        "attempt_id": _TEXT,
        "context_id": _TEXT,
        "context": _TEXT,
        "question": _TEXT,
        "answer": pa.struct({"text": _TEXT, "start": _POSITION}),
        "model_answer": pa.struct({"text": _TEXT, "start": _POSITION, "score": _NUMBER}),
        "f1": _NUMBER,
        "f1_threshold": _NUMBER,
        "fooled": _TRUTH,
        "retracted": _TRUTH,
        "flag": _TEXT,
        "validation": _TEXT,
        "votes": pa.list_(
            pa.struct({"worker": _TEXT, "answer": _TEXT, "answer_start": _POSITION, "agrees": _TRUTH, "counts": _TRUTH})
        ),
        "part": _TEXT,
        "dropped": _TEXT,
        "model": pa.struct({"name": _TEXT, "hash": _TEXT, "precision": _TEXT}),
        "worker": _TEXT,
        "hit": _TEXT,
        "assignment": _TEXT,
        "try": _POSITION,
        "round": _POSITION,
        "created_at": _TEXT,
    }
)
