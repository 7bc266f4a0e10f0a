"""Questions and answers of tests."""

from __future__ import annotations

from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.retrieval import Source
from beat_the_ai.rules.protocol import Context, TaskItem

LOOM = (
    "A lever of this machine, the batten, presses each new thread home. Ada Wren wrote that it weaves patterns from "
    "punched cards. Its shuttle flies between two sheds. For 10 points, name this machine of weavers."
)
KILN = (
    "Dr. Pell measured this chamber with cones that bend. Salt thrown into it leaves a glaze like orange peel. Bricks "
    "line its walls. For 10 points, name this oven in which potters fire clay."
)
SOURCES = [Source("Loom", LOOM), Source("Kiln", KILN, "wikipedia")]
ANSWERS = [
    Answer(page="Loom", name="Loom", aliases=["Weaving loom", "Power-loom"], questions=[LOOM]),
    Answer(page="Kiln", name="Kiln", questions=[KILN]),
    Answer(page="Émile_(book)", name="Émile", aliases=["Emile, or On Education"]),
]
CRAFTS = Context(
    "crafts", "Choose one.", "Crafts", {"category": "Crafts", "answers": [answer.model_dump() for answer in ANSWERS]}
)
PIECE = TaskItem(CRAFTS, {"number": 1})
