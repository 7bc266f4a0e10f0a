"""Games on Protobowl: what people have answered to questions, of which QANTA has many (Rodriguez et al. 2019).

| shape | fields |
|---|---|
| the log, a line for each answer | date, object {qid, user {id}, ruling, guess, time_elapsed, time_remaining} |
| the table that QANTA's code makes of it | qid, uid, result, date |

A question has its `qid` as `proto_id` in QANTA.
"""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.rules.protocol import Json

NO_QUESTION = "question_id"  # a few thousand answers in the log are to no question that is named


def response(row: Json) -> Json | None:
    """Return an answer as AdvScore reads them, and any other row as it is.

    None for an answer to no question, and for one that was not judged: the player was prompted for more.
    """
    played = row.get("object", row)
    if not isinstance(played, Mapping) or "qid" not in played or not {"ruling", "result"} & played.keys():
        return row
    user, ruling = played.get("user"), played.get("ruling", played.get("result"))
    if played["qid"] == NO_QUESTION or ruling == "prompt":
        return None
    subject = user.get("id") if isinstance(user, Mapping) else played.get("uid")
    return {"subject": subject, "kind": "person", "item": played["qid"], "correct": ruling}
