"""Acts that are done once, however often a page sends them, whichever console is asked, and whenever one is killed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from beat_the_ai.console.act_views import Done
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import ActRequest, AlreadyDone, Store, now

OTHER_CONTENT = "This request was sent before with other values. Reload the page, and try again."
UNTOLD = "This is done. The console ended before it could say more; the log has it."


class Once:
    """The acts that are being done now. Those that were done are in the store. Safe to use from threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._doing: dict[tuple[Store, ActRequest], Future[Done]] = {}

    def answer(self, store: Store, request: ActRequest, do: Callable[[], Done]) -> Done:
        """Return the report of `do`, which is called unless the request's act was done. A failure is not kept.

        Raises `Refused` for a request that was sent with another content, and whatever `do` raises.
        """
        mine: Future[Done] = Future()
        with self._lock:
            answered = self._doing.setdefault((store, request), mine)
        if answered is mine:
            try:
                mine.set_result(_once(store, request, do))
            except BaseException as error:
                mine.set_exception(error)
                raise
            finally:
                with self._lock:
                    self._doing.pop((store, request))
        return answered.result()


def _once(store: Store, request: ActRequest, do: Callable[[], Done]) -> Done:
    known = store.act_requests.find(request)
    if known is None:
        try:
            done = do()
        except AlreadyDone:  # another console was faster
            known = store.act_requests.find(request)
            assert known is not None, "requests stay"
    if known is not None:
        if known.content != request.content:
            raise Refused(OTHER_CONTENT)
        if known.report is not None:
            return Done.model_validate(known.report)
        done = _finished(do)
    store.act_requests.answer(request, done.model_dump(), now())
    return done


def _finished(do: Callable[[], Done]) -> Done:
    """Return the report of an act that is in the log, whose process may still have to be started."""
    try:
        done = do()
    except (AlreadyDone, InvalidInput, Refused):
        done = None
    return done if done is not None and done.has_changed else Done(has_changed=True, told=UNTOLD)
