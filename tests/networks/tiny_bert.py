"""Tiny BERTs with random weights and a window of 64 tokens, as folders of Hugging Face's, and their tokenizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
WINDOW_TOKENS = 64


SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": WINDOW_TOKENS,
    "initializer_range": 1.0,
}
TO_TRAIN = {"hidden_size": 32, "num_hidden_layers": 1, "initializer_range": 0.2}


def write_tiny_bert(folder: Path, head: Any, tokenizer: Any = None, *, seed: int = 0, **config: Any) -> Path:
    """Write a model of 16 units whose tokens are bytes, unless told otherwise. `head` is a class of transformers."""
    tokenizer = tokenizer or byte_tokenizer()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    head(transformers.BertConfig(vocab_size=len(tokenizer), **{**SIZES, **config})).save_pretrained(folder)
    return folder


def byte_tokenizer() -> Any:
    """Return a tokenizer that takes each byte as a token."""
    pieces = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokens = Tokenizer(models.BPE({piece: number for number, piece in enumerate(pieces)}, []))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return _wrapped(tokens)


def word_piece_tokenizer() -> Any:
    """Return a tokenizer of single letters and six words, as BERT's."""
    letters = [chr(number) for number in range(33, 127) if not chr(number).isupper()]
    pieces = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), "rome", "who", "founded", "日", "本", "語"]
    tokens = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokens.normalizer = normalizers.BertNormalizer()
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _wrapped(tokens)


def _wrapped(tokens: Tokenizer) -> Any:
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", SPECIAL["[CLS]"]), ("[SEP]", SPECIAL["[SEP]"])],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokens, pad_token="[PAD]", unk_token="[UNK]", model_max_length=WINDOW_TOKENS
    )
