"""A server of chat completions as a process, which tests kill: python -m tests.language_models.serve_chat [PORT]

It answers every question with the last word of the passage, and ends with whoever has started it.
"""

from __future__ import annotations

import json
import sys

from beat_the_ai.process.parent_death import announce
from tests.language_models.chat_server import serving


def last_word(asked: dict[str, str]) -> str:
    return json.dumps({"answer": asked["context"].split()[-1]})


if __name__ == "__main__":
    with serving(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as servers:
        chat = servers.new()
        chat.answer = last_word
        announce({"address": chat.address})
        sys.stdin.read()
