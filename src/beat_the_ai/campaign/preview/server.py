"""The preview as a process: one address, until a signal. It keeps nothing, and asks no model."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from beat_the_ai.campaign.preview.app import build_app
from beat_the_ai.campaign.preview.states import samples_of
from beat_the_ai.campaign.preview.words import languages
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.pages import page_folder
from beat_the_ai.errors import UnknownName
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen


def serve(settings: Settings, language: str | None, port: int, announce: Callable[[str], object]) -> None:
    """Serve the preview on this machine alone, and announce its address. Port 0 takes a free one.

    Raises `Refused` while the pages are not built, and `UnknownName` for a language that has no words.
    """
    offered = languages(settings)
    if language is not None and language not in offered:
        raise UnknownName("language", language, offered)
    samples, folder = samples_of(settings), page_folder(settings.task_dir)
    with nullcontext() if samples is None or samples.event is None else samples.event() as event:
        app = build_app(settings, folder, language or offered[0], event)
        listener = listen("127.0.0.1", port)
        announce(f"{address_of(listener)}/")
        Server(app, listener, ConnectionLimits(), believes_proxies=False, websockets=True).run()
