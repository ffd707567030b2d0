"""Dense retrievers that are trained on a set, as in DPR: questions near the passages that prove answers."""

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.systems.retrieve.encoder import pooled
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, BaseCheckpoint, load_base
from rollcall.systems.train.loop import parts
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from rollcall.text.words import fold

if TYPE_CHECKING:
    import torch
    from torch import Tensor, device
    from torch.nn import Module


# How a dense retriever is trained.


class DprOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a dense retriever is trained."""

    batch: Positive = 128
    """The number of questions for each step; the passages of all of them are negatives of the others."""
    shared: bool = True
    """One encoder for questions and passages, or one for each."""
    passage_base: str | None = None
    """The checkpoint of the encoder for passages, if there are two and they start from different ones."""
    pooling: Literal["mean", "cls"] = "mean"
    """How words become one vector: their mean, or the first one."""
    similarity: Literal["cosine", "dot"] = "cosine"
    """How vectors are compared."""
    temperature: Annotated[float, msgspec.Meta(gt=0)] = 0.05
    """Similarities are divided by this number in the loss; 1 for inner products."""
    positives: Annotated[int, msgspec.Meta(ge=0)] = 4
    """The number of positives of a question for each epoch, each an example; 0 for all."""
    negatives: Annotated[int, msgspec.Meta(ge=0)] = 1
    """The number of hard negatives for each example: retrieved passages that name no answer."""
    depth: Positive = 100
    """Hard negatives are drawn from this number of such passages, the best first."""
    length: Positive = 256
    """Longer texts are cut to this number of tokens."""
    pool: Positive = 50
    """The number of passages of each dev question among which an evaluation searches, besides proofs."""


# The network of a dense retriever: token numbers in, vectors out; one encoder for both sides or two. A
# step compares all its vectors with one another, and its activations need not fit into memory (gradient
# caching): first all texts are encoded without a graph, then the loss gives the gradient of each vector,
# and then each part is encoded again, with the same dropout, and its gradient is propagated back to the
# weights.

Side: TypeAlias = Literal["question", "passage"]
SIDES: tuple[Side, ...] = ("question", "passage")


class Encoders:
    """The encoders of both sides."""

    def __init__(self, networks: "Sequence[Module]", padding: int, options: DprOptions) -> None:
        """`networks` is one for each side, or one for both."""
        import torch

        self._torch: Any = torch
        self._padding, self._options = padding, options
        if len(networks) == 1 and not options.shared:
            networks = [networks[0], deepcopy(networks[0])]
        names = SIDES if len(networks) > 1 else ("both",)
        self.network: Module = torch.nn.ModuleDict(dict(zip(names, networks, strict=True)))

    def of(self, side: Side) -> Any:
        """The encoder of a side."""
        networks: Any = self.network
        return networks[side] if side in networks else networks["both"]

    @property
    def dimension(self) -> int:
        return int(self.of("passage").config.hidden_size)

    @property
    def device(self) -> "device":
        return next(self.network.parameters()).device

    def encode(self, side: Side, texts: Sequence[Sequence[int]]) -> "Tensor":
        """One vector for each text."""
        torch = self._torch
        longest = max(map(len, texts))
        words = torch.full((len(texts), longest), self._padding)
        mask = torch.zeros((len(texts), longest), dtype=torch.long)
        for row, text in enumerate(texts):
            words[row, : len(text)] = torch.tensor(text)
            mask[row, : len(text)] = 1
        words, mask = words.to(self.device), mask.to(self.device)
        layer = self.of(side)(input_ids=words, attention_mask=mask).last_hidden_state
        vectors: Tensor = pooled(layer, mask, self._options.pooling).float()
        if self._options.similarity == "cosine":
            vectors = torch.nn.functional.normalize(vectors, dim=1)
        return vectors

    def backward(
        self,
        parts: Sequence[Sequence[int]],
        rows: int,
        encode: "Callable[[Sequence[int]], Tensor]",
        loss_of: "Callable[[Tensor], Tensor]",
    ) -> "Tensor":
        """Add the gradient of a loss over many vectors to the weights; returns the loss.

        Each part is the numbers of the rows that it computes, `encode` gives the vectors of these, and
        `loss_of` takes the vectors of all rows. The rows of other processes are fetched from them.
        """
        torch = self._torch
        several = torch.distributed.is_initialized()
        if len(parts) == 1 and not several:
            loss = loss_of(self._placed(parts, [encode(parts[0])], rows))
            loss.backward()
            return loss.detach()
        states, encoded = [], []
        with torch.no_grad():
            for part in parts:
                states.append(self._random_state())
                encoded.append(encode(part))
            vectors = self._placed(parts, encoded, rows)
        if several:
            torch.distributed.all_reduce(vectors)
        # Older versions of torch use weights again that were rounded without a graph, and learn nothing.
        torch.clear_autocast_cache()
        vectors.requires_grad_()
        loss = loss_of(vectors)
        loss.backward()
        for part, state in zip(parts, states, strict=True):
            self._set_random_state(state)
            assert vectors.grad is not None
            (encode(part) * vectors.grad[list(part)]).sum().backward()
        return loss.detach()

    def _placed(self, parts: Sequence[Sequence[int]], encoded: "Sequence[Tensor]", rows: int) -> "Tensor":
        """The vectors of parts in a matrix of all rows; those of other processes are zero."""
        torch = self._torch
        vectors: Tensor = torch.zeros((rows, self.dimension), device=self.device)
        if parts:
            row_indices = torch.tensor([row for part in parts for row in part], device=self.device)
            vectors = vectors.index_copy(0, row_indices, torch.cat(list(encoded)))
        return vectors

    def _random_state(self) -> "list[Tensor]":
        """The random numbers that come next."""
        torch = self._torch
        on_gpu = [torch.cuda.get_rng_state(self.device)] if self.device.type == "cuda" else []
        return [torch.get_rng_state(), *on_gpu]

    def _set_random_state(self, state: "list[Tensor]") -> None:
        self._torch.set_rng_state(state[0])
        if len(state) > 1:
            self._torch.cuda.set_rng_state(state[1], self.device)


def plain(network: Any) -> Any:
    """The encoder inside a checkpoint of DPR, whose first vector is what DPR uses; any other as it is."""
    for name in ("question_encoder", "ctx_encoder"):
        inner = getattr(network, name, None)
        if inner is not None:
            if inner.projection_dim:
                raise RollcallError("dpr: a checkpoint of DPR with a projection cannot be trained further")
            return inner.bert_model
    return network


# Examples for a dense retriever: a question, a passage that proves an answer, and hard negatives. Every
# other passage of a step is a negative too, unless it proves or names an answer of the question: then it
# is left out, because it may be right.


class PassageItem(NamedTuple):
    """An encoded passage."""

    key: str
    tokens: list[int]
    answers: frozenset[str]
    """What it names or proves of the answers of the question that it was drawn for."""


class PairItem(NamedTuple):
    """An encoded question with its passages, the positive one first."""

    question: list[int]
    passages: list[PassageItem]
    right: frozenset[str]
    """The keys of all passages that are known to prove or name one of its answers."""
    answers: frozenset[str]


class DrawnPassages(NamedTuple):
    """An example before its texts are encoded."""

    example: TrainingExample
    passages: list[LabelledPassage]
    right: frozenset[str]


def draw(examples: Sequence[TrainingExample], options: DprOptions, seed: int) -> list[DrawnPassages]:
    """The examples of an epoch; a question that no passage proves an answer of gives none."""
    chance = random.Random(seed)
    drawn = []
    for example in examples:
        known = [*example.passages, *example.proofs]
        positives = [passage for passage in known if passage.proves]
        if options.positives and len(positives) > options.positives:
            positives = chance.sample(positives, options.positives)
        hard = [passage for passage in example.passages if not passage.proves and not passage.names][
            : options.depth
        ]
        right = frozenset(key_of(passage) for passage in known if passage.proves or passage.names)
        for positive in positives:
            negatives = chance.sample(hard, min(options.negatives, len(hard)))
            drawn.append(DrawnPassages(example, [positive, *negatives], right))
    return drawn


def left_out(items: Sequence[PairItem]) -> list[tuple[int, int]]:
    """Pairs of a question and a passage of the step that is neither its positive nor one of its negatives.

    Passages are numbered over all examples.
    """
    passages = [passage for item in items for passage in item.passages]
    by_key: dict[str, list[int]] = {}
    by_answer: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        by_key.setdefault(passage.key, []).append(number)
        for answer in passage.answers:
            by_answer.setdefault(answer, []).append(number)
    pairs: set[tuple[int, int]] = set()
    target = 0
    for row, item in enumerate(items):
        same = [column for key in item.right & by_key.keys() for column in by_key[key]]
        same += [column for answer in item.answers & by_answer.keys() for column in by_answer[answer]]
        pairs |= {(row, column) for column in same if column != target}
        target += len(item.passages)
    return sorted(pairs)


def answer_keys(example: TrainingExample) -> list[str]:
    """What identifies each answer in other questions."""
    return [answer.id or fold(answer.label) for answer in example.answers]


def key_of(passage: LabelledPassage) -> str:
    """What identifies a passage in other questions."""
    return passage.id or passage.text


def text_of(passage: LabelledPassage) -> str:
    """A passage as an index has it."""
    return f"{passage.title} {passage.text}"


# How well a dense retriever finds what proves answers, among the passages of all dev questions together.
# This is easier than the whole corpus, but it ranks checkpoints in the same way and takes seconds. MAP
# is the mean average precision of passages that prove an answer or a part of one. recall@k is the share
# of a question's answers that one of the k best passages proves at least in part.

_CUTS = (20, 100)


def provable(examples: Iterable[TrainingExample]) -> list[TrainingExample]:
    """The training examples for which a passage proves something; the others do not count."""
    return [example for example in examples if proofs_of(example)]


def pool_of(examples: Sequence[TrainingExample], size: int) -> dict[str, LabelledPassage]:
    """The passages that are searched: the best of each training example, and all that prove something."""
    pool: dict[str, LabelledPassage] = {}
    for example in examples:
        proving = [passage for passage in example.passages[size:] if passage.proves]
        for passage in (*example.passages[:size], *proving, *example.proofs):
            pool.setdefault(key_of(passage), passage)
    return pool


def proofs_of(example: TrainingExample) -> dict[str, set[int]]:
    """The answers that each passage proves, by the passage's key."""
    proved: dict[str, set[int]] = {}
    for passage in (*example.passages, *example.proofs):
        if passage.proves:
            proved.setdefault(key_of(passage), set()).update(passage.proves)
    return proved


def mean_figures(examples: Sequence[TrainingExample], ranks: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The figures from the ranks of each training example's proofs."""
    rows = [_figures(*pair) for pair in zip(examples, ranks, strict=True)]
    names = ("MAP", *(f"recall@{cut}" for cut in _CUTS))
    return {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in names}


def _figures(example: TrainingExample, ranks: Mapping[str, int]) -> dict[str, float]:
    proves = proofs_of(example)
    answers = set().union(*proves.values())
    values = {"MAP": sum(count / rank for count, rank in enumerate(sorted(ranks.values()), 1)) / len(proves)}
    for cut in _CUTS:
        seen = set().union(*(proves[key] for key, rank in ranks.items() if rank <= cut))
        values[f"recall@{cut}"] = len(seen) / len(answers)
    return values


# The folder of a trained encoder, in the form that sentence-transformers and the retriever `dense` open.
# It is written in the form of the library's first versions, which all of them read.

_MODULES = "sentence_transformers.models."


def save_encoder(folder: Path, network: Any, tokeniser: Any, length: int, options: DprOptions) -> None:
    """Write an encoder with its pooling and similarity."""
    folder.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    if options.similarity == "cosine":
        modules.append(("2_Normalize", "Normalize"))
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": _MODULES + kind}
        for number, (path, kind) in enumerate(modules)
    ]
    pooling = {
        "word_embedding_dimension": network.config.hidden_size,
        "pooling_mode_cls_token": options.pooling == "cls",
        "pooling_mode_mean_tokens": options.pooling == "mean",
        "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False,
    }
    files: dict[str, object] = {
        "modules.json": listed,
        "sentence_bert_config.json": {"max_seq_length": length, "do_lower_case": False},
        "config_sentence_transformers.json": {"similarity_fn_name": options.similarity},
        "1_Pooling/config.json": pooling,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


# `dpr`: an encoder learns to bring a question near the passages that prove its answers. Positives are
# passages that prove an answer or a part of it, negatives the passages of the other questions of a step
# and retrieved passages that name no answer. The result is opened by the retriever `dense`.


@TRAINABLES.register("dpr")
class Dpr(Trainable[PairItem]):
    """A dense retriever with in-batch and hard negatives; its folder is an encoder for `dense`."""

    Options = DprOptions
    bases = ("encoder",)
    default_base = MINILM
    measure = "MAP"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        # QAMPARI states one positive and one negative from the ten best of BM25; the rest is DPR's own.
        "qampari": {
            "shared": False,
            "pooling": "cls",
            "similarity": "dot",
            "temperature": 1.0,
            "positives": 1,
            "negatives": 1,
            "depth": 10,
            "batch": 128,
            "learning_rate": 2e-5,
            "epochs": 40,
            "weight_decay": 0.0,
            "clip": 2.0,
        }
    }

    def __init__(self, options: DprOptions, base: BaseCheckpoint) -> None:
        self._options, self._tokeniser = options, base.tokeniser
        longest = getattr(base.network.config, "max_position_embeddings", options.length)
        self._length = min(options.length, longest)
        networks = [plain(base.network)]
        if options.passage_base is not None:
            if options.shared:
                raise RollcallError("dpr: a passage_base is for two encoders; give --option shared=false")
            networks.append(plain(load_base(options.passage_base, self.bases, "dpr").network))
        self._encoders = Encoders(networks, base.tokeniser.pad_token_id or 0, options)
        self.network = self._encoders.network

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "Dpr":
        assert isinstance(options, DprOptions)
        return cls(options, base)

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[PairItem]:
        drawn = draw(examples, self._options, seed)
        questions = self._encoded([entry.example.question for entry in drawn])
        passages = iter(self._encoded([text_of(passage) for entry in drawn for passage in entry.passages]))
        items = []
        for question, entry in zip(questions, drawn, strict=True):
            keys = answer_keys(entry.example)
            encoded = [
                PassageItem(
                    key_of(passage),
                    next(passages),
                    frozenset(keys[index] for index in (*passage.names, *passage.proves)),
                )
                for passage in entry.passages
            ]
            items.append(PairItem(question, encoded, entry.right, frozenset(keys)))
        return items

    def size(self, item: PairItem) -> int:
        longest = max(len(passage.tokens) for passage in item.passages)
        return len(item.question) + len(item.passages) * longest

    def backward(self, items: Sequence[PairItem], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        # Rows are the questions, then the passages of the first one, of the second one, and so on.
        first = [len(items)]
        for item in items:
            first.append(first[-1] + len(item.passages))
        texts = [item.question for item in items]
        texts += [passage.tokens for item in items for passage in item.passages]
        own = [
            [*part, *(row for index in part for row in range(first[index], first[index + 1]))]
            for part in parts
        ]

        def encode(rows: Sequence[int]) -> "torch.Tensor":
            import torch

            asked = [texts[row] for row in rows if row < len(items)]
            read = [texts[row] for row in rows if row >= len(items)]
            return torch.cat(
                [self._encoders.encode("question", asked), self._encoders.encode("passage", read)]
            )

        loss = self._encoders.backward(own, first[-1], encode, lambda vectors: self._loss(vectors, items))
        return loss * sum(map(len, parts)) / len(items)

    def _loss(self, vectors: "torch.Tensor", items: Sequence[PairItem]) -> "torch.Tensor":
        """How unlikely each question's positive is among all passages of the step."""
        import torch

        questions, passages = vectors[: len(items)], vectors[len(items) :]
        with torch.autocast(vectors.device.type, enabled=False):
            scores = questions @ passages.T / self._options.temperature
        if hidden := left_out(items):
            rows, columns = zip(*hidden, strict=True)
            scores[list(rows), list(columns)] = -torch.inf
        targets, number = [], 0
        for item in items:
            targets.append(number)
            number += len(item.passages)
        loss: torch.Tensor = torch.nn.functional.cross_entropy(
            scores, torch.tensor(targets, device=scores.device)
        )
        return loss

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        asked = provable(examples)
        pool = pool_of(asked, self._options.pool)
        columns = {key: column for column, key in enumerate(pool)}
        passages = self._vectors("passage", [text_of(passage) for passage in pool.values()])
        questions = self._vectors("question", [example.question for example in asked])
        ranks = []
        for example, question in zip(asked, questions, strict=True):
            # Not a product of matrices, which mixed precision would round.
            scores = (passages * question).sum(1)
            proofs = list(proofs_of(example))
            own = scores[[columns[key] for key in proofs]]
            better = (scores.unsqueeze(0) > own.unsqueeze(1)).sum(1).tolist()
            ranks.append({key: 1 + count for key, count in zip(proofs, better, strict=True)})
        return mean_figures(asked, ranks)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        folders: list[tuple[Side, Path]] = [("passage", folder)]
        if not self._options.shared:
            folders = [(side, folder / side) for side in SIDES]
        for side, side_folder in folders:
            save_encoder(side_folder, self._encoders.of(side), self._tokeniser, self._length, self._options)

    def _encoded(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        numbers: list[list[int]] = self._tokeniser(list(texts), truncation=True, max_length=self._length)[
            "input_ids"
        ]
        return numbers

    def _vectors(self, side: Side, texts: Sequence[str]) -> "torch.Tensor":
        """Vectors of many texts, encoded in parts of similar length."""
        import torch

        encoded = self._encoded(texts)
        cut = parts([len(ids) for ids in encoded], self._options.tokens)
        vectors: Any = torch.zeros((len(encoded), self._encoders.dimension), device=self._encoders.device)
        for part in cut:
            vectors[part] = self._encoders.encode(side, [encoded[index] for index in part])
        result: torch.Tensor = vectors
        return result
