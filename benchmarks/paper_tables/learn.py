"""The second stage: every row that has a network is trained and asked. Only training examples are needed.

A row that is done is not done again, and an unfinished training goes on, so that a machine can be used in
pieces of some minutes.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

import rollcall
from paper_tables.dense_rows import dense_row, dpr_rows
from paper_tables.place import DEPTH, Data, Place
from paper_tables.profile import PROFILES, Base, Profile
from paper_tables.rows import DPR, PARTS, Asking, Training, askings, needs_dpr, trainings
from paper_tables.speed import measured
from paper_tables.tiny_models import tiny_encoder, tiny_generator
from rollcall.systems import Context, open_reader
from rollcall.systems.retrieve.given import Stored
from rollcall.systems.train.model_folder import read_about
from rollcall.systems.train.training_example import TrainingExample, example_file, read_examples

ENTITY_SCORERS = ("mention-scorer", "candidate-scorer")
GENERATORS = ("pig", "fid", "seq2seq", "closed-book")
TOGETHER = 256
"""Questions that are read at once."""
READ_TOKENS = 1 << 19
"""Tokens that a generator reads at once: a token is written as fast for many texts as for few."""


class Limits(NamedTuple):
    """What a call of this stage may do."""

    minutes: float | None = None
    """Of each training, in place of those of the profile."""
    stop_after: float | None = None
    """Seconds after which nothing new is begun."""
    only: Sequence[str] = ()
    splits: Sequence[str] = ("test", "dev")
    """What is asked, in this order."""


class Learning:
    """Trains and asks what is missing."""

    def __init__(self, place: Place, bases: dict[Base, str], limits: Limits) -> None:
        self._place, self._data, self._limits = place, place.data, limits
        self._profile: Profile = PROFILES[self._data.profile]
        self._bases = bases or _tiny(place, self._data)
        self._began = time.monotonic()

    def run(self) -> bool:
        """Do what is missing, a split at a time; returns whether nothing is left."""
        if not self._place.run("dense").exists() and self._wanted("dense"):
            dense_row(self._place, self._data, self._encoder)
        return all(self._rows(split) for split in self._limits.splits)

    def _rows(self, split: str) -> bool:
        for training in trainings(self._profile):
            asked = [one for one in askings(training, self._profile) if one.split == split]
            wanted = self._wanted(training.name, *(one.name for one in asked))
            if not wanted or is_done(self._place, training, self._profile, split):
                continue
            if self._late():
                return False
            print(training.name, file=sys.stderr, flush=True)
            self._train(training)
            if training.name == DPR:
                dpr_rows(self._place, self._data, str(self._place.models / DPR))
            for one in asked:
                if not self._place.run(one.name, one.split).exists():
                    self._ask(one)
        return True

    def _train(self, training: Training) -> None:
        out = self._place.models / training.name
        if out.is_dir():
            return
        out.parent.mkdir(parents=True, exist_ok=True)
        rollcall.train(
            training.system,
            out=out,
            examples=[one for name in training.examples for one in self._place.learning(name)],
            base=self._bases[training.base],
            limit=self._profile.limit if training.clusters else None,
            clusters=training.clusters,
            preset=training.preset,
            options=self._options(training),
        )

    def _options(self, training: Training) -> dict[str, object]:
        if training.name != PARTS:
            own = self._profile.training(training.system, self._limits.minutes)
            return {**own, **training.options}
        found: dict[str, object] = {"parts": self._profile.parts, "only": "parts"}
        for part in self._profile.parts.split("+"):
            for name, value in self._profile.training(part, self._limits.minutes).items():
                found[f"{part}.{name}"] = value
            if part == "pig":
                found["pig.base"] = self._bases["generator"]
        return found

    def _ask(self, asking: Asking) -> None:
        """Answer the questions of training examples, and keep how fast that was."""
        model, folder = self._place.models / asking.model, self._place.asked(asking.examples, asking.split)
        examples = read_examples(example_file(folder, "train"))
        options: dict[str, object] = {"model": str(model), **asking.options}
        if asking.reader in ENTITY_SCORERS:
            options["mentions"] = str(folder)
        if asking.model.startswith(PARTS):  # what the trees of `rollcall` will ask for, too
            options["scores"] = str(self._place.scores / f"{asking.reader}.jsonl")
        if asking.reader in GENERATORS:
            options["tokens"] = READ_TOKENS
        if asking.reader == "pig":
            options["compile"] = True
        questions = [one.as_question for one in examples]
        reader = open_reader(asking.reader, Context(questions, retriever=Stored(folder)), options)
        reader.together = TOGETHER
        for one in examples[:1]:  # loads the network, which is not timed
            reader.read_many([one.asked], [[each.passage for each in one.passages[:2]]])
        made = rollcall.run(questions, reader, retriever=Stored(folder), k=DEPTH, timed=True)
        self._place.runs.mkdir(parents=True, exist_ok=True)
        made.save(self._place.run(asking.name, asking.split))
        self._measure(asking, model, examples, sum(one.seconds or 0.0 for one in made))

    def _measure(
        self, asking: Asking, model: Path, examples: Sequence[TrainingExample], seconds: float
    ) -> None:
        if asking.split != "test" or asking.name.endswith("oracle"):
            return
        speed = measured(model, read_about(model, asking.reader), examples, seconds)
        self._place.speeds.mkdir(parents=True, exist_ok=True)
        (self._place.speeds / f"{asking.name}.json").write_bytes(msgspec.json.encode(speed))

    def _wanted(self, *names: str) -> bool:
        """Whether a row is wanted, by itself or by those that read the passages of dpr."""
        only = self._limits.only
        if DPR in names and any(
            one.name in only and needs_dpr(one, self._profile) for one in trainings(self._profile)
        ):
            return True
        return not only or any(name in only for name in names)

    def _late(self) -> bool:
        limit = self._limits.stop_after
        return limit is not None and time.monotonic() - self._began >= limit

    @property
    def _encoder(self) -> str:
        from rollcall.systems.retrieve.encoder import default_model

        return default_model() if self._bases["encoder"] == "minilm" else self._bases["encoder"]


def is_done(place: Place, training: Training, profile: Profile, split: str) -> bool:
    """Whether everything that a training serves has been asked."""
    if training.name == DPR:
        return place.run(DPR).exists() and place.asked("qampari-dpr").is_dir()
    asked = [one for one in askings(training, profile) if one.split == split]
    return all(place.run(one.name, split).exists() for one in asked)


def _tiny(place: Place, data: Data) -> dict[Base, str]:
    """Random models that know the words of the training."""
    if data.profile != "tiny":
        raise SystemExit("the profile small needs --generator CHECKPOINT, and may have --encoder CHECKPOINT")
    folders = place.models / "tiny-encoder", place.models / "tiny-generator"
    if not all(one.is_dir() for one in folders):
        examples = read_examples(example_file(place.learning("qampari-bm25")[0], "train"))
        texts = [text for one in examples for each in one.passages for text in (one.question, each.text)]
        tiny_encoder(folders[0], texts)
        tiny_generator(folders[1], texts)
    return {"encoder": str(folders[0]), "generator": str(folders[1])}
