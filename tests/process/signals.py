"""Tests that one signal stops a server, whenever it comes. `test_signals` runs them in a process of their own."""

from __future__ import annotations

import os
import signal
import threading
import weakref

import pytest

from beat_the_ai.process.signals import interrupted, noted

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_and_is_kept(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with interrupted() as stopped:
        assert not stopped.is_set()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        assert stopped.is_set()
    assert signal.getsignal(number) is before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_comes_while_an_object_is_destroyed_is_not_lost(number: signal.Signals) -> None:
    """Where Python prints the exception and goes on."""

    class Thing:
        pass

    def destroyed(_: object) -> None:
        os.kill(os.getpid(), number)

    with interrupted() as stopped:
        thing = Thing()
        reference = weakref.ref(thing, destroyed)
        del thing
        assert stopped.is_set()
    assert reference() is None


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_noted(number: signal.Signals) -> None:
    stopped = threading.Event()
    with noted(stopped):
        os.kill(os.getpid(), number)
    assert stopped.is_set()


def test_what_ignores_ctrl_c_goes_on_to_ignore_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupted() as stopped:
            os.kill(os.getpid(), signal.SIGINT)
        assert not stopped.is_set()
    finally:
        signal.signal(signal.SIGINT, before)
