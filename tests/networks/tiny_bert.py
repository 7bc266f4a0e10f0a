"""A BERT of 16 units with random weights and a window of 64 tokens, as a folder of Hugging Face's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
WINDOW_TOKENS = 64


def write_tiny_bert(folder: Path, head: Any, **config: Any) -> Path:
    """`head` is a class of transformers. Its tokens are bytes."""
    tokenizer = _tokenizer()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    network = head(
        transformers.BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=WINDOW_TOKENS,
            initializer_range=1.0,
            **config,
        )
    )
    network.save_pretrained(folder)
    return folder


def _tokenizer() -> Any:
    pieces = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokens = Tokenizer(models.BPE({piece: number for number, piece in enumerate(pieces)}, []))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", SPECIAL["[CLS]"]), ("[SEP]", SPECIAL["[SEP]"])],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokens, pad_token="[PAD]", unk_token="[UNK]", model_max_length=WINDOW_TOKENS
    )
