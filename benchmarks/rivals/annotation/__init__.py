"""The annotation servers that `benchmarks.hits` compares this suite with: psiTurk, oTree and Potato.

Each serves a minimal task, one statement about one passage, as its own documentation says, from an environment of its
own that the benchmark installs from PyPI into out/benchmarks/annotation/. No rival asks a model, returns a verdict or
checks who the annotator is. The pages' static files are left out, as are those of this suite's page.
"""

from __future__ import annotations

from benchmarks.rivals.annotation.otree import OTree
from benchmarks.rivals.annotation.potato import Potato
from benchmarks.rivals.annotation.psiturk import PsiTurk

RIVALS = {rival.name: rival for rival in (PsiTurk, OTree, Potato)}
