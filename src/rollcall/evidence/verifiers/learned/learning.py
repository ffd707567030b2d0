"""Learns the verifier from a graph and a corpus: examples, `contrast`, and how both become one score.

What is drawn from the graph and the corpus is the same for any relations, so a build draws once. If the model
removes too few wrong facts of held-out pages, its weights are adapted first, where a GPU makes that quick.
"""

import hashlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import Archive, read_arrays
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers.contrast.training_sentences import (
    FactSample,
    TrainingSentences,
    akin_relations,
    alikeness,
    read_training_sentences,
    shares_of_kinds,
    write_training_sentences,
)
from rollcall.evidence.verifiers.contrast.verifier import learn_contrast, searched_sample
from rollcall.evidence.verifiers.learned.verifier import (
    ENOUGH,
    OBJECT_MARKS,
    SUBJECT_MARKS,
    Combination,
    LearnedParts,
    LearnedVerifier,
    Numbers,
    Opinions,
    StatementModel,
    combine,
    packaged_model,
    removed,
)
from rollcall.evidence.verifiers.verifier import VerifierContext
from rollcall.tables.engine import map_here

if TYPE_CHECKING:
    import torch

    from rollcall.tables.engine import Engine


# Examples of what sentences of the user's corpus state, and do not state, by the user's graph. A
# sentence that names both ends of a fact is a likely example of its relation. The same sentence with
# another relation between things of the same kinds, which the graph does not have for these two, is an
# example of what it does not state; so is the sentence with its two ends exchanged. Everything is drawn
# by hashes, so the same graph and corpus give the same examples.

MOST_OF_RELATION = 350
MOST = 8_000
"""How many facts with their sentences are drawn, of one relation and in all."""
WRONG = 3
"""How many relations that a sentence does not state are drawn for it."""
_EXCHANGED = 4
"""For one of so many sentences the two ends are exchanged."""
_ALIKE = 0.05
_HELD_OUT = 5
"""One of so many pages is held out."""

Fact = tuple[str, str, str, str]
"""A relation, a subject and an object, and a page."""


class LabelledSentence(msgspec.Struct, frozen=True):
    """A sentence with a fact that it may state, and relations that do not hold between its ends."""

    candidate: CandidateSentence
    group: int
    """Sentences of one fact on one page have the same number."""
    wrong: tuple[str, ...]
    exchanged: bool
    """Whether it also does not state the relation with its ends exchanged."""

    @property
    def held_out(self) -> bool:
        """Whether no model is adapted to its page; scores are calibrated on such pages."""
        return int(_digest("held out", self.candidate.page)[:8], 16) % _HELD_OUT == 0

    def not_stated(self) -> list[CandidateSentence]:
        """Facts that the sentence does not state."""
        wrong_facts = [msgspec.structs.replace(self.candidate, relation=relation) for relation in self.wrong]
        return [*wrong_facts, exchanged(self.candidate)] if self.exchanged else wrong_facts


def exchanged(candidate: CandidateSentence) -> CandidateSentence:
    """A candidate with its two ends exchanged."""
    return msgspec.structs.replace(
        candidate,
        subject=candidate.object,
        object=candidate.subject,
        subject_name=candidate.object_name,
        object_name=candidate.subject_name,
        subject_places=candidate.object_places,
        object_places=candidate.subject_places,
    )


def draw_examples(candidates: Iterable[CandidateSentence], sample: FactSample) -> list[LabelledSentence]:
    """Draw facts of each relation, and take all their sentences."""
    of_fact: dict[Fact, list[CandidateSentence]] = {}
    for candidate in candidates:
        of_fact.setdefault(
            (candidate.relation, candidate.subject, candidate.object, candidate.page), []
        ).append(candidate)
    akin = akin_relations(sample.labels, sample.pairs)
    shares = shares_of_kinds(sample.kinds)
    alike = {relation: _likely(alikeness(shares, relation), akin[relation]) for relation in sample.labels}
    symmetric = _symmetric(sample)
    drawn: list[LabelledSentence] = []
    for group, key in enumerate(_drawn(list(of_fact))):
        relation, subject, object_, _page = key
        held_relations = sample.pairs.get((subject, object_)) or frozenset((relation,))
        for candidate in of_fact[key]:
            wrong = _wrong(
                candidate,
                alike[relation],
                held_relations | set().union(*(akin[name] for name in held_relations)),
            )
            turned = (
                not candidate.literal
                and relation not in symmetric
                and _hash(candidate, "turned") % _EXCHANGED == 0
            )
            turned = turned and (object_, subject) not in sample.pairs
            drawn.append(LabelledSentence(candidate, group, wrong, turned))
    return drawn


def _drawn(facts: Sequence[Fact]) -> list[Fact]:
    """Some facts of each relation: as many of each as there may be in all."""
    order = sorted(facts, key=lambda fact: _digest(*fact))
    of_relation: dict[str, list[Fact]] = {}
    for fact in order:
        of_relation.setdefault(fact[0], []).append(fact)
    most = MOST_OF_RELATION
    while most > 1 and sum(min(most, len(group)) for group in of_relation.values()) > MOST:
        most = most * 9 // 10
    return [fact for name in sorted(of_relation) for fact in of_relation[name][:most]]


def _likely(alike: dict[str, float], akin: set[str]) -> list[tuple[str, float]]:
    return sorted((name, share) for name, share in alike.items() if share > _ALIKE and name not in akin)


def _wrong(
    candidate: CandidateSentence, alike: list[tuple[str, float]], held_relations: Iterable[str]
) -> tuple[str, ...]:
    """Relations between things of the same kinds that the graph does not have for these two."""
    without = set(held_relations)
    possible = [(name, share) for name, share in alike if name not in without]
    if not possible:
        return ()
    random = np.random.default_rng(_hash(candidate, "wrong"))
    shares = np.array([share for _name, share in possible])
    count = min(WRONG, len(possible))
    indexes = random.choice(len(possible), count, replace=False, p=shares / shares.sum())
    return tuple(possible[number][0] for number in indexes)


def _symmetric(sample: FactSample) -> set[str]:
    """Relations that also hold the other way round for some of their facts."""
    return {
        relation
        for (subject, object_), relations in sample.pairs.items()
        for relation in relations & (sample.pairs.get((object_, subject)) or frozenset())
    }


def _hash(candidate: CandidateSentence, salt: str) -> int:
    parts = (salt, candidate.relation, candidate.subject, candidate.object, candidate.page)
    return int(_digest(*parts, str(candidate.sentence))[:15], 16)


def _digest(*parts: str) -> str:
    return hashlib.md5("\t".join(parts).encode()).hexdigest()


# New weights for the model, learned from examples of the user's graph and corpus; needs torch. Relations
# that no training text had are scored badly by the model as it comes. The embeddings of words and the
# first layer stay as they are, which saves time and keeps what the model knows of words. Pages that are
# held out are not learned from.

MOST_READ, MOST_READ_BY_GPU = 20_000, 90_000
"""How many examples are read in all; a relation's first, then the same ones again."""
_MOST_ROUNDS = 4
_RATE, _BATCH, _WARM = 2e-4, 16, 0.06
_FROZEN_LAYERS = 1
_ADAPTING_FEWEST = 200


class EncodedExample(NamedTuple):
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


def adapted_model(verifier: "LearnedVerifier", examples: Sequence[LabelledSentence]) -> StatementModel:
    """The model of a verifier with weights adapted to examples."""
    if not can_adapt():
        raise RollcallError(
            "to adapt the weights of the learned verifier, install torch and transformers: "
            "pip install 'rollcall-qa[neural]'; or choose the option adapt=combination"
        )
    import torch

    model = verifier.model
    encoded = list(_encoded(verifier, [example for example in examples if not example.held_out]))
    if len(encoded) < _ADAPTING_FEWEST:
        return model
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = open_network(model.folder, model.tokenizer).to(device)
    _fit(network, encoded, device)
    return StatementModel(model.folder, _exported(network.cpu().eval()))


def _encoded(verifier: "LearnedVerifier", examples: Sequence[LabelledSentence]) -> Iterator[EncodedExample]:
    """The examples and what they do not state; sentences of one fact on one page share its weight."""
    sizes = Counter(example.group for example in examples)
    tokenizer = verifier.model.tokenizer
    for example in examples:
        facts = [(example.candidate, 1.0), *((wrong, 0.0) for wrong in example.not_stated())]
        for candidate, answer in facts:
            reading = verifier.reading(candidate)
            encoded = tokenizer.encode(reading.relation, reading.sentence)
            yield EncodedExample(
                encoded.ids, encoded.type_ids, answer, 1.0 if not answer else sizes[example.group] ** -0.5
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
            encoded = self.bert(input_ids=tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
            marks = [(tokens == mark).to(encoded.dtype).unsqueeze(1) for mark in (subject, object_)]
            joined = torch.cat([encoded[:, 0], *((mark @ encoded)[:, 0] for mark in marks)], -1)
            hidden = nn.functional.gelu(self.middle(self.drop(joined)))
            return self.out(self.drop(hidden)).squeeze(-1)

    network = Network()
    missing = network.load_state_dict(state, strict=False).missing_keys
    if any("position_ids" not in name and "token_type_ids" not in name for name in missing):
        raise RollcallError(f"{folder}: layers.npz lacks weights of the model: {missing[0]}")
    return network


def _fit(network: "torch.nn.Module", examples: Sequence[EncodedExample], device: str) -> None:
    """Train for as many rounds as the time allows."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

    bert: Any = network.bert
    for module in (bert.embeddings, *bert.encoder.layer[:_FROZEN_LAYERS]):
        for weights in module.parameters():
            weights.requires_grad = False
    random = np.random.default_rng(0)
    most = MOST_READ if device == "cpu" else MOST_READ_BY_GPU
    order = np.concatenate([random.permutation(len(examples)) for _ in range(_MOST_ROUNDS)])[:most]
    batches = list(_batches(examples, order, random))
    trained = [weights for weights in network.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=_RATE, weight_decay=0.01)
    network.train()
    with Progress("adapting the model", len(batches)) as progress:
        for step, rows in enumerate(batches):
            fraction = step / len(batches)
            for group in optimizer.param_groups:
                group["lr"] = _RATE * min(fraction / _WARM + 1e-3, (1 - fraction) / (1 - _WARM))
            batch = [examples[row] for row in rows]
            tokens = _padded([example.tokens for example in batch]).to(device)
            types = _padded([example.types for example in batch]).to(device)
            answers = torch.tensor([example.answer for example in batch], device=device)
            weights = torch.tensor([example.weight for example in batch], device=device)
            logits = network(tokens, (tokens != 0).long(), types)
            loss = (cross_entropy(logits, answers, reduction="none") * weights).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            progress.advance(1)


def _batches(
    examples: Sequence[EncodedExample], order: "np.ndarray", random: np.random.Generator
) -> Iterator["np.ndarray"]:
    """Batches of sentences of similar length, in random order within each part of the whole."""
    chunk_size = 64 * _BATCH
    for start in range(0, len(order), chunk_size):
        chunk = order[start : start + chunk_size]
        lengths = np.array([len(examples[row].tokens) for row in chunk])
        chunk = chunk[np.argsort(lengths, kind="stable")]
        cut = [chunk[first : first + _BATCH] for first in range(0, len(chunk), _BATCH)]
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


_FEWEST = 40
"""With fewer examples the model decides alone."""
_MOST_ASKED = 800
"""How many sentences both are asked about to learn their combination."""
_BLOCK = 250
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_SENTENCES = "lessons.npz"
"""The word is older than `TrainingSentences`; files of earlier builds have it."""


class TrainingDraw(NamedTuple):
    """What is drawn from a graph and a corpus."""

    sentences: TrainingSentences
    examples: list[LabelledSentence]


def draw(context: VerifierContext) -> TrainingDraw:
    """Draw facts, and search for them."""
    assert context.graph is not None
    assert context.corpus is not None
    with searched_sample(context.graph, context.corpus, context.engine, context.work) as searched:
        return TrainingDraw(
            searched.training_sentences(context.lexicon),
            draw_examples(searched.candidates(), searched.sample),
        )


def write_drawn(path: Path, drawn: TrainingDraw) -> None:
    """Write what was drawn to a file."""
    with TemporaryDirectory() as temporary, zipfile.ZipFile(path, "w") as file:
        sentences = Path(temporary) / _SENTENCES
        write_training_sentences(sentences, drawn.sentences)
        file.writestr(zipfile.ZipInfo(_SENTENCES, _FIXED_DATE), sentences.read_bytes())
        examples = msgspec.msgpack.encode(drawn.examples)
        file.writestr(zipfile.ZipInfo("examples.msgpack", _FIXED_DATE), examples)


def read_drawn(path: Path) -> TrainingDraw:
    """What such a file has."""
    with Archive.open(path) as file:
        examples = msgspec.msgpack.decode(file.read("examples.msgpack"), type=list[LabelledSentence])
        return TrainingDraw(read_training_sentences(BytesIO(file.read(_SENTENCES))), examples)


def unlearned(folder: Path | None, context: VerifierContext) -> LearnedVerifier:
    """The model alone, with its own calibration."""
    model = StatementModel(folder or packaged_model())
    model_folder = str(folder.absolute()) if folder else ""
    about = LearnedParts(context.relation_labels(), model.calibration, model.fingerprint, model_folder)
    return LearnedVerifier(model, about, None, context.lexicon)


def learn(folder: Path | None, adapt: str, context: VerifierContext) -> LearnedVerifier:
    """Learn `contrast` and how to combine it with the model; adapt the model first where it has to be."""
    drawn = draw(context) if context.prepared is None else read_drawn(context.prepared)
    alone = unlearned(folder, context)
    earlier = None if context.earlier is None else LearnedVerifier.load(context.earlier, context.lexicon)
    contrast = learn_contrast(
        drawn.sentences,
        relations=context.relations,
        lexicon=context.lexicon,
        earlier=None if earlier is None or earlier.contrast is None else earlier.contrast.models,
        engine=context.engine,
    )
    if earlier is not None and earlier.model.adapted is not None:
        alone = LearnedVerifier(earlier.model, alone.about, None, context.lexicon)
    learned = LearnedVerifier(alone.model, alone.about, contrast, context.lexicon)
    relations = set(drawn.sentences.rows_of_relation if context.relations is None else context.relations)
    examples = [
        example for example in drawn.examples if example.candidate.relation in relations
    ] or drawn.examples
    if len(examples) < _FEWEST:
        return learned
    share = None
    if earlier is not None:
        combination = earlier.about.combination
    else:
        verdicts = _ExampleVerdicts(learned, _evenly_chosen(examples), context.engine)
        combination = verdicts.combination()
        share = verdicts.removed(combination)
        if adapt == "weights" or (adapt == "auto" and share < ENOUGH and can_adapt_quickly()):
            model = adapted_model(alone, drawn.examples)
            learned = LearnedVerifier(model, alone.about, contrast, context.lexicon)
            unseen = [example for example in examples if example.held_out]
            if len(unseen) >= _FEWEST:
                combination = _ExampleVerdicts(learned, _evenly_chosen(unseen), context.engine).combination()
    about = msgspec.structs.replace(alone.about, combination=combination, removed=share)
    return LearnedVerifier(learned.model, about, contrast, context.lexicon)


def _evenly_chosen(examples: list[LabelledSentence]) -> list[LabelledSentence]:
    """About as many examples as are asked about: whole groups, evenly chosen."""
    step = max(1, len(examples) // _MOST_ASKED)
    return [example for example in examples if example.group % step == 0]


class _ExampleVerdicts:
    """What the model and `contrast` say about examples, and about what these do not state."""

    def __init__(
        self, verifier: LearnedVerifier, examples: list[LabelledSentence], engine: "Engine | None"
    ) -> None:
        self._calibration = verifier.model.calibration
        self._groups = np.array([example.group for example in examples], np.int64)
        stated = [example.candidate for example in examples]
        wrong = [not_stated for example in examples for not_stated in example.not_stated()[-2:]]
        candidates = stated + wrong
        blocks = [candidates[start : start + _BLOCK] for start in range(0, len(candidates), _BLOCK)]
        run = map_here if engine is None else engine.map_blocks
        logits: list[Numbers] = []
        with Progress("asking the model", len(candidates)) as progress:
            for block_logits in run(_ask, blocks, partial(_same, verifier)):
                logits.append(block_logits)
                progress.advance(len(block_logits))
        model = np.concatenate([np.zeros(0), *logits])
        contrast = verifier.contrast_logits(candidates)
        self._stated = Opinions(model[: len(stated)], contrast[: len(stated)])
        self._wrong = Opinions(model[len(stated) :], contrast[len(stated) :])

    def combination(self) -> Combination:
        return combine(self._calibration, self._stated, self._groups, self._wrong)

    def removed(self, combination: Combination) -> float:
        return removed(self._stated, self._groups, self._wrong, combination)


def _same(verifier: LearnedVerifier) -> LearnedVerifier:
    return verifier


def _ask(verifier: LearnedVerifier, candidates: "list[CandidateSentence]") -> Numbers:
    return verifier.model_logits(candidates)
