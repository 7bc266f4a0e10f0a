"""Requests that are carried out once, however often a page sends them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

from beat_the_ai.errors import Refused

MOST = 1000  # the oldest are forgotten
OTHER_CONTENT = "This request was sent before with other values. Reload the page, and try again."

AnswerT = TypeVar("AnswerT")


class Once(Generic[AnswerT]):
    """The answers to the last requests. Safe to use from threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[object, Future[AnswerT]]] = OrderedDict()

    def answer(self, request: Hashable, content: object, do: Callable[[], AnswerT]) -> AnswerT:
        """Return the answer of `do`, which is called unless the request was sent before. A failure is not kept.

        Raises `Refused` for a request that was sent with another `content`, and whatever `do` raises.
        """
        mine: Future[AnswerT] = Future()
        with self._lock:
            known, answered = self._kept.setdefault(request, (content, mine))
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
        if known != content:
            raise Refused(OTHER_CONTENT)
        if answered is mine:
            self._carry_out(request, mine, do)
        return answered.result()

    def _carry_out(self, request: Hashable, mine: Future[AnswerT], do: Callable[[], AnswerT]) -> None:
        try:
            mine.set_result(do())
        except BaseException as error:
            with self._lock:
                self._kept.pop(request, None)
            mine.set_exception(error)
            raise
