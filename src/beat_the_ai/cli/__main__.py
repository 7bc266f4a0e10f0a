"""`python -m beat_the_ai.cli` is `beat-the-ai`."""

from beat_the_ai.cli import main

main(prog_name="beat-the-ai")
