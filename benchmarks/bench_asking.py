"""Asking a graph in English: F1 and time of the reader `ask`, by kind of question and by graph.

    python benchmarks/bench_asking.py [FOLDER] [--entities 6000] [--facts DIR] [--large 5000000] [--plain]
        [--fills 12] [--graph GRAPH] [--without FILE]

FOLDER keeps what is made, so that a second run starts where the first one stopped; without it, a temporary
folder has it. Readings are ranked by the
packaged model where it is installed, and with `--plain` by their features alone. There are four kinds of
questions:

- sets that `rollcall build` makes from a generated world (qampari, graphquestions, mixed), and from facts in
  DIR (facts.tsv.gz, values.tsv.gz, entities.jsonl.gz, relations.tsv; the real facts beside the project by
  default), worded by Rollcall;
- `question_templates.tsv`: one-edge questions about Wikidata properties as people ask them, filled with names
  of either graph. `develop` was used in development and learned from, and weights were fitted to `tune`;
  `held` and `unseen` are looked at for figures only. Each part is also asked in lower case without a question
  mark. They are asked, too, of any graph that `--graph` names, such as that of
  `models/training/ask_exercises.py` in which real subjects have many relations; `--without FILE` lists
  relations that no part of the model has seen, which are then reported by themselves;
- questions that people typed, with their queries, in DIR of `--asked` (`asked.jsonl`, and the facts in the
  folder `graph`), by the shape of the query;
- the templates again on a large graph: copies of the world, whose names differ in one word, with as many
  facts as `--large` says.

Printed for each: the number of questions, F1 in percent, and the median and the 90th percentile of the
processor's milliseconds for a question. At the end, over everything that was asked: how many questions there
are for each tenth of surety, and which share of them is answered exactly; and, over each collection, the
expected calibration error (how far sureties and shares are apart, in the mean over questions). For this, the
templates are asked of things, too, of which the graph does not have what is asked, so that any answer is
wrong. The weights of the surety are also fitted to all collections but one and judged by that one, in turn:
nothing is judged by questions that it was fitted to. Last come the weights fitted to all, for `ask.json` of
the packaged model, or with `--plain` for `SURETY_WEIGHTS`.
"""

import csv
import json
import random
import statistics
import tempfile
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from _harness import Arguments, Figures, made_world, measured, real_data, run_benchmark
from rollcall import QuestionSet, build
from rollcall.graph import Graph, make_graph
from rollcall.graph.graph import resolve
from rollcall.query import Query
from rollcall.query.query import entity
from rollcall.systems.ask.asker import Asker
from rollcall.systems.ask.forms import Understanding
from rollcall.systems.ask.ranking import SURETY, surety

TEMPLATES = Path(__file__).with_name("question_templates.tsv")
RECIPES = ["graphquestions", "mixed", "qampari"]
PARTS = ("develop", "held", "tune", "unseen")


class Judged(NamedTuple):
    """How sure a question was understood, and whether it was answered exactly."""

    collection: str
    surety: float
    right: bool
    signals: tuple[float, ...]
    most_sure: float


JUDGED: list[Judged] = []
TENTHS = 10


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--entities", type=int, default=6000, smoke=500)
    parser.add_argument("--facts", type=Path, default=real_data("wikidata"), smoke=None)
    parser.add_argument("--recipes", nargs="+", default=RECIPES, smoke=RECIPES[:1], choices=RECIPES)
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--questions", type=int, default=200, smoke=3, help="of each set")
    parser.add_argument("--fills", type=int, default=12, smoke=1, help="names for each template")
    parser.add_argument("--plain", action="store_true", help="rank readings by their features alone")
    parser.add_argument("--graph", type=Path, action="append", default=[], help="a further graph")
    parser.add_argument("--asked", type=Path, default=real_data("questions"), smoke=None)
    parser.add_argument("--without", type=Path, help="a file of relations, reported by themselves")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        options.folder = options.folder or Path(temporary)
        options.folder.mkdir(parents=True, exist_ok=True)
        ask_all(options, figures)


def ask_all(options: Namespace, figures: Figures) -> None:
    world = made_world(options.folder / "world", options.entities, seed=11)
    graphs, corpus = {"world": world / "graph"}, world / "corpus"
    print(f"a world of {options.entities:,} entities; facts: {options.facts or 'none'}", flush=True)
    if options.facts:
        names = ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz", "relations.tsv")
        graphs["facts"] = made(
            options.folder / "facts_graph",
            lambda out: make_graph([options.facts / one for one in names], out, jobs=1),
        )
    for name, folder in graphs.items():
        with Graph.open(folder) as graph:
            asker = Asker(graph, rerank=not options.plain)
            for part in PARTS:
                for lower in (False, True):
                    label = f"{name}: templates, {part}{', lower case' if lower else ''}"
                    questions = filled(graph, part, options.fills, lower)
                    report(label, asked(asker, questions, name), figures)
                questions = filled(graph, part, options.fills, lacking=True)
                asked(asker, questions, name)
            for recipe in options.recipes:
                if recipe == "qampari" and name != "world":
                    continue  # which needs text
                of_text = {"corpus": corpus, "jobs": 1} if recipe == "qampari" else {}
                changes = {"evidence.verifier": "none"} if of_text else {"evidence.use": False}
                place = options.folder / f"{name}_{recipe}"
                made(place, lambda out: build(recipe, graph=folder, out=out, changes=changes, **of_text))  # noqa: B023
                report_set(f"{name}: {recipe}", asker, place, options.questions, figures)
    apart = frozenset(options.without.read_text().split()) if options.without else frozenset()
    for folder in options.graph:
        with Graph.open(folder) as graph:
            asker = Asker(graph, rerank=not options.plain)
            for part in PARTS:
                questions = filled(graph, part, options.fills, without=apart)
                report(f"{folder.name}: templates, {part}", asked(asker, questions, folder.name), figures)
            if apart:
                questions = (
                    one for part in PARTS for one in filled(graph, part, options.fills, relations=apart)
                )
                report(
                    f"{folder.name}: relations apart, all parts",
                    asked(asker, questions, folder.name),
                    figures,
                )
    if options.asked:
        report_typed(options, figures)
    if options.large:
        large(options, graphs["world"], figures)
    report_sureties(figures)


def made(place: Path, make) -> Path:
    """A folder, made unless it is there."""
    if not place.exists():
        make(place)
    return place


def filled(
    graph: Graph,
    part: str,
    fills: int,
    lower: bool = False,
    without: frozenset[str] = frozenset(),
    relations: frozenset[str] = frozenset(),
    lacking: bool = False,
) -> Iterator[tuple[str, frozenset]]:
    """Questions of one part of the templates with their answers, for entities that have the relation.

    If the answers are to be `lacking`, for other entities.
    """
    relation_numbers = range(len(graph.index.relation_ids))
    with TEMPLATES.open(encoding="utf-8") as lines:
        for relation, own, template in csv.reader(lines, delimiter="\t"):
            number = graph.index.relation_number(relation)
            if own != part or number is None or relation in without:
                continue
            if relations and relation not in relations:
                continue
            subjects = np.unique(graph.index.forward(number)[0])
            if lacking:
                every = np.unique(
                    np.concatenate([graph.index.forward(other)[0] for other in relation_numbers])
                )
                subjects = np.setdiff1d(every, subjects)
            subjects = subjects.tolist()
            for one in random.Random(relation).sample(subjects, min(fills, len(subjects))):
                id_ = graph.index.entity_ids[one]
                question = template.format(graph.label(id_))
                yield (
                    question.lower().rstrip("?") if lower else question,
                    graph.answers(entity(id_) >> relation),
                )


def asked(
    asker: Asker, questions: Iterable[tuple[str, frozenset]], collection: str
) -> list[tuple[float, float]]:
    """F1 and milliseconds of each question."""
    found = []
    for question, gold in questions:
        cost, (understanding, answers) = measured(lambda question=question: understood(asker, question))
        found.append((f1(gold, answers), 1000 * cost.core_seconds))
        if understanding.query is not None:
            signals, most_sure = understanding.signals, understanding.most_sure
            JUDGED.append(Judged(collection, understanding.surety, gold == answers, signals, most_sure))
    return found


def understood(asker: Asker, question: str) -> tuple[Understanding, frozenset]:
    understanding = asker.understand(question)
    return understanding, asker.answers(understanding)


def f1(gold: frozenset, answers: frozenset) -> float:
    return 2 * len(gold & answers) / (len(gold) + len(answers)) if gold or answers else 1.0


def report(name: str, found: list[tuple[float, float]], figures: Figures) -> None:
    if not found:
        print(f"{name:44s}     0  no question of this kind", flush=True)
        return
    scores, times = zip(*found, strict=True)
    figures[f"{name}, F1 and ms"] = [100 * statistics.mean(scores), statistics.median(times)]
    late = sorted(times)[int(0.9 * len(times))]
    print(
        f"{name:44s} {len(scores):5d}  F1 {100 * statistics.mean(scores):5.1f}  "
        f"{statistics.median(times):6.1f} ms, 90% in {late:6.1f} ms",
        flush=True,
    )


def report_sureties(figures: Figures) -> None:
    """How sureties and shares of right answers agree, as packaged and fitted to other collections."""
    sureties = np.array([judged.surety for judged in JUDGED])
    right = np.array([judged.right for judged in JUDGED], dtype=float)
    tenths = np.minimum((sureties * TENTHS).astype(int), TENTHS - 1)
    for tenth in np.unique(tenths):
        own = tenths == tenth
        print(
            f"surety {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}: "
            f"{own.sum():5d}, {100 * sureties[own].mean():5.1f}% sure, {100 * right[own].mean():5.1f}% right"
        )
    off = float(((sureties - right) ** 2).mean())
    figures["surety, mean squared error"] = off
    print(f"surety: mean squared error {off:.3f} over {len(JUDGED)} questions", flush=True)
    collections = np.array([judged.collection for judged in JUDGED])
    refitted = np.zeros(len(JUDGED))
    names = np.unique(collections)
    for collection in names if len(names) > 1 else ():
        others = [judged for judged in JUDGED if judged.collection != collection]
        weights = surety_weights(others)
        for index in np.flatnonzero(collections == collection):
            refitted[index] = surety_by(weights, JUDGED[index])
    for name in ("all", *names):
        own = collections == name if name != "all" else np.full(len(JUDGED), fill_value=True)
        errors = {"as packaged": 100 * calibration_error(sureties[own], right[own])}
        if len(names) > 1:
            error = 100 * calibration_error(refitted[own], right[own])
            errors["if fitted to the other collections"] = error
        figures[f"calibration error, {name}"] = errors
        listed = ", ".join(f"{error:5.1f} {how}" for how, error in errors.items())
        print(f"calibration error, {name:24s} {own.sum():5d} questions: {listed}", flush=True)
    fitted = {key: round(value, 3) for key, value in surety_weights(JUDGED).items()}
    print(f"surety fitted to all collections: {json.dumps(fitted)}", flush=True)


def calibration_error(sureties: np.ndarray, right: np.ndarray) -> float:
    """The mean distance of surety and share of right answers, over tenths of surety by their questions."""
    tenths = np.minimum((sureties * TENTHS).astype(int), TENTHS - 1)
    distances = [
        abs(sureties[tenths == tenth].mean() - right[tenths == tenth].mean()) * (tenths == tenth).mean()
        for tenth in np.unique(tenths)
    ]
    return float(sum(distances))


def surety_by(weights: dict[str, float], judged: Judged) -> float:
    """The surety of a question by other weights."""
    return min(surety(judged.signals, weights), judged.most_sure)


def surety_weights(questions: Sequence[Judged]) -> dict[str, float]:
    """A logistic regression of what is right on the signals; collections count alike in any size."""
    sizes = Counter(judged.collection for judged in questions)
    rows = np.array([[*judged.signals, 1.0] for judged in questions]).reshape(-1, len(SURETY) + 1)
    right = np.array([judged.right for judged in questions], dtype=float)
    shares = np.array([len(questions) / len(sizes) / sizes[judged.collection] for judged in questions])
    weights = np.zeros(len(SURETY) + 1)
    for _ in range(50):  # Newton's method; the ridge keeps it finite where all are right
        expected = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (shares * (expected - right)) + weights
        curvature = (rows.T * (shares * expected * (1 - expected))) @ rows + np.eye(len(weights))
        weights -= np.linalg.solve(curvature, slope)
    return dict(zip((*SURETY, "constant"), weights.tolist(), strict=True))


def report_set(name: str, asker: Asker, place: Path, most: int, figures: Figures) -> None:
    """The figures of a set, all together and by kind and function of the query."""
    # What a list of a corpus says is not in the graph.
    questions = [
        one for one in QuestionSet.open(place) if one.question and one.query and "list" not in one.query.text
    ]
    random.Random(3).shuffle(questions)
    kinds = defaultdict(list)
    for one in questions[:most]:
        query = Query.parse(one.query.text)
        [scored] = asked(asker, [(one.question, asker.graph.answers(query))], name.partition(":")[0])
        denied = any(edge.negated for edge in query.edges)
        function = query.function or ("union" if len(query.patterns) > 1 else "denial" if denied else "plain")
        for key in ("", f", {one.kind}, {function}, {len(query.edges)} edges"):
            kinds[key].append(scored)
    for key, found in sorted(kinds.items()):
        report(name + key, found, figures)


def report_typed(options: Namespace, figures: Figures) -> None:
    """The figures of questions that people typed, all together and by the shape of the query."""
    files = sorted((options.asked / "graph").iterdir())
    folder = made(options.folder / "asked_graph", lambda out: make_graph(files, out, jobs=1))
    shapes = defaultdict(list)
    with Graph.open(folder) as graph, (options.asked / "asked.jsonl").open(encoding="utf-8") as lines:
        asker = Asker(graph, rerank=not options.plain)
        for question in map(json.loads, lines):
            gold = graph.answers(resolve(Query.parse(question["query"]), graph))
            [scored] = asked(asker, [(question["question"], gold)], question["source"])
            for shape in ("all", question["shape"]):
                shapes[shape].append(scored)
    for shape, scores in sorted(shapes.items()):
        report(f"typed by people: {shape}", scores, figures)


def large(options: Namespace, world: Path, figures: Figures) -> None:
    """The templates on copies of a world."""
    folder, facts = options.folder, options.large
    with Graph.open(world) as graph:
        counts = graph.manifest["counts"]
        copies = facts // (counts["facts"] + counts["values"]) + 1
        place = made(folder / f"large_{facts}", lambda out: write_copies(graph, copies, out))
    out = folder / f"large_graph_{facts}"
    cost, _ = measured(lambda: made(out, lambda _: make_graph(sorted(place.iterdir()), out, jobs=1)))
    big = Graph.open(out)
    print(f"large: {big!r}, made in {cost.seconds:.0f} s", flush=True)
    cost, asker = measured(lambda: Asker(big, rerank=not options.plain))
    print(f"large: opened for asking in {cost.seconds:.1f} s", flush=True)
    report("large: templates, held", asked(asker, filled(big, "held", options.fills), "large"), figures)


def write_copies(graph: Graph, copies: int, out: Path) -> None:
    """The tables of a graph many times over; the last word of each name tells the copies apart."""
    out.mkdir()
    tables = {
        name: getattr(graph.tables, name).to_pyarrow().to_pylist()
        for name in ("facts", "values", "types", "entities")
    }
    types = defaultdict(list)
    for row in tables["types"]:
        if row["direct"]:
            types[row["entity"]].append(row["class"])
    with (out / "facts.tsv").open("w") as file, (out / "values.tsv").open("w") as values:
        file.write("subject\trelation\tobject\n")
        values.write("subject\trelation\tvalue\n")
        for copy in range(copies):
            file.writelines(
                f"{r['subject']}.{copy}\t{r['relation']}\t{r['object']}.{copy}\n" for r in tables["facts"]
            )
            values.writelines(
                f"{r['subject']}.{copy}\t{r['relation']}\t{r['value']}\n"
                for r in tables["values"]
                if "\t" not in r["value"]
            )
    with (out / "entities.jsonl").open("w") as file:
        for copy in range(copies):
            word = "".join(
                "bdfgklmnprstvz"[int(sign)] + "aeiou"[int(sign) % 5] for sign in str(copy)
            ).capitalize()
            for row in tables["entities"]:
                record = {
                    "id": f"{row['id']}.{copy}",
                    "label": f"{row['label']} {word}",
                    "types": types[row["id"]],
                }
                file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
