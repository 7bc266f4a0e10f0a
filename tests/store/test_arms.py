"""The draw of arms: balanced, the same in every run, once for each worker, whatever dies and whoever draws at once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, closing
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.store import ArmBlocks, ArmCounts, Round, Store, open_store
from beat_the_ai.store.arms import MOST_IN_BLOCK
from beat_the_ai.store.tables import arm_draws
from tests.store.builders import NEW_YEAR, at_once, attempt, campaign, context

ROOT = Path(__file__).parents[2]
ARMS = ArmBlocks(("human", "model", "paid"), seed=4)
names = st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), min_size=2, max_size=6, unique=True)


def spread(arms: list[str], of: ArmBlocks) -> int:
    """Return how many workers more the biggest arm has than the smallest."""
    numbers = [arms.count(name) for name in of.names]
    return max(numbers) - min(numbers)


def offered(store: Store, hits: int, rounds: int = 1) -> list[str]:
    """HITs of a campaign, one on each context; the first round's before the second's."""
    store.campaigns.create(campaign())
    found = list[str]()
    for number in range(1, rounds + 1):
        store.rounds.open(Round("pilot", number, {}, NEW_YEAR))
        contexts = [context(f"{number}/{each}") for each in range(hits)]
        found += store.campaigns.offer("pilot", contexts, round_number=number, slots=1)
    return found


def take(store: Store, hit: str, worker: str, registration: str | None = None, arms: ArmBlocks = ARMS) -> str | None:
    return store.attempts.accept(hit, worker, registration or f"{hit}-{worker}", NEW_YEAR, arms=arms)[0].arm


def rows_of(store: Store) -> list[Any]:
    with store.database.reading() as connection:
        return list(connection.execute(sa.select(arm_draws).order_by(arm_draws.c.round, arm_draws.c.position)))


@given(names, st.integers(), st.integers(1, 5), st.integers(1, 60))
def test_the_arms_of_the_first_workers_never_differ_by_more_than_a_block_has_of_each(
    arms: list[str], seed: int, number: int, workers: int
) -> None:
    blocks = ArmBlocks(tuple(arms), seed)
    for most in (1, MOST_IN_BLOCK):
        drawn = [blocks.at(number, position, most) for position in range(workers)]
        assert all(spread(drawn[:end], blocks) <= most for end in range(workers + 1))
        assert drawn == [ArmBlocks(tuple(reversed(arms)), seed).at(number, each, most) for each in range(workers)]


@given(names, st.integers(), st.integers(1, 60), st.data())
def test_when_workers_are_erased_the_arms_differ_by_no_more_than_by_so_many_again(
    arms: list[str], seed: int, workers: int, data: st.DataObject
) -> None:
    blocks = ArmBlocks(tuple(arms), seed)
    erased = data.draw(st.sets(st.integers(0, workers - 1)))
    left = [blocks.at(1, position) for position in range(workers) if position not in erased]
    assert spread(left, blocks) <= MOST_IN_BLOCK + len(erased)


def test_whoever_knows_all_earlier_arms_cannot_tell_the_next_one() -> None:
    """The best guess is the arm that stands back; with blocks that have each arm once, it is right at each end."""
    known: dict[int, float] = {}
    for most in (1, MOST_IN_BLOCK):
        right = guesses = 0
        for seed in range(60):
            blocks = ArmBlocks(("human", "model"), seed)
            drawn = [blocks.at(1, position, most) for position in range(40)]
            ahead = [0, *accumulate(1 if arm == "human" else -1 for arm in drawn)]
            for lead, arm in zip(ahead, drawn, strict=False):
                guesses += lead != 0
                right += lead != 0 and (arm == "human") == (lead < 0)
        known[most] = right / guesses
    assert known[1] == 1
    assert known[MOST_IN_BLOCK] < 0.85


def test_the_sizes_of_blocks_are_equally_likely() -> None:
    firsts = [ArmBlocks(("a", "b"), seed) for seed in range(900)]
    sizes = Counter(len(blocks._places(1, 0, MOST_IN_BLOCK)) for blocks in firsts)
    assert sizes.keys() == {2, 4, 6}
    assert all(240 < number < 360 for number in sizes.values())


def test_a_round_that_began_with_blocks_of_one_size_goes_on_with_them(store: Store) -> None:
    """These are the arms that such a round drew, by an older version."""
    older = ["human", "paid", "model", "human", "paid", "model", "model", "paid", "human"]
    assert [ARMS.at(1, position, 1) for position in range(9)] == older
    assert [ARMS.at(1, position) for position in range(9)] != older
    hits = offered(store, 10, rounds=2)
    columns = ("campaign_id", "round", "worker", "position", "arm", "at")  # before there were others
    rows = [("pilot", 1, f"w{number}", number, older[number], NEW_YEAR) for number in range(4)]
    with store.database.writing() as connection:
        connection.execute(sa.insert(arm_draws), [dict(zip(columns, row, strict=True)) for row in rows])
    assert [take(store, hits[number], f"w{number}") for number in range(9)] == older
    assert take(store, hits[10], "w0") == ARMS.at(2, 0)
    assert [row.most_in_block for row in rows_of(store)] == [1] * 9 + [MOST_IN_BLOCK]


def test_seed_and_round_decide_the_order_in_a_block() -> None:
    orders = {tuple(ArmBlocks(ARMS.names, seed).at(1, position) for position in range(30)) for seed in range(5)}
    assert len(orders) == 5
    assert [ARMS.at(1, position) for position in range(30)] != [ARMS.at(2, position) for position in range(30)]
    firsts = Counter(ArmBlocks(ARMS.names, seed).at(1, 0) for seed in range(600))
    assert all(150 < firsts[name] < 250 for name in ARMS.names)


def test_a_worker_keeps_the_arm_of_the_first_hit_in_all_others_of_the_round(store: Store) -> None:
    hits = offered(store, 8, rounds=2)
    arm = take(store, hits[0], "w1")
    others = [take(store, hits[number], f"w{number}") for number in (2, 3, 4)]
    assert [take(store, hit, "w1") for hit in (hits[0], hits[1], hits[5])] == [arm] * 3
    assert Counter([arm, *others]).keys() == set(ARMS.names)
    assert take(store, hits[8], "w1") == ARMS.at(2, 0)  # another round is another draw
    assert [(row.round, row.position, row.arm) for row in rows_of(store)] == [
        *((1, position, ARMS.at(1, position)) for position in range(4)),
        (2, 0, ARMS.at(2, 0)),
    ]
    assert store.arms.drawn("pilot")[2, "w1"] == ARMS.at(2, 0)


def test_without_arms_nobody_is_drawn(store: Store) -> None:
    [hit] = offered(store, 1)
    assert store.attempts.accept(hit, "w1", "r1", NEW_YEAR)[0].arm is None
    assert rows_of(store) == []


def test_two_operators_on_one_database_draw_each_worker_once(store: Store, store_url: str) -> None:
    workers = [f"w{number}" for number in range(10)]
    hits = offered(store, 2 * len(workers))
    with ExitStack() as opened:
        operators = [opened.enter_context(closing(open_store(store_url))) for _ in range(2)]

        def work(number: int) -> str | None:
            """Each worker takes two HITs at once, one from each operator."""
            return take(operators[number % 2], hits[number], workers[number // 2])

        arms = at_once(len(hits), work)
    assert arms[::2] == arms[1::2]
    rows = rows_of(store)
    assert [row.position for row in rows] == list(range(len(workers)))
    assert {row.worker: row.arm for row in rows} == dict(zip(workers, arms[::2], strict=True))
    assert [row.arm for row in rows] == [ARMS.at(1, position) for position in range(len(rows))]


def test_a_killed_operator_loses_no_arm_that_was_told_and_draws_nobody_again(store: Store, store_url: str) -> None:
    hits = offered(store, 400)
    told: dict[str, str] = {}
    draw = random.Random(7)
    for turn in range(3):
        command = [
            sys.executable,
            "-m",
            "tests.store.draw_until_killed",
            store_url,
            str(turn),
            *hits[: 60 * (turn + 1)],
        ]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            before_the_kill = [process.stdout.readline() for _ in range(draw.randint(1, 30))]
            process.send_signal(signal.SIGKILL)
            for line in chain(before_the_kill, process.stdout):
                worker, _, arm = line.strip().partition(" ")
                if line.endswith("\n"):
                    assert told.setdefault(worker, arm) == arm
        assert process.returncode == -signal.SIGKILL
    rows = rows_of(store)
    assert {row.worker: row.arm for row in rows}.items() >= told.items()
    assert [row.position for row in rows] == list(range(len(rows)))
    assert [row.arm for row in rows] == [ARMS.at(1, position) for position in range(len(rows))]
    assert len(rows) <= len(told) + 3


def test_the_place_of_an_erased_worker_in_a_block_is_drawn_again(store: Store) -> None:
    hits = offered(store, 8)
    arms = [take(store, hits[number], f"w{number}") for number in range(5)]
    assert "arm_draws" in store.erasure.holdings("w1").rows
    store.erasure.erase("w1", "AFORGOTTEN1", NEW_YEAR)
    assert not any("w1" in row for row in rows_of(store))
    assert take(store, hits[5], "w5") == arms[1]
    assert take(store, hits[6], "w6") == ARMS.at(1, 5)


def test_counts_are_of_hits_that_count_without_discarded_writers(store: Store) -> None:
    hits = offered(store, 4)
    for number, worker in enumerate(("w0", "w1", "w2")):
        made_in, _ = store.attempts.accept(hits[number], worker, f"r{number}", NEW_YEAR, arms=ARMS)
        for ordinal in (1, 2, 3):
            store.attempts.add(attempt(made_in.id, ordinal, fingerprint=f"{number}-{ordinal}"))
        store.attempts.mark(made_in.id, attempt(made_in.id, 3).id, retracted_at=NEW_YEAR)
        if worker != "w2":
            store.assignments.submit(made_in.id, None, NEW_YEAR)
    arms = {worker: arm for (_, worker), arm in store.arms.drawn("pilot").items()}
    counts = store.arms.counts("pilot", 1)
    assert [counts[arms[worker]] for worker in ("w0", "w1")] == [
        ArmCounts(1, 1, {worker: (1, 2)}) for worker in ("w0", "w1")
    ]
    assert counts[arms["w2"]] == ArmCounts(1)
    assert store.arms.counts("pilot", 1, {"w0"})[arms["w0"]] == ArmCounts(1)
    assert store.arms.counts("pilot", 2) == {}
