"""New weights for the model, learned from examples of the user's graph and corpus; needs torch.

Relations that no training text had are judged badly by the model as it comes. The embeddings of words and the
first layer stay as they are, which saves time and keeps what the model knows of words. Pages that are held
out are not learned from.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rollcall.decompression import read_arrays
from rollcall.errors import RollcallError
from rollcall.evidence.verifiers.learned.examples import Example
from rollcall.evidence.verifiers.learned.model import StatementModel
from rollcall.evidence.verifiers.learned.reading import OBJECT_MARKS, SUBJECT_MARKS
from rollcall.progress import Progress

if TYPE_CHECKING:
    import torch

    from rollcall.evidence.verifiers.learned.verifier import LearnedVerifier

MOST_READ, MOST_READ_BY_GPU = 20_000, 90_000
"""How many examples are read in all; a relation's first, then the same ones again."""
_MOST_ROUNDS = 4
_RATE, _BATCH, _WARM = 2e-4, 16, 0.06
_FROZEN_LAYERS = 1
_FEWEST = 200


class Lesson(NamedTuple):
    """The tokens of an example, where its sentence begins, the answer, and how much it counts."""

    tokens: list[int]
    types: list[int]
    answer: float
    weight: float


def can_adapt() -> bool:
    """Whether the libraries for it are installed."""
    return all(find_spec(name) is not None for name in ("torch", "transformers"))


def can_adapt_quickly() -> bool:
    """Whether they are, and there is a GPU: on a processor it takes longer than nearly any build."""
    if not can_adapt():
        return False
    import torch

    return bool(torch.cuda.is_available())


def adapted_model(verifier: "LearnedVerifier", examples: Sequence[Example]) -> StatementModel:
    """The model of a verifier with weights adapted to examples."""
    if not can_adapt():
        raise RollcallError(
            "to adapt the weights of the learned verifier, install torch and transformers: "
            "pip install 'rollcall-qa[neural]'; or choose the option adapt=combination"
        )
    import torch

    model = verifier.model
    lessons = list(_lessons(verifier, [one for one in examples if not one.held_out]))
    if len(lessons) < _FEWEST:
        return model
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = open_network(model.folder, model.tokenizer).to(device)
    _fit(network, lessons, device)
    return StatementModel(model.folder, _exported(network.cpu().eval()))


def _lessons(verifier: "LearnedVerifier", examples: Sequence[Example]) -> Iterator[Lesson]:
    """The examples and what they do not state; sentences of one fact on one page share its weight."""
    sizes = Counter(one.group for one in examples)
    tokenizer = verifier.model.tokenizer
    for one in examples:
        facts = [(one.candidate, 1.0), *((wrong, 0.0) for wrong in one.not_stated())]
        for candidate, answer in facts:
            reading = verifier.reading(candidate)
            encoded = tokenizer.encode(reading.relation, reading.sentence)
            yield Lesson(
                encoded.ids, encoded.type_ids, answer, 1.0 if not answer else sizes[one.group] ** -0.5
            )


def open_network(folder: Path, tokenizer: Any) -> "torch.nn.Module":
    """The model in a folder as a torch module, with the weights that are stored beside it for this."""
    import torch
    from torch import nn
    from transformers import BertConfig, BertModel

    arrays = read_arrays(folder / "layers.npz")
    scale, zero = float(arrays.pop("scale")), int(arrays.pop("zero"))
    state = {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    size = state["out.weight"].shape[1]
    raw = np.fromfile(folder / "embeddings.bin", np.uint8).reshape(-1, size)
    words = torch.from_numpy((raw.astype(np.float32) - zero) * scale)
    state["bert.embeddings.word_embeddings.weight"] = words
    layers = 1 + max(int(name.split(".")[3]) for name in state if ".layer." in name)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=size,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=state["bert.encoder.layer.0.intermediate.dense.weight"].shape[0],
        max_position_embeddings=len(state["bert.embeddings.position_embeddings.weight"]),
    )
    subject, object_ = (tokenizer.token_to_id(marks[0]) for marks in (SUBJECT_MARKS, OBJECT_MARKS))

    class Network(nn.Module):
        """A BERT encoder; the log-odds come from its first token and the marks that open the ends."""

        def __init__(self) -> None:
            super().__init__()
            encoder: Any = BertModel
            self.bert = encoder(config, add_pooling_layer=False)
            self.bert.set_attn_implementation("eager")
            self.middle, self.out, self.drop = nn.Linear(3 * size, size), nn.Linear(size, 1), nn.Dropout(0.1)

        def forward(self, tokens: Any, mask: Any, types: Any) -> Any:
            read = self.bert(input_ids=tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
            marks = [(tokens == mark).to(read.dtype).unsqueeze(1) for mark in (subject, object_)]
            joined = torch.cat([read[:, 0], *((mark @ read)[:, 0] for mark in marks)], -1)
            told = nn.functional.gelu(self.middle(self.drop(joined)))
            return self.out(self.drop(told)).squeeze(-1)

    network = Network()
    missing = network.load_state_dict(state, strict=False).missing_keys
    if any("position_ids" not in name and "token_type_ids" not in name for name in missing):
        raise RollcallError(f"{folder}: layers.npz lacks weights of the model: {missing[0]}")
    return network


def _fit(network: "torch.nn.Module", lessons: Sequence[Lesson], device: str) -> None:
    """Train for as many rounds as the time allows."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

    bert: Any = network.bert
    for part in (bert.embeddings, *bert.encoder.layer[:_FROZEN_LAYERS]):
        for weights in part.parameters():
            weights.requires_grad = False
    random = np.random.default_rng(0)
    most = MOST_READ if device == "cpu" else MOST_READ_BY_GPU
    order = np.concatenate([random.permutation(len(lessons)) for _ in range(_MOST_ROUNDS)])[:most]
    batches = list(_batches(lessons, order, random))
    trained = [weights for weights in network.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=_RATE, weight_decay=0.01)
    network.train()
    with Progress("adapting the model", len(batches)) as progress:
        for step, rows in enumerate(batches):
            done = step / len(batches)
            for group in optimizer.param_groups:
                group["lr"] = _RATE * min(done / _WARM + 1e-3, (1 - done) / (1 - _WARM))
            some = [lessons[row] for row in rows]
            tokens = _padded([one.tokens for one in some]).to(device)
            types = _padded([one.types for one in some]).to(device)
            answers = torch.tensor([one.answer for one in some], device=device)
            weights = torch.tensor([one.weight for one in some], device=device)
            logits = network(tokens, (tokens != 0).long(), types)
            loss = (cross_entropy(logits, answers, reduction="none") * weights).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            progress.advance(1)


def _batches(
    lessons: Sequence[Lesson], order: "np.ndarray", random: np.random.Generator
) -> Iterator["np.ndarray"]:
    """Batches of sentences of similar length, in random order within each part of the whole."""
    part = 64 * _BATCH
    for start in range(0, len(order), part):
        some = order[start : start + part]
        lengths = np.array([len(lessons[row].tokens) for row in some])
        some = some[np.argsort(lengths, kind="stable")]
        cut = [some[first : first + _BATCH] for first in range(0, len(some), _BATCH)]
        for number in random.permutation(len(cut)):
            yield cut[number]


def _padded(rows: Sequence[list[int]]) -> "torch.Tensor":
    import torch

    longest = max(map(len, rows))
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def _exported(network: "torch.nn.Module") -> bytes:
    """The network in the format that onnxruntime runs."""
    import warnings

    import torch

    tokens = torch.ones((2, 8), dtype=torch.long)
    names = ["tokens", "mask", "types"]
    axes = {name: {0: "sentences", 1: "length"} for name in names} | {"logit": {0: "sentences"}}
    with warnings.catch_warnings(), TemporaryDirectory() as temporary:
        path = Path(temporary) / "adapted.onnx"
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (tokens, tokens, torch.zeros_like(tokens)),
            str(path),
            dynamo=False,
            input_names=names,
            output_names=["logit"],
            dynamic_axes=axes,
            opset_version=17,
        )
        return path.read_bytes()
