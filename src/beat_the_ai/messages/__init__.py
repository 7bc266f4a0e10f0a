"""ICU messages, and what servers say to workers by them."""

from beat_the_ai.messages.said import Said, Sentence, Speaker, joined, message_of, said, sent, sentences, told

__all__ = ["Said", "Sentence", "Speaker", "joined", "message_of", "said", "sent", "sentences", "told"]
