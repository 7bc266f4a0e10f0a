"""The network: bidirectional attention flow (BiDAF, Seo et al. 2017) between a passage and a question, in a few MB.

From bottom to top: word pieces are encoded by the first layers of a pretrained transformer whose vector table is
reduced (`encoder.py`); a simple recurrent unit (SRU, Lei et al. 2018) reads each text; attention flow and lexical
alignment tell each passage word about the question; three SRUs and one self-attention read the result; two pointers say
where the answer starts and ends. Passages and questions meet only in the attention flow, so a passage is encoded once.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from beat_the_ai.kinds.reading_comprehension.bidaf.features import MATCH_FEATURES, SHAPE_FEATURES
from beat_the_ai.kinds.reading_comprehension.bidaf.recurrence import scan
from beat_the_ai.networks.checkpoint import Checkpoint
from beat_the_ai.networks.encoder import MASKED, Encoder, NetworkConfig


class SRU(nn.Module):  # type: ignore[misc]
    """A bidirectional SRU layer with highway connection, (B, T, d) -> (B, T, d), Lei et al. 2018, eq. 3 to 6.

    f = σ(W_f x + b_f), r = σ(W_r x + b_r), c[t] = f∘c[t-1] + (1 - f)∘(W x), h = r∘tanh(c) + (1 - r)∘x.
    The first half of the channels walks forward, the second half backward.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(width, 3 * width)
        nn.init.xavier_uniform_(self.project.weight)
        nn.init.zeros_(self.project.bias)
        nn.init.constant_(self.project.bias[width : 2 * width], 1.0)  # remember at first

    def forward(self, x: Tensor, mask: Tensor, keep: Tensor | None = None) -> Tensor:
        """`mask` is (B, T, 1), 0 for padding; `keep` (B, 1, d) is a dropout mask for what the gates see."""
        value, forget, reset = self.project(x if keep is None else x * keep).float().chunk(3, dim=-1)
        forget = torch.sigmoid(forget)
        state = _both_ways(forget, (1 - forget) * value * mask)
        reset = torch.sigmoid(reset)
        return reset * torch.tanh(state) + (1 - reset) * x


def _both_ways(forget: Tensor, addend: Tensor) -> Tensor:
    """Scan the first half of the channels forward and the second half backward through time; all (B, T, d)."""
    half = forget.shape[-1] // 2
    forget, addend = _turned(forget.transpose(0, 1), half), _turned(addend.transpose(0, 1), half)
    return _turned(scan(forget, addend), half).transpose(0, 1)


def _turned(x: Tensor, half: int) -> Tensor:
    return torch.cat([x[..., :half], x[..., half:].flip(0)], dim=-1)


class Network(nn.Module):  # type: ignore[misc]
    """Start and end logits over passage words; the inputs are those of `features.batch`."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        width, table = config.width, config.encoder.table_width
        self.encoder = Encoder(config.encoder)
        self.reduce = nn.Linear(config.encoder.width, width)
        self.read = SRU(width)
        self.similar_passage = nn.Linear(width, 1)
        self.similar_question = nn.Linear(width, 1)
        self.similar_both = nn.Parameter(torch.ones(width) / width**0.5)
        self.align = nn.Linear(table, table)
        self.summarise = nn.Linear(width, 1)
        self.fuse = nn.Linear(5 * width + table + 1 + MATCH_FEATURES + SHAPE_FEATURES, width)
        self.model_first = SRU(width)
        self.model_attention = SelfAttention(width)
        self.model_second = SRU(width)
        self.model_end = SRU(width)
        self.start = Pointer(width)
        self.end = Pointer(width)

    def forward(
        self,
        passage_pieces: Tensor,
        passage_words: Tensor,
        passage_shape: Tensor,
        question_pieces: Tensor,
        question_words: Tensor,
        owner: Tensor,
        match: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Shapes as in `features.batch`; gives start and end logits, both (Q, T), very negative on padding."""
        passage_mask, question_mask = _mask(passage_words), _mask(question_words)
        passage_table, passage = self._read(passage_pieces, passage_words, passage_mask)
        question_table, question = self._read(question_pieces, question_words, question_mask)
        summary = _pool(self.summarise(question), question, question_mask)  # (Q, 1, d)

        passage_mask = passage_mask[owner]
        flow = self._attention_flow(passage[owner], passage_mask, question, question_mask)
        lexical = self._align(passage_table, question_table, question_mask, owner)
        seen = torch.cat([*flow, summary.expand_as(flow[0]), *lexical, match, passage_shape[owner]], dim=-1)
        fused = functional.gelu(self.fuse(self._drop(seen))).float()

        first = self.model_first(fused, passage_mask, self._keep(fused))
        first = first + self.model_attention(self._drop(first), passage_mask)
        second = self.model_second(first, passage_mask, self._keep(first))
        last = self.model_end(second, passage_mask, self._keep(second))
        return (
            self.start(self._drop(second), summary, passage_mask),
            self.end(self._drop(last), summary, passage_mask),
        )

    def _read(self, pieces: Tensor, words: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Table vectors (N, T, table) and encoded words (N, T, d) of texts, each word seen at its first piece."""
        table, encoded = self.encoder(pieces)
        word = functional.gelu(self.reduce(self._drop(_at(encoded, words)))).float()
        return _at(table, words), self.read(word, mask, self._keep(word))

    def _attention_flow(
        self, passage: Tensor, passage_mask: Tensor, question: Tensor, question_mask: Tensor
    ) -> list[Tensor]:
        """Seo et al. 2017, eq. 1 to 5: [p; p→q; p∘(p→q); p∘(q→p)], each (Q, T, d)."""
        scores = (passage * self.similar_both) @ question.transpose(1, 2)
        scores = scores + self.similar_passage(passage) + self.similar_question(question).transpose(1, 2)
        scores = (scores + (1 - question_mask.transpose(1, 2)) * MASKED).float()  # (Q, T, J)
        to_question = scores.softmax(dim=-1) @ question
        to_passage = _pool(scores.amax(dim=-1, keepdim=True), passage, passage_mask)  # (Q, 1, d)
        return [passage, to_question, passage * to_question, passage * to_passage]

    def _align(self, passage: Tensor, question: Tensor, question_mask: Tensor, owner: Tensor) -> list[Tensor]:
        """Chen et al. 2017, §3.2: question word vectors soft-aligned to passage words, and the nearest one's cosine."""
        hidden = (1 - question_mask.transpose(1, 2)) * MASKED
        scores = functional.relu(self.align(passage))[owner] @ functional.relu(self.align(question)).transpose(1, 2)
        aligned = (scores.float() + hidden).softmax(dim=-1) @ question
        nearest = functional.normalize(passage, dim=-1)[owner] @ functional.normalize(question, dim=-1).transpose(1, 2)
        return [aligned, (nearest + hidden).amax(dim=-1, keepdim=True).clamp(min=-1)]

    def _keep(self, x: Tensor) -> Tensor | None:
        """A variational dropout mask (Gal and Ghahramani 2016): the same channels along the whole text."""
        if not self.training or not self.config.dropout:
            return None
        keep = 1 - self.config.dropout
        return torch.empty(x.shape[0], 1, x.shape[-1]).bernoulli_(keep).to(x.device) / keep

    def _drop(self, x: Tensor) -> Tensor:
        keep = self._keep(x)
        return x if keep is None else x * keep


class TrainedReader(Checkpoint):
    """A trained network."""

    network_class, config_class = Network, NetworkConfig


class SelfAttention(nn.Module):  # type: ignore[misc]
    """Each passage word looks at all others, (Q, T, d) -> (Q, T, d), one head, gated as in R-NET (Wang et al. 2017)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.mix = nn.Linear(2 * width, width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        scores = self.query(x) @ self.key(x).transpose(1, 2) / x.shape[-1] ** 0.5
        scores = scores.float() + (1 - mask.transpose(1, 2)) * MASKED
        seen = scores.softmax(dim=-1) @ x
        return functional.gelu(self.mix(torch.cat([x, seen], dim=-1))).float()


class Pointer(nn.Module):  # type: ignore[misc]
    """A logit per word: how well it starts (ends) an answer to the question with this summary."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.word = nn.Linear(width, 1)
        self.question = nn.Linear(width, width)

    def forward(self, x: Tensor, summary: Tensor, mask: Tensor) -> Tensor:
        logits = self.word(x) + x @ self.question(summary).transpose(1, 2) / x.shape[-1] ** 0.5
        return (logits.float() + (1 - mask) * MASKED).squeeze(-1)


def _mask(words: Tensor) -> Tensor:
    return (words > 0).float().unsqueeze(-1)


def _at(pieces: Tensor, words: Tensor) -> Tensor:
    """Rows of `pieces` (N, L, d) at `words` (N, T)."""
    return pieces.gather(1, words.unsqueeze(-1).expand(-1, -1, pieces.shape[-1]))


def _pool(scores: Tensor, x: Tensor, mask: Tensor) -> Tensor:
    """Mean of x (N, T, d) weighted by the softmax of the scores (N, T, 1) over words: (N, 1, d)."""
    weights = (scores.float() + (1 - mask) * MASKED).softmax(dim=1)
    return weights.transpose(1, 2) @ x
