"""The names that the Hugging Face hub gives to parts, AdversarialQA's among them."""

from beat_the_ai.terms.division import DEV, PARTS

SPLITS = {part: "validation" if part == DEV else part for part in PARTS}
