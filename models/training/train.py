"""Trains the base model of the learned verifier; needs torch and transformers, and a GPU for a few minutes.

    python models/training/train.py pretrain --on distant,world --layers 6 --out pre6.pt
    python models/training/train.py teach --start pre6.pt --fold 0 --seed 1 --out teacher.pt
    python models/training/train.py distil --start pre4.pt --teachers a.pt b.pt --fold 0 --out student.pt

`pretrain` learns from collections that are not labelled by people, `teach` then from the labelled one, and
`distil` trains a smaller model on the labels and on what teachers say about text of all collections. With
`--fold` the pages of one fifth are left out, by a hash of their titles, and scored at the end; without it
all are used. The embeddings of words are not trained, so that rare words keep their meaning, and every
model has the same.
"""

import argparse
import gzip
import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoTokenizer, BertModel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MARKS = [f"[unused{number}]" for number in range(1, 5)]
LAYERS = {6: (0, 1, 2, 3, 4, 5), 4: (0, 2, 3, 5), 3: (0, 2, 5), 2: (0, 5)}
LONGEST = 128
FOLDS = 5
Example = tuple[int, int, float, float]
"""The number of a sentence, that of a relation, the answer, and its weight."""


def fold_of(page: str) -> int:
    return hashlib.md5(page.encode()).digest()[0] % FOLDS


class Reader:
    """Tokens of sentences and relations, each computed once."""

    def __init__(self, model: Path) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(model)
        self._tokenizer.add_special_tokens({"additional_special_tokens": MARKS})
        self.sentences: list[list[int]] = []
        self.relations: list[list[int]] = []
        self._numbers: dict[str, int] = {}
        self.marks = self._tokenizer.convert_tokens_to_ids(MARKS)
        self.start, self.end = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id

    def add(self, sentences: Sequence[str]) -> int:
        first = len(self.sentences)
        encoded = self._tokenizer(
            list(sentences), add_special_tokens=False, truncation=True, max_length=LONGEST
        )
        self.sentences += encoded["input_ids"]
        return first

    def relation(self, words: str) -> int:
        if words not in self._numbers:
            self._numbers[words] = len(self.relations)
            self.relations.append(self._tokenizer(words, add_special_tokens=False)["input_ids"][:16])
        return self._numbers[words]

    def tensors(self, examples: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor, np.ndarray]:
        """The tokens of examples and where the relation ends, on the device, and how long each is."""
        rows = [
            [self.start, *self.relations[r], self.end, *self.sentences[s], self.end] for s, r, *_ in examples
        ]
        lengths = np.array([len(row) for row in rows])
        tokens = np.zeros((len(rows), int(lengths.max())), np.int32)
        for number, row in enumerate(rows):
            tokens[number, : len(row)] = row
        heads = torch.tensor([len(self.relations[r]) + 2 for _, r, *_ in examples], device=DEVICE)
        return torch.from_numpy(tokens).to(DEVICE), heads, lengths


class Net(nn.Module):
    """A BERT encoder; the logit comes from its first token and the two marks that open the ends."""

    def __init__(self, model: Path, layers: int, marks: Sequence[int]) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(
            model,
            add_pooling_layer=False,
            dtype=torch.float32,
            attn_implementation="eager" if DEVICE == "cpu" else "sdpa",
        )
        every = self.bert.encoder.layer
        self.bert.encoder.layer = nn.ModuleList([every[number] for number in LAYERS[layers]])
        self.bert.config.num_hidden_layers = layers
        for weights in self.bert.embeddings.parameters():
            weights.requires_grad = False
        size = self.bert.config.hidden_size
        self.middle, self.out, self.drop = nn.Linear(3 * size, size), nn.Linear(size, 1), nn.Dropout(0.1)
        self._subject, self._object = marks[0], marks[2]

    def vector(self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        read = self.bert(input_ids=tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
        subject = (tokens == self._subject).to(read.dtype).unsqueeze(1)
        object_ = (tokens == self._object).to(read.dtype).unsqueeze(1)
        joined = torch.cat([read[:, 0], (subject @ read)[:, 0], (object_ @ read)[:, 0]], -1)
        return F.gelu(self.middle(self.drop(joined)))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        return self.out(self.drop(self.vector(tokens, mask, types))).squeeze(-1)

    def trained(self) -> dict[str, torch.Tensor]:
        return {k: v.half().cpu() for k, v in self.state_dict().items() if ".embeddings." not in k}


def batches(lengths: np.ndarray, size: int, rng: np.random.Generator | None) -> list[np.ndarray]:
    noise = rng.random(len(lengths)) * 6 if rng is not None else 0
    order = np.argsort(lengths + noise, kind="stable")
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(cut)
    return cut


def inputs(
    tokens: torch.Tensor, heads: torch.Tensor, rows: torch.Tensor, longest: int
) -> tuple[torch.Tensor, ...]:
    width = min(tokens.shape[1], (longest + 7) // 8 * 8)
    some = tokens[rows, :width].long()
    types = (torch.arange(width, device=DEVICE)[None] >= heads[rows][:, None]).long()
    return some, some != 0, types * (some != 0)


def fit(
    net: Net,
    reader: Reader,
    draw: Callable[[int], list[Example]],
    epochs: int,
    rate: float,
    size: int,
    seed: int,
    limit: float = 1e9,
) -> None:
    """Train for some epochs; `draw` gives the examples of each."""
    begun, step, total, seen = time.time(), 0, 0, 0
    decayed = [p for p in net.parameters() if p.requires_grad and p.ndim > 1]
    others = [p for p in net.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, fused=DEVICE == "cuda")
    net.train()
    for epoch in range(epochs):
        examples = draw(epoch)
        tokens, heads, lengths = reader.tensors(examples)
        answers = torch.tensor([e[2] for e in examples], device=DEVICE)
        weights = torch.tensor([e[3] for e in examples], device=DEVICE)
        cut = batches(lengths, size, np.random.default_rng(1000 * seed + epoch))
        every, at = torch.from_numpy(np.concatenate(cut)).to(DEVICE), 0
        total = total or len(cut) * epochs
        loss_sum = torch.zeros((), device=DEVICE)
        for rows in cut:
            done = step / total
            for group in optimizer.param_groups:
                group["lr"] = rate * min(done / 0.06, max(0.0, (1 - done) / 0.94)) + 1e-7
            chosen = every[at : at + len(rows)]
            at += len(rows)
            with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
                logits = net(*inputs(tokens, heads, chosen, int(lengths[rows].max())))
            losses = F.binary_cross_entropy_with_logits(logits.float(), answers[chosen], reduction="none")
            loss = (losses * weights[chosen]).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            loss_sum += loss.detach()
            step, seen = step + 1, seen + len(rows)
        say(
            f"epoch {epoch}: {seen} examples, loss {float(loss_sum) / len(cut):.4f}, {time.time() - begun:.0f} s"
        )


@torch.inference_mode()
def logits_of(net: Net, reader: Reader, examples: Sequence[Example]) -> np.ndarray:
    net.eval()
    found = np.zeros(len(examples), np.float32)
    for start in range(0, len(examples), 200_000):
        part = examples[start : start + 200_000]
        tokens, heads, lengths = reader.tensors(part)
        for rows in batches(lengths, 1024, None):
            chosen = torch.from_numpy(rows).to(DEVICE)
            with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
                logits = net(*inputs(tokens, heads, chosen, int(lengths[rows].max())))
            found[start + rows] = logits.float().cpu().numpy()
    return found


def lines(path: Path) -> list[dict]:  # type: ignore[type-arg]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def say(*words: object) -> None:
    print(time.strftime("%H:%M:%S"), *words, flush=True)


class Pool:
    """The sentences of some collections, as sources of examples."""

    def __init__(
        self, given: argparse.Namespace, reader: Reader, names: Sequence[str], fold: int | None
    ) -> None:
        self.reader, self.left_out = reader, set(given.without or ())
        self.records = [
            record
            for name in names
            for record in lines(given.examples / f"{name}.jsonl.gz")
            if fold is None or fold_of(record["page"]) != fold
        ][:: given.every]
        self.first = reader.add([record["sentence"] for record in self.records])

    def examples(self, rng: random.Random, wrong: int, silent: float) -> list[Example]:
        """The held relations of each sentence, and some wrong ones; of sentences without any, a share."""
        found: list[Example] = []
        for number, record in enumerate(self.records, self.first):
            sure = 1.0 if record["named"] else 0.6
            held = [words for words in record["held"] if words not in self.left_out]
            found += [(number, self.reader.relation(words), 1.0, sure) for words in held]
            found += [(number, self.reader.relation(words), 0.0, 0.7) for words in record["unstated"]]
            possible = [words for words in record["wrong"] if words not in self.left_out]
            if not possible or (not record["held"] and rng.random() > silent):
                continue
            for words in set(rng.sample(possible, min(wrong if record["held"] else 2, len(possible)))):
                found.append((number, self.reader.relation(words), 0.0, 1.0))
        return found


def figures(logits: np.ndarray, records: Sequence[dict]) -> str:  # type: ignore[type-arg]
    kinds = np.array([record["kind"] for record in records])
    true = np.sort(logits[kinds == "true"])
    found = []
    for lost in (0.05, 0.075):
        least = true[int(lost * len(true))]
        removed = [f"{kind} {np.mean(logits[kinds == kind] < least):.3f}" for kind in ("wrong", "decoy")]
        found.append(f"{lost:.1%} lost: {', '.join(removed)}")
    return "; ".join(found)


def test(net: Net, reader: Reader, given: argparse.Namespace) -> None:
    """Score the labelled sentences of the fold that was left out."""
    records = [
        r
        for r in lines(given.examples / "test.jsonl.gz")
        if given.fold is None or fold_of(r["page"]) == given.fold
    ]
    if given.without:
        records = [r for r in records if r["relation"] in given.without]
    first = reader.add([record["sentence"] for record in records])
    examples = [(first + n, reader.relation(r["relation"]), 0.0, 1.0) for n, r in enumerate(records)]
    logits = logits_of(net, reader, examples)
    np.savez(given.out.with_suffix(".npz"), logits=logits)
    say(given.out.name, figures(logits, records))


def load(given: argparse.Namespace, path: Path | None, layers: int, reader: Reader) -> Net:
    net = Net(given.model, layers, reader.marks)
    if path is not None:
        net.load_state_dict(torch.load(path, weights_only=True), strict=False)
    return net.to(DEVICE)


def layers_in(path: Path) -> int:
    names = torch.load(path, weights_only=True)
    return 1 + max(int(name.split(".")[3]) for name in names if ".layer." in name)


def pretrain(given: argparse.Namespace, reader: Reader) -> Net:
    pool = Pool(given, reader, given.on.split(","), None)
    rng = random.Random(given.seed)
    net = load(given, None, given.layers, reader)
    fit(net, reader, lambda _epoch: pool.examples(rng, 4, 0.0), given.epochs or 3, 3e-4, 256, given.seed)
    return net


def teach(given: argparse.Namespace, reader: Reader) -> Net:
    pool = Pool(given, reader, [given.labelled], given.fold)
    rng = random.Random(given.seed)
    net = load(given, given.start, layers_in(given.start), reader)
    fit(net, reader, lambda _epoch: pool.examples(rng, 5, 1.0), given.epochs or 6, 1.5e-4, 128, given.seed)
    return net


def distil(given: argparse.Namespace, reader: Reader) -> Net:
    """Learn from the labels, and from what the teachers say about sentences without labels."""
    own = Pool(given, reader, [given.labelled], given.fold)
    other = Pool(given, reader, given.on.split(","), None)
    rng = random.Random(given.seed)
    relations = sorted({w for r in own.records for w in r["held"]} - own.left_out)
    labelled = [e for _ in range(2) for e in own.examples(rng, 6, 1.0)]
    asked = list(other.examples(rng, 3, 0.0))
    for number in range(len(other.records)):
        if rng.random() < given.share:
            asked += [(other.first + number, reader.relation(w), 0.0, 1.0) for w in rng.sample(relations, 16)]
    said = np.zeros(len(labelled) + len(asked), np.float32)
    for path in given.teachers:
        teacher = load(given, path, layers_in(path), reader)
        said += logits_of(teacher, reader, labelled + asked) / len(given.teachers)
    chances = 1 / (1 + np.exp(-said))
    say(
        f"teachers: {len(labelled)} labelled, {len(asked)} others, {np.mean(chances[len(labelled) :] > 0.5):.1%} held"
    )
    known = [(s, r, 0.4 * y + 0.6 * float(p), w) for (s, r, y, w), p in zip(labelled, chances, strict=False)]
    taught = [(s, r, float(p), 1.0) for (s, r, *_), p in zip(asked, chances[len(labelled) :], strict=True)]
    doubtful = [e for e in taught if e[2] > 0.03]
    clear = [e for e in taught if e[2] <= 0.03]
    say(f"{len(doubtful)} doubtful or held, {len(clear)} clear")

    def draw(epoch: int) -> list[Example]:
        half = known[epoch % 2 :: 2]
        some = rng.sample(doubtful, min(len(doubtful), len(half)))
        return half + some + rng.sample(clear, min(len(clear), len(half) // 2))

    net = load(given, given.start, layers_in(given.start), reader)
    fit(net, reader, draw, given.epochs or 10, 3e-4, 256, given.seed)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", choices=["pretrain", "teach", "distil"])
    parser.add_argument("--examples", type=Path, default=Path("examples"), help="what examples.py wrote")
    parser.add_argument("--model", type=Path, required=True, help="the folder of a small BERT encoder")
    parser.add_argument("--labelled", default="labelled")
    parser.add_argument("--on", default="distant,world", help="collections that are not labelled by people")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--teachers", type=Path, nargs="*", default=[])
    parser.add_argument("--layers", type=int, default=6, choices=sorted(LAYERS))
    parser.add_argument("--fold", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--share", type=float, default=0.6)
    parser.add_argument("--without", nargs="*", help="words of relations to leave out")
    parser.add_argument("--every", type=int, default=1, help="use one of so many sentences, to try it out")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    reader = Reader(given.model)
    net = {"pretrain": pretrain, "teach": teach, "distil": distil}[given.stage](given, reader)
    torch.save(net.trained(), given.out)
    test(net, reader, given)


if __name__ == "__main__":
    main()
