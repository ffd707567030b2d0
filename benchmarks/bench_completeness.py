"""How often intervals of completeness hold the truth, on worlds whose dumps lack a known share of facts.

python benchmarks/bench_completeness.py [--worlds 100] [--whole 20] [--entities 500] [--unknown 0.2]
[--verifier contrast]
python benchmarks/bench_completeness.py --questions 60000 --entities 8000

Every world has facts that its dump leaves out (`--unknown`), that no sentence tells (`--untold`) and that
its lists leave out (`--unlisted`), each drawn by itself. Questions are all pairs of a relation and an
object with at least five true subjects; their gold answers are those that the dump has. For each world the
number of true answers is estimated

1. from the dump, the sentences and the list entries that the truth names, as if they were read without a
mistake;

2. the same for questions that were kept because of what dump and sentences have, as a build keeps them;

3. from captures that are drawn so that sources depend on one another, with the odds ratio that a third
source shows;

4. for the first `--whole` worlds, from graph, lists and text as `rollcall.audit` finds them, with a
verifier.
"""

import gzip
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import numpy as np

from _harness import Arguments, Figures, measured, peak_memory, run_benchmark
from rollcall.audit.completeness import Captures, estimate
from rollcall.audit.completeness.captures import Capture
from rollcall.audit.missing import find_missing
from rollcall.audit.sources.evaluate import Fact
from rollcall.audit.sources.gather import gather
from rollcall.audit.sources.stated import adjusted
from rollcall.corpus import make_corpus
from rollcall.evidence.expected import UNCALIBRATED
from rollcall.evidence.verifiers import make_verifier
from rollcall.graph.make import make_graph
from rollcall.query import entity
from rollcall.questions.record import Answer, QueryRecord, Question
from rollcall.questions.run import Prediction, Run
from rollcall.tables.files import read
from rollcall.tables.graph import Truth
from rollcall.world.write import World, write_world

LEAST = 5
KEPT = 0.8
"""A build keeps questions of which text states so many of the graph's answers."""
NEVER_TOLD = frozenset({"P21", "P31"})
RATIOS = (1.0, 1.5, 2.0, 4.0, 8.0)


class Fate(NamedTuple):
    """What became of a true fact."""

    known: bool
    told: bool
    listed: bool


class Asked(NamedTuple):
    """A question and its true answers, each with the fate of its fact."""

    question: Question
    answers: dict[str, Fate]


def fates(world: World) -> dict[Fact, Fate]:
    """All facts between entities that hold today."""
    names = ["kind", "subject", "relation", "object", "sentence", "ended", "page", "column"]
    columns = (column.to_pylist() for column in read(Truth, world.truth, names).columns)
    told: dict[Fact, bool] = {}
    entries: dict[str, set[str]] = {}
    for kind, subject, relation, object_, sentence, ended, page, column in zip(*columns, strict=True):
        if kind == "fact" and not ended and relation not in NEVER_TOLD and str(object_).startswith("Q"):
            fact = Fact(subject, relation, object_)
            told[fact] = told.get(fact, False) or sentence is not None
        elif kind == "cell" and column == 0 and subject is not None:
            entries.setdefault(page, set()).add(subject)
    known, labels = dump_facts(world)
    listed = listed_facts(told, entries, labels)
    return {fact: Fate(fact in known, said, fact in listed) for fact, said in told.items()}


def dump_facts(world: World) -> tuple[set[Fact], dict[str, str]]:
    """The facts between entities that the dump has, and the labels of entities."""
    facts, labels = set(), {}
    with gzip.open(world.wikidata, "rb") as lines:
        for line in lines:
            text = line.strip().rstrip(b",")
            if not text.startswith(b"{"):
                continue
            item = msgspec.json.decode(text)
            labels[item["id"]] = next((one["value"] for one in item["labels"].values()), item["id"])
            for relation, claims in item["claims"].items():
                for claim in claims:
                    value = claim["mainsnak"].get("datavalue", {})
                    if value.get("type") == "wikibase-entityid" and "P582" not in claim.get("qualifiers", {}):
                        facts.add(Fact(item["id"], relation, value["value"]["id"]))
    return facts, labels


def listed_facts(
    facts: Iterable[Fact], entries: Mapping[str, set[str]], labels: Mapping[str, str]
) -> set[Fact]:
    """The facts for which a list has an entry: what all entries share with an entity that its title names."""
    about: dict[str, set[tuple[str, str]]] = {}
    for fact in facts:
        about.setdefault(fact.subject, set()).add((fact.relation, fact.object))
    found = set()
    for title, members in entries.items():
        shared = set.intersection(*(about.get(one, set()) for one in members))
        named = [pair for pair in shared if labels.get(pair[1], pair[1]) in title]
        if named:
            relation, owner = max(named, key=lambda pair: (len(labels[pair[1]]), pair))
            found |= {Fact(one, relation, owner) for one in members}
    return found


def asked(found: Mapping[Fact, Fate]) -> list[Asked]:
    """Questions about all pairs of relation and object with enough true subjects."""
    groups: dict[tuple[str, str], dict[str, Fate]] = {}
    for fact, fate in sorted(found.items()):
        groups.setdefault((fact.relation, fact.object), {})[fact.subject] = fate
    questions = []
    for (relation, object_), answers in sorted(groups.items()):
        if len(answers) >= LEAST:
            query = entity(object_) << relation
            gold = [Answer(id_, id_) for id_, fate in answers.items() if fate.known]
            questions.append(
                Asked(
                    Question(
                        query.id,
                        kind="simple",
                        query=QueryRecord(query.text),
                        characteristics={"relations": [relation]},
                        answers=gold,
                    ),
                    answers,
                )
            )
    return questions


def kept(questions: Iterable[Asked]) -> list[Asked]:
    """Questions as a build keeps them: enough known answers, and most of them told."""
    chosen = []
    for one in questions:
        known = [fate for fate in one.answers.values() if fate.known]
        if len(known) >= LEAST and sum(fate.told for fate in known) >= KEPT * len(known):
            chosen.append(one)
    return chosen


def captures_of(questions: Sequence[Asked], sources: Sequence[str]) -> Captures:
    """What the truth says that each source has."""

    def rows() -> Iterator[Capture]:
        for question, answers in questions:
            for answer, fate in answers.items():
                given = zip(("graph", "text", "lists"), (fate.known, fate.told, fate.listed), strict=True)
                yield Capture(question.id, answer, [name for name, has in given if has], fate.known)

    return Captures.of(rows(), sources)


def dependent(questions: Sequence[Asked], ratio: float, seed: int) -> list[Asked]:
    """The same true answers with other fates: known and told with an odds ratio, listed by chance."""
    chance = np.random.default_rng(seed)
    told_unknown = 0.6
    odds = ratio * told_unknown / (1 - told_unknown)
    told_known = odds / (1 + odds)
    fate_of: dict[str, Fate] = {}
    drawn = []
    for question, answers in questions:
        new = {}
        for answer in answers:
            fact = f"{question.id} {answer}"
            if fact not in fate_of:
                known, u, listed = chance.random() < 0.8, chance.random(), chance.random() < 0.4
                fate_of[fact] = Fate(known, u < (told_known if known else told_unknown), listed)
            new[answer] = fate_of[fact]
        drawn.append(Asked(question, new))
    return drawn


class Outcome(NamedTuple):
    """One estimate and the truth."""

    covered: bool
    missing: float
    """How many times as many answers are estimated to be missing as are."""
    width: float
    """The width of the interval of completeness."""
    off: float
    """By how much the estimated completeness is too high."""


def outcome(questions: Sequence[Asked], captures: Captures) -> tuple[Outcome, list[float]]:
    """How an estimate of the completeness of the gold compares with the truth, and the odds ratios that it
    shows.
    """
    report = estimate([one.question for one in questions], captures)
    used = {captures.questions[number] for number in np.unique(captures.question).tolist()}
    total = sum(len(one.answers) for one in questions if one.question.id in used)
    gold = sum(fate.known for one in questions if one.question.id in used for fate in one.answers.values())
    found, true = report.completeness, gold / total
    assert found.estimate is not None
    low, high = found.ends
    ratios = [one.odds_ratio for one in report.dependences if set(one.sources) == {"graph", "text"}]
    missing = (report.total - gold) / max(total - gold, 1)
    return Outcome(low <= true <= high, missing, high - low, found.estimate - true), ratios


class Table:
    """Outcomes by the name of their row."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Outcome]] = {}
        self.ratios: dict[str, list[float]] = {}
        self.candidates: list[tuple[float, ...]] = []
        self.new_facts: list[tuple[float, ...]] = []

    def add(self, name: str, questions: Sequence[Asked], captures: Captures) -> None:
        found, ratios = outcome(questions, captures)
        self.rows.setdefault(name, []).append(found)
        self.ratios.setdefault(name, []).extend(ratios)

    def show(self) -> None:
        print(f"{'':48}{'worlds':>7}{'covered':>9}{'missing':>9}{'too high':>10}{'width':>8}{'odds':>7}")
        for name, found in self.rows.items():
            ratio = f"{np.median(self.ratios[name]):7.2f}" if self.ratios[name] else ""
            covered, missing, width, off = (
                float(np.mean([one[place] for one in found])) for place in range(4)
            )
            figures = f"{covered:9.0%}{missing:9.2f}{100 * off:10.2f}{100 * width:8.2f}{ratio}"
            print(f"{name:48}{len(found):7}{figures}", flush=True)

        if self.candidates:
            found, right, expected, first, right_first = np.sum(self.candidates, axis=0)
            print(f"candidates: {found:.0f}, right {right:.0f}, expected {expected:.0f}; ", end="")
            print(f"of the better half ({first:.0f}) {right_first:.0f}")
            pairs, true, by_ranks, by_scores = np.sum(self.new_facts, axis=0)
            print(f"new facts with a sentence: {pairs:.0f}, true {true:.0f}, ", end="")
            print(f"expected by ranks {by_ranks:.0f}, by adjusted scores {by_scores:.0f}", flush=True)

    def figures(self) -> Figures:
        return {name: [one._asdict() for one in found] for name, found in self.rows.items()}


THREE = ("graph", "lists", "text")


def of_truth(questions: Sequence[Asked], seed: int, table: Table) -> None:
    """Estimates from what the truth says that each source has, and from fates that are drawn."""
    for names in (("graph", "text"), ("graph", "lists"), THREE):
        table.add(f"independent: {', '.join(names)}", questions, captures_of(questions, names))
    chosen = kept(questions)
    table.add("kept by a build: graph, lists, text", chosen, captures_of(chosen, THREE))
    for ratio in RATIOS:
        drawn = dependent(questions, ratio, seed)
        table.add(f"odds ratio {ratio:g}: graph, text", drawn, captures_of(drawn, ("graph", "text")))
        captures = captures_of(drawn, THREE)
        table.add(f"odds ratio {ratio:g}: graph, lists, text", drawn, captures)
        table.add(f"odds ratio {ratio:g}: graph with text, lists", drawn, captures.merged("graph", "text"))


def whole(
    world: World, found: Mapping[Fact, Fate], questions: Sequence[Asked], verifier: str, table: Table
) -> None:
    """Estimates from what is found in graph, lists and text."""
    folder = world.folder.parent
    graph = make_graph([world.wikidata], folder / "graph", jobs=1, show_progress=False)
    make_corpus([world.pages], folder / "corpus", graph=folder / "graph", jobs=1)
    made = make_verifier(verifier, graph=graph.folder, corpus=folder / "corpus")
    sources = gather(
        [one.question for one in questions], graph=graph, corpus=folder / "corpus", verifier=made, jobs=1
    )
    for names in (("graph", "text"), ("graph", "lists"), THREE):
        table.add(f"found: {', '.join(names)}", questions, sources.captures.with_sources(names))
    true = {(one.question.id, answer) for one in questions for answer in one.answers}
    missing = find_missing([one.question for one in questions], sources)
    right = [(one.question, one.entity) in true for one in missing]
    first = len(right) // 2
    table.candidates.append(
        (len(right), sum(right), sum(one.chance for one in missing), first, sum(right[:first]))
    )
    known_pairs = {(fact.relation, fact.object) for fact in found}
    new = [
        (fact, said)
        for fact, said in sources.stated.items()
        if not said.known and said.sentence is not None and (fact.relation, fact.object) in known_pairs
    ]
    scores = np.array([said.score for _fact, said in new])
    by_scores = adjusted(scores, [fact.relation for fact, _said in new], made.prior or UNCALIBRATED)
    table.new_facts.append(
        (
            len(new),
            sum(fact in found for fact, _said in new),
            sum(said.chance for _fact, said in new),
            by_scores.sum(),
        )
    )


def at_scale(options: Namespace, figures: Figures) -> None:
    """How long an audit of very many questions takes: those of one world, asked again and again."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        world = write_world(
            folder / "world", options.entities, 1, unknown=options.unknown, unlisted=options.unlisted
        )
        graph = make_graph([world.wikidata], folder / "graph")
        make_corpus([world.pages], folder / "corpus", graph=folder / "graph")
        once = [one.question for one in asked(fates(world))]
        many = [
            msgspec.structs.replace(once[number % len(once)], id=f"{number}")
            for number in range(options.questions)
        ]
        answers = ([*(one.label for one in question.answers[:5]), "Nobody", "Nothing"] for question in many)
        run = Run((Prediction(str(number), given) for number, given in enumerate(answers)), "run")
        print(f"{len(many):,} questions, {sum(len(one.answers) for one in many):,} answers")
        gathering, sources = measured(
            lambda: gather(many, graph=graph, corpus=folder / "corpus", runs=[run], verifier=options.verifier)
        )
        estimating, _ = measured(lambda: estimate(many, sources.captures))
        ranking, candidates = measured(lambda: find_missing(many, sources, corpus=folder / "corpus"))
    figures |= {"gathering": gathering, "estimating": estimating, "ranking": ranking}
    print(f"gathered in {gathering.seconds:.0f} s ({len(sources.searched):,} questions, ", end="")
    print(f"{len(sources.stated):,} facts searched), estimated in {estimating.seconds:.1f} s, ", end="")
    print(f"{len(candidates):,} candidates in {ranking.seconds:.0f} s")
    print(f"{peak_memory() >> 20:,} MB")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--questions", type=int, help="measure time and memory for so many instead")
    parser.add_argument("--worlds", type=int, default=100, smoke=1)
    parser.add_argument("--whole", type=int, default=20, smoke=1)
    parser.add_argument("--entities", type=int, default=500)
    parser.add_argument("--unknown", type=float, default=0.2)
    parser.add_argument("--untold", type=float, default=0.15)
    parser.add_argument("--unlisted", type=float, default=0.2)
    parser.add_argument("--verifier", default="contrast")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    if options.questions:
        at_scale(options, figures)
        return
    table = Table()
    for seed in range(1, options.worlds + 1):
        with TemporaryDirectory() as folder:
            world = write_world(
                Path(folder) / "world",
                options.entities,
                seed,
                options.untold,
                jobs=1,
                show=False,
                unknown=options.unknown,
                unlisted=options.unlisted,
            )
            found = fates(world)
            questions = asked(found)
            of_truth(questions, seed, table)
            if seed <= options.whole:
                whole(world, found, questions, options.verifier, table)
        if seed % 10 == 0:
            print(f"-- {seed} worlds", flush=True)
            table.show()
    table.show()
    figures |= table.figures()


if __name__ == "__main__":
    run_benchmark(arguments(), main)
