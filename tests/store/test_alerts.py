"""Alerts in the store: each occurrence once, whoever keeps it, and its news claimed by one process."""

from __future__ import annotations

from datetime import timedelta

from beat_the_ai.store import Alert, Store
from tests.store.builders import NEW_YEAR, campaign

CAP, AWAY = Alert("cap", "", "80% of it."), Alert("model_away", "bert", "It is away.")
LATER = NEW_YEAR + timedelta(hours=2)


def test_an_occurrence_is_kept_once_until_it_ends_and_then_another(store: Store) -> None:
    store.campaigns.create(campaign())
    for _ in range(2):
        store.alerts.begin("pilot", [CAP, AWAY], NEW_YEAR)
    cap, away = store.alerts.of_campaign("pilot")
    assert [(one.name, one.subject, one.news) for one in (cap, away)] == [
        ("cap", "", "began"),
        ("model_away", "bert", "began"),
    ]
    store.alerts.end([cap], LATER)
    assert [one.news for one in store.alerts.of_campaign("pilot")] == [None, "began"]  # nobody had been told
    store.alerts.begin("pilot", [CAP], LATER)
    assert [one.ended_at for one in store.alerts.of_campaign("pilot")] == [LATER, None, None]


def test_news_is_sent_by_one_process_and_again_later_if_it_did_not_arrive(store: Store) -> None:
    store.campaigns.create(campaign())
    store.alerts.begin("pilot", [CAP], NEW_YEAR)
    [seen] = store.alerts.of_campaign("pilot")
    assert [store.alerts.claim(seen, NEW_YEAR) for _ in range(2)] == [True, False]
    [claimed] = store.alerts.of_campaign("pilot")
    assert not store.alerts.claim(claimed, NEW_YEAR + timedelta(minutes=4))
    assert store.alerts.claim(claimed, NEW_YEAR + timedelta(minutes=6))  # whoever had it died
    pauses = []
    for _ in range(9):
        [one] = store.alerts.of_campaign("pilot")
        store.alerts.put_off(one, NEW_YEAR)
        pauses.append((store.alerts.of_campaign("pilot")[0].due_at - NEW_YEAR).total_seconds())
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]
    [one] = store.alerts.of_campaign("pilot")
    store.alerts.keep_told(one, LATER)
    store.alerts.end([one], LATER)
    [over] = store.alerts.of_campaign("pilot")
    assert (over.told, over.news, over.tries) == ("began", "over", 0)
    store.alerts.keep_told(over, LATER)
    assert [each.news for each in store.alerts.of_campaign("pilot")] == [None]
