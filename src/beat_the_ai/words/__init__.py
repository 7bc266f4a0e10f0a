"""All that workers read, by language, in files that requesters can edit."""

from beat_the_ai.words.catalogue import Catalogue, page_words
from beat_the_ai.words.languages import product_languages

__all__ = ["Catalogue", "page_words", "product_languages"]
