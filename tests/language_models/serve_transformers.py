"""`transformers serve` with a tiny model that is made here; run as a process by the tests.

    python serve_transformers.py FOLDER PORT [ANSWER]

The model is a Llama of one layer. Its tokens are characters, and ANSWER as a whole. With ANSWER its layer adds nothing,
so that the next token follows from the last one alone: after the mark that ends the prompt it says ANSWER, and ends.
Without, its weights are random.
"""

from __future__ import annotations

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.cli.serve import Serve

UNKNOWN, END, GO = "<unk>", "<eos>", "<go>"
WIDTH = 128
TEMPLATE = "{% for message in messages %}{{ message['content'] }}{% endfor %}<go>"


def make_model(folder: str, answer: str | None) -> None:
    tokens = [UNKNOWN, END, GO, *map(chr, range(32, 127)), *([answer] if answer else [])]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token=UNKNOWN,
        eos_token=END,
        pad_token=END,
        additional_special_tokens=[GO],
        chat_template=TEMPLATE,
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokens),
        hidden_size=WIDTH,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        max_position_embeddings=16_384,
        bos_token_id=None,
        eos_token_id=vocabulary[END],
        pad_token_id=vocabulary[END],
    )
    model = LlamaForCausalLM(config)
    if answer is not None:
        with torch.no_grad():
            model.model.layers[0].self_attn.o_proj.weight.zero_()
            model.model.layers[0].mlp.down_proj.weight.zero_()
            model.model.embed_tokens.weight.copy_(torch.eye(len(tokens), WIDTH))
            model.lm_head.weight.zero_()
            model.lm_head.weight[vocabulary[answer], vocabulary[GO]] = 1
            model.lm_head.weight[vocabulary[END], vocabulary[answer]] = 1
    model.save_pretrained(folder)


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name, answer in (("says", sys.argv[3]), ("random", None)):
        make_model(f"{sys.argv[1]}/{name}", answer)
    Serve(device="cpu", host="127.0.0.1", port=int(sys.argv[2]))
