"""ICU messages, and what servers say to workers by them."""

from beat_the_ai.messages.said import Said, Speaker, joined, message_of, said, sent, told

__all__ = ["Said", "Speaker", "joined", "message_of", "said", "sent", "told"]
