"""`rollcall`: the training of our own reader: its models first, then the trees that weigh their scores.

A model scores questions that it was trained on better than others, so the trees must not learn from such
scores. The models learn from the split `train`, and the trees from `dev`. With folds they learn from both:
the questions of each fold are scored by models trained on the others, and the models that are kept are
trained on all. The scores are kept in files, so that the models can be trained where the GPU is, and the
trees where the graph is.
"""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove, replacing_part
from rollcall._core.registry import read_options
from rollcall.systems.read import READERS
from rollcall.systems.read.combined.looks import Solved, Weighing, fit_looks
from rollcall.systems.read.combined.nearness import is_plain
from rollcall.systems.read.rollcall_reader import (
    PARTS,
    open_nearness,
    open_part,
    open_search,
    packaged_statements,
)
from rollcall.systems.read.trained_reader import KeptScores, PassageQuestion, PassageReader
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.example_folder import Learning
from rollcall.systems.train.loop import is_first
from rollcall.systems.train.model_folder import read_about
from rollcall.systems.train.networks import network_and_base, train_network
from rollcall.systems.train.selection import figures
from rollcall.systems.train.trainable import (
    Count,
    OwnLearner,
    OwnTraining,
    PartOptions,
    TrainingOptions,
    TrainingResult,
    part_option_names,
)
from rollcall.systems.train.training_example import TrainingExample

SCORES, BASE = "scores", "base"
LEAST = 10
"""Questions that the trees need."""
_BATCH = 32


class CombinedOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which models the trees use."""

    parts: str = "mention-scorer"
    """The models whose scores are weighed, joined by plus signs; `none` for none."""
    folds: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Into how many folds the training questions are cut, by their relations, for scores by models that have
    not seen them, so that the trees learn from them too; 0 or 1: the trees learn from dev alone, if there
    are parts."""
    trained: str | None = None
    """A folder of parts that were trained on the same training examples before, with `only=parts`."""
    only: Literal["parts"] | None = None
    """Train the parts alone, without a graph; `trained` takes what comes out."""
    seed: Count = 0
    """The seed of the trees."""

    @property
    def names(self) -> list[str]:
        """The names of the parts."""
        return [] if self.parts == "none" else self.parts.split("+")


@TRAINABLES.register("rollcall")
class Combined(OwnLearner):
    """Trees over features of possible answers and the scores of trained models: the reader `rollcall`."""

    Options = CombinedOptions
    needs = ("graph",)

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        assert isinstance(options, CombinedOptions)
        return () if options.only == "parts" else super().learns_with(options)

    @classmethod
    def check(cls, system: str, options: msgspec.Struct, part_options: PartOptions, base: str | None) -> None:
        assert isinstance(options, CombinedOptions)
        trained = options.names if options.trained is None else []
        parts = f"trains {' and '.join(trained)}" if trained else "trains no part"
        for option in part_option_names(part_options):
            if option.partition(".")[0] not in trained:
                raise RollcallError(f"{system} {parts} here, and does not use {option}: leave it out")
        if base is not None and not trained:
            raise RollcallError(f"{system} {parts} here, and does not use --base: leave it out")
        for name in trained:
            network_and_base(name, part_base(name, part_options, base), f"--option {name}.base=CHECKPOINT")
            own_options(name, part_options)
            scorer_of(name)

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> TrainingResult | None:
        """Train the parts and the trees; the figure is the F1 of the questions that the trees learn from,
        each by trees that have not seen it.
        """
        options, learning = training.options, training.learning
        assert isinstance(options, CombinedOptions)
        names = options.names
        examples = [*learning.train, *learning.dev]  # the trees learn from dev
        parts_folder = Path(options.trained) if options.trained is not None else training.work
        if options.trained is None:
            for name in names:
                train_part(name, training)
        if not is_first():
            return None
        for name in names:
            source = parts_folder / PARTS / name
            if not source.is_dir():
                raise RollcallError(
                    f"{parts_folder}: has no trained {name}; train it with --option only=parts"
                )
            shutil.copytree(source, out / PARTS / name)
        if options.only == "parts":
            shutil.copytree(parts_folder / SCORES, out / SCORES)
            return TrainingResult(examples)
        context = training.context
        parts = {name: open_part(name, out / PARTS / name, context, parts_folder / SCORES) for name in names}
        statements = packaged_statements()
        statements.write(out)
        store = context.store if context.has("corpus") else None
        near = open_nearness(context)
        weighing = Weighing(context.graph, store, parts, statements, open_search(context, near), near)
        plain = weighing if near is None else weighing.without_nearness(open_search(context, None))
        unseen = [*learning.dev, *(learning.train if not names or options.folds > 1 else [])]
        if len(unseen) < LEAST:
            raise RollcallError(
                f"the trees learn from questions that no part was trained on; there are {len(unseen)}, and"
                f" {LEAST} are needed: give a larger split with --dev, or --option folds=2"
            )
        solved = [
            Solved(
                plain if is_plain(example.question) else weighing,
                example.asked,
                [passage.passage for passage in example.passages],
                example.answers,
            )
            for example in unseen
        ]
        fitted = fit_looks(solved, options.seed)
        fitted.looks.save(out)
        answers = [
            weighing.choose(example.asked, first, chances)
            for example, (first, chances) in zip(unseen, fitted.unseen, strict=True)
        ]
        return TrainingResult(examples, figures(answers, unseen)["F1"])


def train_part(name: str, training: OwnTraining) -> None:
    """Train a model on all examples and on all folds but one each; keep the scores of what was left out."""
    assert isinstance(training.options, CombinedOptions)
    learning, folds = training.learning, training.options.folds
    whole = _trained(name, training, learning, training.work / PARTS / name)
    scores = training.work / SCORES / f"{name}.jsonl"
    scores.parent.mkdir(parents=True, exist_ok=True)
    _score(name, whole, learning.dev, scores, whole)
    for fold in range(folds if folds > 1 else 0):
        inside = [example for example in learning.train if fold_of(example, folds) != fold]
        outside = [example for example in learning.train if fold_of(example, folds) == fold]
        if not inside or not outside:
            continue
        rest = learning._replace(
            train=inside, fingerprint=f"{learning.fingerprint} without {fold} of {folds}"
        )
        folder = _trained(name, training, rest, training.work / f"fold-{fold}" / name)
        _score(name, folder, outside, scores, whole)


def _trained(name: str, training: OwnTraining, learning: Learning, folder: Path) -> Path:
    """The folder of a model, which is trained unless the folder exists."""
    if not folder.is_dir():
        options = own_options(name, training.part_options)
        work = folder.with_name(f"{name}.training")
        base = part_base(name, training.part_options, training.base)
        if not is_first():  # it writes nothing
            train_network(name, options, base, learning, work, folder, training.progress)
            return folder
        with replacing_part(folder) as partial:
            partial.mkdir()
            train_network(name, options, base, learning, work, partial, training.progress)
        remove(work)
    return folder


def own_options(name: str, options: PartOptions) -> TrainingOptions:
    """The options of a part, without its checkpoint."""
    own = {key: value for key, value in options.get(name, {}).items() if key != BASE}
    part_options = read_options(TRAINABLES.find(name).Options, own, f"the trainable system {name}")
    assert isinstance(part_options, TrainingOptions)
    return part_options


def scorer_of(name: str) -> type[PassageReader]:
    """The reader of a part, which must score single passages."""
    reader = READERS.find(name) if any(entry.name == name for entry in READERS) else None
    if not (isinstance(reader, type) and issubclass(reader, PassageReader)):
        raise RollcallError(
            f"{name} does not score single passages, so it cannot be a part of the reader rollcall"
        )
    return reader


def part_base(name: str, options: PartOptions, base: str | None) -> str | None:
    """The checkpoint that a part starts from: its own, or the one for all."""
    own = options.get(name, {}).get(BASE)
    return str(own) if own is not None else base


def _score(name: str, model: Path, examples: Sequence[TrainingExample], scores: Path, whole: Path) -> None:
    """Keep a model's scores of training examples, in the file of the model that was trained on all."""
    if not is_first():
        return
    kept = KeptScores(scores, read_about(whole, name).version)
    scorer = scorer_of(name).for_examples(str(model), examples)
    for start in range(0, len(examples), _BATCH):
        readings = [
            PassageQuestion(example.asked, passage.passage)
            for example in examples[start : start + _BATCH]
            for passage in example.passages
        ]
        new = [reading for reading in readings if kept.get(reading) is None]
        kept.add(new, scorer.score(new))


def fold_of(example: TrainingExample, folds: int) -> int:
    """The fold of an example: all of one relation are in one, since a model that has learned a relation
    scores it better than those that it will meet later. Where relations are not known, texts decide.
    """
    key = ", ".join(example.relations) or example.question
    return int(hashlib.md5(key.encode()).hexdigest(), 16) % folds
