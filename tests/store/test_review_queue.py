"""The review queue on either database: its order, its pages, and what its head says."""

from __future__ import annotations

from datetime import timedelta

from beat_the_ai.store import QueueHead, Store, Tally, Viewer
from tests.store.builders import NEW_YEAR, draw
from tests.store.plans import read_whole
from tests.store.test_reviews import all_of, submitted

ANN = Viewer("pilot", "ann", sees_all=True, min_reviews=1)


def test_the_queue_is_in_order_and_read_by_pages(store: Store) -> None:
    made = submitted(store, "aBcdee")
    draw(store, all_of)
    store.reviews.add("pilot", made[2], "ann", "reject", "why", NEW_YEAR + timedelta(1))
    store.reviews.add("pilot", made[3], "ann", "accept", "", NEW_YEAR + timedelta(1))
    for worker, standing in (("a", "revoked"), ("n", "candidate")):
        store.standings.add("pilot", worker, standing, by="ann", reason="why", at=NEW_YEAR)

    def bad_if_judged(events: object) -> tuple[Tally, dict[str, Tally]]:
        verdicts = [one.verdict for one in events]  # type: ignore[attr-defined]
        tally = Tally(len(verdicts), verdicts.count("accept"), verdicts.count("reject"))
        return tally, {"ann": tally} if verdicts else {}

    store.review_tallies.update("pilot", bad_if_judged)
    queue = store.review_queue
    first = queue.page(ANN, 4)
    assert ([one.worker for one in first.workers], first.left) == (["c", "B", "e", "d"], 2)
    rest = queue.page(ANN, 4, after=first.workers[-1].position)
    assert ([one.worker for one in rest.workers], rest.left) == (["n", "a"], 0)
    assert [one.worker for one in queue.page(ANN, 4, sought="b").workers] == ["B"]
    assert (queue.head(ANN), queue.head(ANN, "B"), queue.head(ANN, "e")) == (
        QueueHead(3, "B"),
        QueueHead(3, "e"),
        QueueHead(3, "B"),
    )
    assert (queue.candidates("pilot"), queue.doubted("pilot"), queue.judged_twice("pilot")) == (1, (0, 0), [])
    one = queue.worker(ANN, "c")
    assert one is not None
    assert (one.recommended, one.to_judge, one.judged_by_others) == (True, 0, 0)
    assert queue.worker(ANN, "nobody") is None
    read = read_whole(store, lambda: (queue.page(ANN, 4), queue.head(ANN)))
    assert read & {"attempts", "assignments", "hits", "reviews", "review_draws"} == set()
