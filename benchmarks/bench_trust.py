"""How far verifiers can be trusted: on text that people labelled, and on a world whose truth is known.

On labelled text every document is judged by verifiers that learned from other documents. Documents are
divided into five folds. For each, `contrast` learns from the documents of the other four, and from a graph
without the facts between two things that a triple of the fold names. `learned` is given the model that was
trained without the fold, is calibrated on the triples of the others, and learns its combination from the same
graph and corpus; `learned alone` is this model without graph and corpus. Figures are means over the folds.

A world is new, so that no model has seen it. There scores are adjusted to the share of true sentences, as a
build does, before their calibration error is measured.

    python benchmarks/bench_trust.py [DOCRED --folds DIR] [--entities 2000] [--seed 21] [--jobs 2]

DOCRED has facts.tsv.gz, values.tsv.gz, entities.jsonl.gz, relations.tsv, pages.jsonl.gz and triples.jsonl.gz.
DIR has the exported models fold_0 to fold_4 (models/training/README.md). `--also "nli model=PATH"` adds a
verifier.
"""

import gzip
import json
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import pyarrow.parquet as pq

from _harness import PROJECT, Arguments, Figures, made_world, measured, run_benchmark
from bench_evidence import wanted_facts
from rollcall.corpus import Corpus, make_corpus
from rollcall.evidence import make_verifier
from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.expected import chances
from rollcall.evidence.labelled import (
    DECOY,
    OTHER,
    STATES,
    Triple,
    WorldTruth,
    average_precision,
    calibration_error,
    to_candidates,
    verification,
)
from rollcall.evidence.search.run import find_candidates
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.graph import Graph
from rollcall.graph.make import make_graph
from rollcall.tables.build import Candidates
from rollcall.tables.engine import Engine, map_here, opened
from rollcall.tables.files import read

sys.path.insert(0, str(PROJECT / "models" / "training"))
from calibrate import calibration
from records import FOLDS, fold_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.evidence.verifiers.learned.verifier import LearnedVerifier

LOST = (0.05, 0.075)
"""The shares of true sentences lost at which removed ones are counted."""
BLOCK = 250
Opened = Iterator[tuple[str, Verifier]]


class Labelled(Triple, frozen=True, kw_only=True):
    """A labelled triple with what kind it is, and its document."""

    kind: str
    document: str


class Judged(NamedTuple):
    """What a verifier says about sentences, and how many of them in a second."""

    scores: "NDArray[np.float64]"
    accepted: "NDArray[np.bool_]"
    speed: float


def judge(verifier: Verifier, candidates: list[CandidateSentence], engine: Engine) -> Judged:
    """Score candidates in as many processes as the engine has."""
    map_blocks = engine.map_blocks if verifier.parallel else map_here
    cost, parts = measured(
        lambda: list(map_blocks(judge_block, blocks_of(candidates), partial(same, verifier)))
    )
    scores, accepted = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Judged(scores, accepted, len(scores) / cost.seconds)


def judge_block(
    verifier: Verifier, candidates: list[CandidateSentence]
) -> tuple["NDArray[np.float64]", "NDArray[np.bool_]"]:
    scores = verifier.scores(candidates)
    return scores, verifier.accepts(candidates, scores)


def ask_block(verifier: "LearnedVerifier", candidates: list[CandidateSentence]) -> "NDArray[np.float64]":
    return verifier.model_logits(candidates)


def same(verifier: Verifier) -> Verifier:
    return verifier


def blocks_of(candidates: list[CandidateSentence]) -> list[list[CandidateSentence]]:
    return [candidates[start : start + BLOCK] for start in range(0, len(candidates), BLOCK)]


def figures(
    judged: Judged, true: "NDArray[np.bool_]", others: dict[str, "NDArray[np.bool_]"]
) -> dict[str, float]:
    """What is removed of each kind of false sentences, and how good the scores are."""
    found = {}
    for kind, of_kind in others.items():
        for lost in LOST:
            least = np.quantile(judged.scores[true], lost, method="lower")
            found[f"{kind} at {lost:.1%}"] = 100 * float(np.mean(judged.scores[of_kind] < least))
    found["average precision"] = 100 * (average_precision(judged.scores, true) or 0.0)
    found["calibration error"] = 100 * calibration_error(judged.scores, true)
    found["true lost"] = 100 * float(np.mean(~judged.accepted[true]))
    for kind, of_kind in others.items():
        found[f"{kind} removed"] = 100 * float(np.mean(~judged.accepted[of_kind]))
    found["sentences/s"] = judged.speed
    return found


def print_table(rows: dict[str, dict[str, float]]) -> None:
    """Print the figures of all verifiers, in per cent; the speed also as a multiple of that of `contrast`."""
    for row in rows.values():
        row["times contrast"] = row["sentences/s"] / rows["contrast"]["sentences/s"]
    heads = list(next(iter(rows.values())))
    print(f"{'':<20}", *(f"{name:>16}" for name in rows))
    for head in heads:
        digits = 2 if head in ("calibration error", "times contrast") else 0 if head == "sentences/s" else 1
        print(f"{head:<20}", *(f"{row[head]:>16,.{digits}f}" for row in rows.values()), flush=True)


def also(given: Sequence[str], graph: Path, engine: Engine) -> Opened:
    """The verifiers that were named on the command line."""
    for text in given:
        name, *options = text.split()
        chosen = dict(option.split("=", 1) for option in options)
        yield name, make_verifier(name, graph=graph, engine=engine, **chosen)


# Labelled text


def labelled_text(options: Namespace, engine: Engine, measures: Figures) -> None:
    """Judge the triples of each fold by verifiers that learned from the others, and print the means."""
    docred, folds, more = options.docred, options.folds, options.also
    with gzip.open(docred / "triples.jsonl.gz", "rb") as file:
        triples = [msgspec.json.decode(line, type=Labelled, strict=False) for line in file]
    fold = np.array([fold_of(triple.document) for triple in triples])
    kinds = np.array([triple.kind for triple in triples])
    true = np.array([bool(triple.label) for triple in triples])
    each: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        candidates: dict[int, list[CandidateSentence]] = {}
        for number in range(FOLDS):
            make_fold(docred, number, triples, work / str(number))
            tested = [triple for triple in triples if fold_of(triple.document) == number]
            candidates[number] = to_candidates(tested, Graph.open(work / str(number) / "graph"))
        models = {} if folds is None else calibrated_models(folds, candidates, true, fold, work, engine)
        for number in range(FOLDS):
            own = fold == number
            others = {kind: kinds[own] == kind for kind in sorted(set(kinds[own][~true[own]]), reverse=True)}
            for name, verifier in fold_verifiers(work / str(number), models.get(number), more, engine):
                judged = judge(verifier, candidates[number], engine)
                each.setdefault(name, []).append(figures(judged, true[own], others))
            print(f"fold {number + 1} of {FOLDS} judged", flush=True)
    counts = ", ".join(f"{(kinds == kind).sum():,} {kind}" for kind in sorted(set(kinds), reverse=True))
    print(f"\n{docred.name}: {len(triples):,} triples ({counts}), means over {FOLDS} folds of documents, %")
    means = {
        name: {head: float(np.mean([row[head] for row in rows])) for head in rows[0]}
        for name, rows in each.items()
    }
    measures[docred.name] = means
    print_table(means)
    if folds is None:
        print("learned is left out: the packaged model has seen these documents; --folds DIR names others")


def make_fold(docred: Path, number: int, triples: Sequence[Labelled], out: Path) -> None:
    """A graph without the facts of a fold, and a corpus without its documents."""
    pairs = {frozenset((one.subject, one.object)) for one in triples if fold_of(one.document) == number}
    with gzip.open(docred / "entities.jsonl.gz", "rt", encoding="utf-8") as file:
        entities = {one["id"]: {one["id"], one["label"], *one["aliases"]} for one in map(json.loads, file)}

    def unseen(line: str) -> bool:
        subject, _relation, object_ = line.rstrip("\n").split("\t")
        names = (entities.get(end, {end}) for end in (subject, object_))
        return all(frozenset(pair) not in pairs for pair in product(*names))

    def other_page(line: str) -> bool:
        return fold_of(json.loads(line)["title"]) != number

    out.mkdir()
    facts = copy_lines(docred / "facts.tsv.gz", out / "facts.tsv", unseen, 1)
    values = copy_lines(docred / "values.tsv.gz", out / "values.tsv", unseen, 1)
    pages = copy_lines(docred / "pages.jsonl.gz", out / "pages.jsonl", other_page)
    make_graph([facts, values, docred / "entities.jsonl.gz", docred / "relations.tsv"], out / "graph")
    make_corpus([pages], out / "corpus", graph=out / "graph")


def copy_lines(source: Path, out: Path, wanted: Callable[[str], bool], headings: int = 0) -> Path:
    """Copy the lines of a file that are wanted, and those of its head."""
    with gzip.open(source, "rt", encoding="utf-8") as lines, out.open("w", encoding="utf-8") as file:
        file.writelines(line for number, line in enumerate(lines) if number < headings or wanted(line))
    return out


def calibrated_models(
    folds: Path,
    candidates: dict[int, list[CandidateSentence]],
    true: "NDArray[np.bool_]",
    fold: "NDArray[np.int64]",
    work: Path,
    engine: Engine,
) -> dict[int, Path]:
    """The model of each fold, calibrated on what the models of the other folds say about theirs."""
    found = {number: work / f"model{number}" for number in range(FOLDS)}
    logits = np.zeros(len(true))
    for number, folder in found.items():
        shutil.copytree(folds / f"fold_{number}", folder)
        write_card(folder, {"constant": 0, "slope": 1, "threshold": 0.5})
        model = make_verifier("learned", graph=work / str(number) / "graph", model=str(folder))
        said = engine.map_blocks(ask_block, blocks_of(candidates[number]), partial(same, model))
        logits[fold == number] = np.concatenate(list(said))
    for number, folder in found.items():
        write_card(folder, calibration(logits[fold != number], true[fold != number]))
    return found


def write_card(folder: Path, card: dict[str, float]) -> None:
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")


def fold_verifiers(folder: Path, model: Path | None, more: Sequence[str], engine: Engine) -> Opened:
    """All verifiers, of which those that learn do so from the folder of a fold."""
    graph, corpus = folder / "graph", folder / "corpus"
    yield "none", make_verifier("none")
    yield "contrast", make_verifier("contrast", graph=graph, corpus=corpus, engine=engine)
    if model is not None:
        yield "learned alone", make_verifier("learned", graph=graph, model=str(model))
        yield (
            "learned",
            make_verifier(
                "learned", graph=graph, corpus=corpus, engine=engine, model=str(model), adapt="combination"
            ),
        )
    yield from also(more, graph, engine)


# A world


def new_world(options: Namespace, engine: Engine, measures: Figures) -> None:
    """Judge all candidates of the facts of a new world, and print the figures."""
    entities, seed = options.entities, options.seed
    with tempfile.TemporaryDirectory() as temporary:
        work = made_world(Path(temporary), entities, seed)
        graph, corpus = work / "graph", work / "corpus"
        candidates = all_candidates(graph, corpus, work, engine)
        states = WorldTruth(work / "world" / "truth.parquet", Corpus.open(corpus)).states(candidates)
        numbers: dict[tuple[str, str, str], int] = {}
        facts = np.array(
            [numbers.setdefault((one.subject, one.relation, one.object), len(numbers)) for one in candidates]
        )
        rows = {}
        for name, verifier in world_verifiers(graph, corpus, options.also, engine):
            judged = judge(verifier, candidates, engine)
            adjusted = judged._replace(scores=probabilities(judged.scores, verifier.prior))
            row = figures(adjusted, states == STATES, {"decoy": states == DECOY, "other": states == OTHER})
            found = verification(states, judged.scores, judged.accepted, facts)
            rows[name] = {"evidence true": 100 * found.evidence_true, **row}
    true, decoys = (states == STATES).sum(), (states == DECOY).sum()
    print(f"\nworld of {entities:,} entities, seed {seed}: {len(states):,} candidates", end="")
    print(f" ({true:,} true, {decoys:,} decoy), %")
    measures["world"] = rows
    print_table(rows)


def all_candidates(graph: Path, corpus: Path, work: Path, engine: Engine) -> list[CandidateSentence]:
    """The sentences that name both ends of a fact of a graph."""
    pq.write_table(wanted_facts(graph), work / "wanted.parquet")
    find_candidates(work, graph, corpus, work / "wanted.parquet", engine)
    paths = sorted((work / "candidates").glob("*.parquet"))
    return [candidate for path in paths for candidate in from_table(read(Candidates, path))]


def world_verifiers(graph: Path, corpus: Path, more: Sequence[str], engine: Engine) -> Opened:
    """All verifiers, of which those that learn do so from the world; `learned` with the packaged model."""
    yield "none", make_verifier("none")
    yield "contrast", make_verifier("contrast", graph=graph, corpus=corpus, engine=engine)
    if find_spec("rollcall_models") is not None:
        yield "learned alone", make_verifier("learned", graph=graph)
        yield (
            "learned",
            make_verifier("learned", graph=graph, corpus=corpus, engine=engine, adapt="combination"),
        )
    yield from also(more, graph, engine)


def probabilities(scores: "NDArray[np.float64]", prior: float | None) -> "NDArray[np.float64]":
    """Scores as probabilities among these sentences, if they are probabilities for a prior."""
    if prior is None:
        return scores
    different, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return chances(different, counts, prior).chances[places]


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("docred", type=Path, nargs="?", help="labelled text; without it, a world alone")
    parser.add_argument("--folds", type=Path, help="a folder with the models fold_0 to fold_4")
    parser.add_argument("--entities", type=int, default=2000, smoke=500, help="of the world; 0 for none")
    parser.add_argument(
        "--seed", type=int, default=21, help="not 11 or 12, which the packaged model has seen"
    )
    parser.add_argument("--also", action="append", default=[], help="a further verifier with its options")
    parser.add_argument("--jobs", type=int, default=2, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    if options.folds and not all((options.folds / f"fold_{number}").is_dir() for number in range(FOLDS)):
        raise SystemExit(f"{options.folds}: lacks one of the folders fold_0 to fold_{FOLDS - 1}")
    with opened(jobs=options.jobs) as engine:
        if options.docred:
            labelled_text(options, engine, figures)
        if options.entities:
            new_world(options, engine, figures)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
