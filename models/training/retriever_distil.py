"""Teaches a few layers to give the vectors of a retriever that `rollcall train dpr` made.

    python models/training/retriever_distil.py TEACHER --texts made/retriever/texts.jsonl.xz --out STUDENT

The student has the embeddings of words that the package has already, and some layers of the teacher, evenly
spread. Its folder says what the teacher was trained on.
The folder is one that the retriever `dense` opens (`--encoder`), for comparison, and `retriever_export.py`.
"""

import argparse
import lzma
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from rollcall.systems.retrieve.encoder import pooled
from rollcall.systems.train.base import BaseCheckpoint, load_base
from rollcall.systems.train.dpr import DprOptions, save_encoder
from rollcall.systems.train.encoder_network import cut_layers
from rollcall.systems.train.model_folder import read_about, write_about

_WARMUP = 0.05
_QUESTION = 200
"""Texts that are shorter, in characters, are mostly questions, and are seen more often: `--questions`."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("teacher", type=Path)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--words", default="minilm", help="a checkpoint with the embeddings of words")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--length", type=int, default=128, help="tokens of a text that the student reads")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--questions", type=int, default=5, help="how often short texts are seen in an epoch")
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    base = load_base(str(given.teacher), ("encoder",), "dpr")
    teacher: Any = base.network.to(device).eval()
    words: Any = load_base(given.words, ("encoder",), "dpr").network.embeddings.word_embeddings
    student = _student(base, words, given.layers).to(device)
    with lzma.open(given.texts) as lines:
        texts = list(dict.fromkeys(map(msgspec.json.decode, lines)))
    tokens = _ids(base, texts)
    taught = _vectors(teacher, tokens, device)
    print(f"{len(texts)} texts, taught", flush=True)
    tokens = [one if len(one) <= given.length else [*one[: given.length - 1], one[-1]] for one in tokens]
    short = np.array([place for place, one in enumerate(texts) if len(one) < _QUESTION], np.int64)
    _learn(student, tokens, taught, short, given, device)
    save_encoder(given.out, student.cpu(), base.tokeniser, given.length, DprOptions())
    write_about(given.out, read_about(given.teacher, "dpr"))


def _student(base: BaseCheckpoint, words: Any, layers: int) -> Any:
    network: Any = deepcopy(base.network)
    network.embeddings.word_embeddings = deepcopy(words)
    return cut_layers(base._replace(network=network), layers).network


def _ids(base: BaseCheckpoint, texts: list[str]) -> list[list[int]]:
    found: list[list[int]] = []
    for start in range(0, len(texts), 10_000):
        found += base.tokeniser(texts[start : start + 10_000], truncation=True, max_length=256)["input_ids"]
    return found


def _encoded(network: Any, tokens: list[list[int]], device: str) -> torch.Tensor:
    longest = (max(map(len, tokens)) + 7) // 8 * 8
    given = torch.zeros((len(tokens), longest), dtype=torch.long)
    for row, one in enumerate(tokens):
        given[row, : len(one)] = torch.tensor(one)
    given = given.to(device)
    mask = (given != 0).long()
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        layer = network(input_ids=given, attention_mask=mask).last_hidden_state
    vectors: torch.Tensor = torch.nn.functional.normalize(pooled(layer.float(), mask, "mean"), dim=1)
    return vectors


def _vectors(network: Any, tokens: list[list[int]], device: str) -> torch.Tensor:
    order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    found = torch.zeros((len(tokens), network.config.hidden_size), device=device)
    with torch.inference_mode():
        for start in range(0, len(order), 1024):
            rows = order[start : start + 1024]
            found[rows] = _encoded(network, [tokens[place] for place in rows], device)
    return found.clone()


def _learn(
    student: Any,
    tokens: list[list[int]],
    taught: torch.Tensor,
    short: np.ndarray[Any, np.dtype[np.int64]],
    given: argparse.Namespace,
    device: str,
) -> None:
    """Lower the distance from the vectors that are taught."""
    trained = [one for one in student.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=given.rate, weight_decay=0.01, fused=device == "cuda")
    chance = np.random.default_rng(0)
    lengths = np.array([len(one) for one in tokens])
    epochs = []
    for _ in range(given.epochs):
        rows = np.concatenate([np.arange(len(tokens)), *[short] * (given.questions - 1)])
        rows = rows[np.argsort(lengths[rows] + 20 * chance.random(len(rows)), kind="stable")]
        cut = [rows[start : start + given.batch] for start in range(0, len(rows), given.batch)]
        epochs.append([cut[place] for place in chance.permutation(len(cut))])
    steps, begun = [part for epoch in epochs for part in epoch], time.time()
    student.train()
    for step, rows in enumerate(steps):
        done = step / len(steps)
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(done / _WARMUP, (1 - done) / (1 - _WARMUP)) + 1e-7
        vectors = _encoded(student, [tokens[place] for place in rows], device)
        loss = (1 - (vectors * taught[torch.from_numpy(rows).to(device)]).sum(1)).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step} of {len(steps)}: {loss.item():.4f}, {time.time() - begun:.0f} s", flush=True)
    student.eval()


if __name__ == "__main__":
    main()
