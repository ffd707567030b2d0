"""The function `train`: a system learns from a question set, from a script or the command line.

First the examples are made, which needs the corpus; then the system is trained, which needs nothing but them
(and the graph, for a system that answers from it). Both are kept beside the output until it is finished, so
the second part may be done on another machine.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.folders import check_folder, replacing_folder
from rollcall._core.options import chosen_options, named_values
from rollcall._core.registry import check_needs, nearest, read_options
from rollcall.questions.given import Questions
from rollcall.systems.context import NEEDS, Context
from rollcall.systems.opening import GivenRetriever, choose_retrievers
from rollcall.systems.options import TrainOptions
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.example_folder import ExampleFolder, Teaching, example_files, learned_from
from rollcall.systems.train.loop import is_first, other_training, wait_for_all
from rollcall.systems.train.model_folder import check_untrained, own_files, write_about
from rollcall.systems.train.networks import about_training, network_and_base, train_network
from rollcall.systems.train.trainable import (
    Learner,
    OwnLearner,
    OwnTraining,
    TrainingOptions,
    TrainingResult,
    check_beside_examples,
    check_dev,
    refuse_parts,
)

_RETRIEVER, _K, _SPLIT, _SHARE = "bm25", 100, "train", 0.5
"""The defaults for making examples; the share is that of other questions among all."""
_DEV = "dev"
_EXERCISES = "exercises"


def train(
    system: str,
    questions: Questions | None = None,
    settings: TrainOptions | None = None,
    *,
    out: Path | str,
    **keywords: Any,
) -> Path:
    """Train a system on a split of a set; returns the folder of the trained system.

    `system` is a name from `rollcall plugins`. The options are those of `TrainOptions`, given as keywords, as
    a record, or as both. Passages come with their mentions of the graph's entities if there is a graph.
    Wordings of `others` that are in `dev` or learned already are left out. The best weights by an evaluation
    on `dev` are kept. `options` are those of the system and the retriever by name. With `prepare`, `out` is a
    folder of examples, which may be given as `exercises` later, on a machine that has neither the corpus nor
    the set; what would only have made them is refused then. Several such folders, also of different corpora,
    are learned together, and the dev examples of the first decide which weights are best. A training that was
    interrupted continues; one that is finished is not replaced. Started by `accelerate launch`, several
    processes train together.
    """
    settings = chosen_options(TrainOptions, settings, keywords, "train")
    corpus, graph, index, progress = settings.corpus, settings.graph, settings.index, settings.progress
    retriever, k, split, dev = settings.retriever, settings.k, settings.split, settings.dev
    base, others, exercises, prepare = settings.base, settings.others, settings.exercises, settings.prepare
    out = Path(out)
    kind = TRAINABLES.find(system)
    chosen_retriever = None if exercises is not None else _RETRIEVER if retriever is None else retriever
    own, of_parts, searching = _options(
        system, kind, settings.preset, named_values(settings.options), chosen_retriever
    )
    if settings.share is not None and others is None:
        raise RollcallError("a share needs other questions to learn: give --others, or leave out --share")
    if exercises is not None and (questions is not None or others is not None):
        raise RollcallError("training examples have their questions already: leave out the set and --others")
    if exercises is not None and prepare:
        raise RollcallError(
            "training examples already exist: leave out --prepare, or --exercises to make others"
        )
    if not prepare:
        check_untrained(out)
        check_folder(out, own_files)
    arguments: dict[str, object] = {"corpus": corpus, "graph": graph}
    learned = _SPLIT if split is None else split
    if exercises is None:
        check_dev(learned, dev)
        check_needs(f"training {system}", kind.needs, lambda need: arguments.get(need) is not None, NEEDS)
    else:
        other_dev = None if dev == _DEV else str(dev)
        arguments |= {"index": index, "retriever": retriever, "k": k, "split": split, "dev": other_dev}
        check_beside_examples(system, kind, own, arguments)
    if not prepare:
        if issubclass(kind, OwnLearner):
            kind.check(system, own, of_parts, base)
        else:
            refuse_parts(system, of_parts)
            network_and_base(system, base)
    teaching = Teaching(
        questions=questions,
        corpus=corpus,
        graph=graph,
        retriever=chosen_retriever if kind.takes_passages(own) else None,
        options=searching,
        k=_K if k is None else k,
        split=learned,
        dev=dev,
        limit=settings.limit,
        clusters=settings.clusters,
        others=others,
        share=_SHARE if settings.share is None else settings.share,
        index=index,
        learner=kind,
        learning=kind.of_examples(own),
    )
    if prepare:
        with replacing_folder(out, example_files) as partial:
            ExampleFolder(partial).make(teaching, progress)
        return out
    work = out.with_name(f"{out.name}.training")
    first = is_first()
    if exercises is None:
        folder = ExampleFolder(work / _EXERCISES)
        if first:
            folder.make(teaching, progress, other_training(work) if _has_begun(work) else None)
        wait_for_all()
        learning = learned_from([folder])
    else:
        folders = [exercises] if isinstance(exercises, Path | str) else exercises
        learning = learned_from(
            [ExampleFolder(Path(path)) for path in folders], settings.limit, settings.clusters
        )
    with replacing_folder(out, own_files) if first else nullcontext(out) as partial:
        if issubclass(kind, OwnLearner):
            with Context(corpus=corpus, graph=graph, index=index, progress=progress) as context:
                training = OwnTraining(own, of_parts, base, learning, context, work, progress)
                _write_learned(system, training, kind.learn(training, partial), partial)
        else:
            assert isinstance(own, TrainingOptions)
            train_network(system, own, base, learning, work, partial, progress)
    if first:
        remove(work)
    wait_for_all()
    return out


def _has_begun(work: Path) -> bool:
    """Whether a system has learned something from the examples in the folder of an unfinished training."""
    return work.is_dir() and any(
        path.name != _EXERCISES and not path.name.startswith(".") for path in work.iterdir()
    )


def _write_learned(system: str, training: OwnTraining, learned: TrainingResult | None, out: Path) -> None:
    """Write the description of a system that learned on its own."""
    if learned is None:
        return
    about = about_training(
        system, training.options, training.base or "", training.learning._replace(train=learned.seen)
    )
    on = about.trained_on
    if len(learned.seen) > len(training.learning.train):
        on = msgspec.structs.replace(on, split=f"{on.split} and dev")
    about = msgspec.structs.replace(
        about, trained_on=on, best=learned.best, history=list(learned.history), steps=learned.steps
    )
    write_about(out, about)


class _Options(NamedTuple):
    """The options that were given, by what they are for."""

    own: msgspec.Struct
    parts: dict[str, dict[str, object]]
    """Options of the parts of a combined system, written `part.name`."""
    retriever: dict[str, object]


def _options(
    system: str,
    kind: type[Learner],
    preset: str | None,
    values: Mapping[str, object],
    retriever: GivenRetriever | None,
) -> _Options:
    if preset is not None and preset not in kind.presets:
        raise RollcallError(f"{system} has no preset {preset}{nearest(preset, kind.presets)}")
    names = kind.Options.__struct_fields__
    own = {
        **kind.presets.get(preset or "", {}),
        **{key: value for key, value in values.items() if key in names},
    }
    parts: dict[str, dict[str, object]] = {}
    rest: dict[str, object] = {}
    for key, value in values.items():
        part, dot, name = key.partition(".")
        if dot and any(trainable.name == part for trainable in TRAINABLES):
            parts.setdefault(part, {})[name] = value
        elif key not in names:
            rest[key] = value
    label = f"the trainable system {system}"
    options = read_options(kind.Options, own, label)
    searching = choose_retrievers(retriever) if retriever is not None and kind.takes_passages(options) else []
    taken = {
        key
        for searcher in searching
        for name in searcher.option_names
        for key in (name, f"{searcher.name}.{name}")
    }
    if unknown := {key: value for key, value in rest.items() if key not in taken}:
        read_options(kind.Options, {**own, **unknown}, label)  # says that there is none, and the nearest
    return _Options(options, parts, rest)
