"""Learning: every row that has a network is trained and asked. Only training examples are needed.

- `RowLearning`: trains and asks what is missing. A row that is done is not done again, and an unfinished
  training continues, so that a machine can be used in pieces of some minutes.
- `learn_together`: several rows at a time on one GPU, each in a process of its own.
- `dense_row`, `dpr_rows`: what dense retrievers find, by `DenseSearch`.
- `RowSpeed`: how fast a system learns and reads.
- `tiny_encoder`, `tiny_generator`: tiny checkpoints with random weights.

All of it needs the extra `neural`: pip install 'rollcall-qa[neural]'.
"""

import lzma
import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall._core.console import remark
from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing_part
from rollcall.papers.tables.data import DEPTH, TableData, WorkFolder
from rollcall.papers.tables.declared import (
    DPR,
    PARTS,
    SIZES,
    Base,
    RowAsking,
    RowTraining,
    TableSizes,
    askings,
    needs_dpr,
    trainings,
)
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.systems import Context, open_reader
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve.encoder import Encoder, both_encoders, default_model
from rollcall.systems.retrieve.given import Stored
from rollcall.systems.train.base import required_transformers
from rollcall.systems.train.example_folder import ABOUT, ExampleFolder, with_passages
from rollcall.systems.train.model_folder import ModelDescription, read_about
from rollcall.systems.train.training_example import (
    TrainingExample,
    example_file,
    read_examples,
    write_examples,
)
from rollcall.systems.train.verb import train
from rollcall.systems.verbs import run

_ENTITY_SCORERS = ("mention-scorer", "candidate-scorer")
_GENERATORS = ("pig", "fid", "seq2seq", "closed-book")
_TOGETHER = 256
"""Questions that are read at once."""
_READ_TOKENS = 1 << 19
"""Tokens that a generator reads at once: a token is written as fast for many texts as for few."""


class LearningLimits(NamedTuple):
    """What a call of this stage may do."""

    minutes: float | None = None
    """Of each training, in place of those of the sizes."""
    stop_after: float | None = None
    """Seconds after which nothing new is started."""
    only: Sequence[str] = ()
    splits: Sequence[str] = ("test", "dev")
    """What is asked, in this order."""


class RowLearning:
    """Trains and asks what is missing."""

    def __init__(self, work: WorkFolder, bases: dict[Base, str], limits: LearningLimits) -> None:
        required_transformers()
        self._work, self._data, self._limits = work, work.data, limits
        self._sizes = SIZES[self._data.profile]
        self._bases = bases or _tiny(work, self._data)
        self._started = time.monotonic()

    def run(self) -> bool:
        """Do what is missing, a split at a time; returns whether nothing is left."""
        if not self._work.run("dense").exists() and self._is_wanted("dense"):
            dense_row(self._work, self._data, self._encoder)
        return all(self._rows(split) for split in self._limits.splits)

    def _rows(self, split: str) -> bool:
        for training in trainings(self._sizes):
            row_askings = [asking for asking in askings(training, self._sizes) if asking.split == split]
            wanted = self._is_wanted(training.name, *(asking.name for asking in row_askings))
            if not wanted or is_done(self._work, training, self._sizes, split):
                continue
            if self._is_late():
                return False
            remark(training.name, error=True, flush=True)
            self._train(training)
            if training.name == DPR:
                dpr_rows(self._work, self._data, str(self._work.models / DPR))
            for asking in row_askings:
                if not self._work.run(asking.name, asking.split).exists():
                    self._ask(asking)
        return True

    def _train(self, training: RowTraining) -> None:
        out = self._work.models / training.name
        if out.is_dir():
            return
        out.parent.mkdir(parents=True, exist_ok=True)
        train(
            training.system,
            out=out,
            exercises=[folder for name in training.examples for folder in self._work.learning(name)],
            base=self._bases[training.base],
            limit=self._sizes.limit if training.clusters else None,
            clusters=training.clusters,
            preset=training.preset,
            options=self._options(training),
        )

    def _options(self, training: RowTraining) -> dict[str, object]:
        if training.name != PARTS:
            own = self._sizes.training(training.system, self._limits.minutes)
            return {**own, **training.options}
        options: dict[str, object] = {"parts": self._sizes.parts, "only": "parts"}
        for part in self._sizes.parts.split("+"):
            for name, value in self._sizes.training(part, self._limits.minutes).items():
                options[f"{part}.{name}"] = value
            if part == "pig":
                options["pig.base"] = self._bases["generator"]
        return options

    def _ask(self, asking: RowAsking) -> None:
        """Answer the questions of training examples, and keep how fast that was."""
        model, folder = self._work.models / asking.model, self._work.asked(asking.examples, asking.split)
        examples = read_examples(example_file(folder, "train"))
        options: dict[str, object] = {"model": str(model), **asking.options}
        if asking.reader in _ENTITY_SCORERS:
            options["mentions"] = str(folder)
        if asking.model.startswith(PARTS):  # what the trees of `rollcall` will ask for, too
            options["scores"] = str(self._work.scores / f"{asking.reader}.jsonl")
        if asking.reader in _GENERATORS:
            options["tokens"] = _READ_TOKENS
        if asking.reader == "pig":
            options["compile"] = True
        questions = [example.as_question for example in examples]
        reader = open_reader(asking.reader, Context(questions, retriever=Stored(folder)), options)
        reader.together = _TOGETHER
        for example in examples[:1]:  # loads the network, which is not timed
            reader.read_many([example.asked], [[passage.passage for passage in example.passages[:2]]])
        answers = run(questions, reader, retriever=Stored(folder), k=DEPTH, timed=True)
        self._work.runs.mkdir(parents=True, exist_ok=True)
        answers.save(self._work.run(asking.name, asking.split))
        self._measure(asking, model, examples, sum(prediction.seconds or 0.0 for prediction in answers))

    def _measure(
        self, asking: RowAsking, model: Path, examples: Sequence[TrainingExample], seconds: float
    ) -> None:
        if asking.split != "test" or asking.name.endswith("oracle"):
            return
        speed = measured(model, read_about(model, asking.reader), examples, seconds)
        self._work.speeds.mkdir(parents=True, exist_ok=True)
        (self._work.speeds / f"{asking.name}.json").write_bytes(msgspec.json.encode(speed))

    def _is_wanted(self, *names: str) -> bool:
        """Whether a row is wanted, by itself or by those that read the passages of dpr."""
        only = self._limits.only
        if DPR in names and any(
            training.name in only and needs_dpr(training, self._sizes) for training in trainings(self._sizes)
        ):
            return True
        return not only or any(name in only for name in names)

    def _is_late(self) -> bool:
        limit = self._limits.stop_after
        return limit is not None and time.monotonic() - self._started >= limit

    @property
    def _encoder(self) -> str:
        return default_model() if self._bases["encoder"] == "minilm" else self._bases["encoder"]


def is_done(work: WorkFolder, training: RowTraining, sizes: TableSizes, split: str) -> bool:
    """Whether everything that a training serves has been asked."""
    if training.name == DPR:
        return work.run(DPR).exists() and work.asked("qampari-dpr").is_dir()
    rows = [asking for asking in askings(training, sizes) if asking.split == split]
    return all(work.run(asking.name, split).exists() for asking in rows)


# Several rows at a time on one GPU, each trained and asked by a process of its own. The networks are small,
# so one process leaves most of a large GPU idle. What needs the passages of the trained retriever waits for
# it.

_PAUSE = 0.2
"""Seconds between two looks at what has ended."""


def learn_together(work: WorkFolder, processes: int, limits: LearningLimits, command: Sequence[str]) -> bool:
    """Learn what is missing with so many processes; returns whether all ended well.

    `command` learns in the same folder; the option `--only` with the name of a row is added. What a process
    prints goes to a file for each row.
    """
    sizes, stop_after = SIZES[work.data.profile], limits.stop_after
    waiting = [] if work.run("dense").exists() else ["dense"]
    needing = {training.name for training in trainings(sizes) if needs_dpr(training, sizes)}
    for training in trainings(sizes):
        if not all(is_done(work, training, sizes, split) for split in limits.splits):
            waiting.append(training.name)
    waiting = [name for name in waiting if not limits.only or name in limits.only]
    running: dict[str, subprocess.Popen[bytes]] = {}
    logs = work.folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    started, ended_well = time.monotonic(), True
    while waiting or running:
        for name in [name for name, process in running.items() if process.poll() is not None]:
            code = running.pop(name).returncode
            ended_well = ended_well and not code
            seconds = time.monotonic() - started
            remark(f"{seconds:6.0f} s  {name} {'failed' if code else 'done'}", error=True, flush=True)
        is_late = stop_after is not None and time.monotonic() - started >= stop_after
        has_dpr = not {DPR} & {*waiting, *running}
        ready = [name for name in waiting if has_dpr or name not in needing]
        if is_late and not running:
            return False
        if not is_late and ready and len(running) < processes:
            waiting.remove(ready[0])
            with (logs / f"{ready[0]}.txt").open("wb") as log:
                running[ready[0]] = subprocess.Popen(
                    [*command, "--only", ready[0]], stdout=log, stderr=subprocess.STDOUT
                )
        else:
            time.sleep(_PAUSE)
    return ended_well


# What dense retrievers find, and the questions to ask with the passages that the trained one finds. Only ids
# are kept of what is found for Table 3; scoring has the corpus, and its texts.

_BATCH = 512


class DenseSearch(Retriever):
    """The nearest of all passages by inner product, on a machine that has neither the corpus nor FAISS.

    It is exact: the vectors of all passages are one matrix, on the GPU if there is one.
    """

    name = "dense-search"

    def __init__(self, model: str, passages: Sequence[Passage]) -> None:
        import torch

        questions, texts = both_encoders(model)
        self._encoder = Encoder(questions, batch=_BATCH)
        encoder = self._encoder if texts == questions else Encoder(texts, batch=_BATCH)
        self._passages = passages
        device = "cuda" if torch.cuda.is_available() else "cpu"
        vectors = encoder.encode([f"{passage.title} {passage.text}" for passage in passages])
        self._vectors = torch.from_numpy(vectors).to(device)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        import torch

        asked = torch.from_numpy(self._encoder.encode([question.question for question in questions]))
        scores = asked.to(self._vectors.device) @ self._vectors.T
        best = torch.topk(scores, min(k, len(self._passages)), dim=1)
        return [
            [
                msgspec.structs.replace(self._passages[number], score=score)
                for number, score in zip(numbers, values, strict=True)
            ]
            for numbers, values in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]


def dense_row(work: WorkFolder, data: TableData, model: str) -> None:
    """The row of an encoder that was not trained here."""
    _retrieve(work, DenseSearch(model, _read_passages(work.passages(data.test))), "dense")


def dpr_rows(work: WorkFolder, data: TableData, model: str) -> None:
    """The row of the trained retriever, and the questions to ask with what it finds."""
    for number in sorted({data.learn[0], data.test}):
        search = DenseSearch(model, _read_passages(work.passages(number)))
        if number == data.test:
            _retrieve(work, search, "dpr")
            _other_passages(work.asked("qampari-bm25"), work.asked("qampari-dpr"), search)
        if number == data.learn[0]:
            dev = work.asked("qampari-bm25", "dev"), work.asked("qampari-dpr", "dev")
            _other_passages(*dev, search)


def _read_passages(file: Path) -> list[Passage]:
    """The passages that were prepared."""
    return msgspec.json.Decoder(Passage).decode_lines(lzma.decompress(file.read_bytes()))


def _retrieve(work: WorkFolder, search: DenseSearch, name: str) -> None:
    examples = read_examples(example_file(work.asked("qampari-bm25"), "train"))
    rankings = search.retrieve([example.asked for example in examples], DEPTH)
    retrieved = Run(
        Prediction(example.id, retrieved=[Passage(passage.id, score=passage.score) for passage in passages])
        for example, passages in zip(examples, rankings, strict=True)
    )
    work.runs.mkdir(parents=True, exist_ok=True)
    retrieved.save(work.run(name))


def _other_passages(source: Path, out: Path, search: DenseSearch) -> None:
    """The training examples of a folder with the passages that a search finds, in another folder."""
    if out.is_dir():
        return
    about = ExampleFolder(source).about()
    with replacing_part(out) as partial:
        partial.mkdir(parents=True)
        for part in ("train", "dev"):
            if example_file(source, part).is_file():
                examples = read_examples(example_file(source, part))
                write_examples(example_file(partial, part), _searched(examples, search, about.k))
        described = msgspec.structs.replace(about, retriever={"name": "dpr"}, graph="")
        (partial / ABOUT).write_bytes(msgspec.json.encode(described))


def _searched(examples: Sequence[TrainingExample], search: DenseSearch, k: int) -> list[TrainingExample]:
    if not examples:
        return []
    rankings = search.retrieve([example.asked for example in examples], k)
    return [with_passages(example, passages) for example, passages in zip(examples, rankings, strict=True)]


# How fast a system learns and reads, and which share of a device's peak that is. Model FLOPs are 2 × weights
# × tokens for reading and three times that for learning, where embeddings do not count, nor does attention,
# nor what is written: the share is a lower bound.

_NO_PRODUCT = ("embed", "lm_head", "shared.weight")
_SAMPLE = 200


class RowSpeed(msgspec.Struct):
    """What was measured of a row."""

    weights: int = 0
    """Without embeddings."""
    training_tokens: float | None = None
    """A second."""
    inputs: float | None = None
    """A second: passages, candidates of a classifier, or questions without passages."""
    input_tokens: float = 0.0
    """The mean length of a question with a passage."""
    seconds: float = 0.0
    """All of the training, and of asking the test questions."""
    trained_seconds: float = 0.0

    def shares(self, peak: float | None) -> tuple[float | None, float | None]:
        """The shares of a peak, given in TFLOP/s, that learning and reading reach."""
        if not peak:
            return None, None
        learning = None if self.training_tokens is None else 6 * self.weights * self.training_tokens
        reading = None if self.inputs is None else 2 * self.weights * self.inputs * self.input_tokens
        return (
            None if learning is None else learning / peak / 1e12,
            None if reading is None else reading / peak / 1e12,
        )


def measured(
    model: Path, about: ModelDescription, examples: Sequence[TrainingExample], seconds: float
) -> RowSpeed:
    """The speed of a trained system that answered training examples in so many seconds."""
    number = sum(_inputs(example, about) for example in examples)
    return RowSpeed(
        weights=_weights(model),
        training_tokens=about.tokens / about.seconds if about.seconds else None,
        inputs=number / seconds if seconds else None,
        input_tokens=_length(model, examples),
        seconds=round(about.seconds + seconds, 1),
        trained_seconds=about.seconds,
    )


def _inputs(example: TrainingExample, about: ModelDescription) -> int:
    if about.system == "classifier":
        return len(example.candidates)
    most = int(about.options.get("passages", DEPTH))
    return min(len(example.passages), most) or 1


def _weights(model: Path) -> int:
    """The weights that every token meets, by the headers of the files."""
    from safetensors import safe_open

    total = 0
    for file in model.glob("*.safetensors"):
        with safe_open(file, "numpy") as content:
            for name in content.keys():  # noqa: SIM118 (it is no mapping)
                if not any(word in name for word in _NO_PRODUCT):
                    size = 1
                    for length in content.get_slice(name).get_shape():
                        size *= length
                    total += size
    return total


def _length(model: Path, examples: Sequence[TrainingExample]) -> float:
    from transformers import AutoTokenizer

    tokeniser = AutoTokenizer.from_pretrained(model)
    texts = [
        f"{example.question} {passage.title} {passage.text}"
        for example in examples
        for passage in example.passages[:5]
    ]
    sample = texts[:: max(len(texts) // _SAMPLE, 1)] or [example.question for example in examples[:_SAMPLE]]
    lengths = [len(tokens) for tokens in tokeniser(sample)["input_ids"]]
    return sum(lengths) / max(len(sample), 1)


# Tiny checkpoints with random weights, made on the spot: with them everything runs, little is learned.

_SIZE, _WORDS = 32, 1200
_SHAPE = {
    "hidden_size": _SIZE,
    "intermediate_size": _SIZE,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "vocab_size": _WORDS,
}


def _tiny(work: WorkFolder, data: TableData) -> dict[Base, str]:
    """Random models that know the words of the training."""
    if data.profile != "tiny":
        raise RollcallError(
            "the profile small needs --generator CHECKPOINT, and may have --encoder CHECKPOINT"
        )
    encoder, generator = work.models / "tiny-encoder", work.models / "tiny-generator"
    if not (encoder.is_dir() and generator.is_dir()):
        examples = read_examples(example_file(work.learning("qampari-bm25")[0], "train"))
        texts = [
            text
            for example in examples
            for passage in example.passages
            for text in (example.question, passage.text)
        ]
        tiny_encoder(encoder, texts)
        tiny_generator(generator, texts)
    return {"encoder": str(encoder), "generator": str(generator)}


def tiny_encoder(folder: Path, texts: Iterable[str]) -> None:
    """Write a BERT."""
    from transformers import BertConfig, BertModel

    tokeniser = _tokeniser(texts, ("[PAD]", "[CLS]", "[SEP]"))
    config = BertConfig(**_SHAPE, max_position_embeddings=192, pad_token_id=0)
    _save(folder, BertModel(config), tokeniser)


def tiny_generator(folder: Path, texts: Iterable[str]) -> None:
    """Write a causal language model."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokeniser = _tokeniser(texts, ("<pad>", "<s>", "</s>"))
    config = LlamaConfig(
        **_SHAPE,
        num_key_value_heads=2,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    _save(folder, LlamaForCausalLM(config), tokeniser)


def _tokeniser(texts: Iterable[str], special: tuple[str, str, str]) -> Any:
    """Pieces of words, learned from the texts; three special tokens come first: padding, begin and end."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    padding, begin, end = special
    tokeniser = Tokenizer(models.BPE())
    tokeniser.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokeniser.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=_WORDS, special_tokens=[*special], initial_alphabet=alphabet, show_progress=False
    )
    tokeniser.train_from_iterator(texts, trainer)
    encodes = begin == "[CLS]"
    tokeniser.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}" if encodes else f"{begin} $A",
        pair=f"{begin} $A {end} $B {end}" if encodes else f"{begin} $A {begin} $B",
        special_tokens=[(begin, 1), (end, 2)],
    )
    named = {"cls_token": begin, "sep_token": end} if encodes else {"bos_token": begin, "eos_token": end}
    return PreTrainedTokenizerFast(tokenizer_object=tokeniser, pad_token=padding, **named)


def _save(folder: Path, network: Any, tokeniser: Any) -> None:
    network.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
