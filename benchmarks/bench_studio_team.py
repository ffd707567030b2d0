"""Who is found, and what the exported set is worth: a simulated team validates a set whose truth is known.

python benchmarks/bench_studio_team.py [--entities 2000] [--questions 300] [--worlds 3] [--overlap 1]
python benchmarks/bench_studio_team.py --rule

For each seed a world is written, a set is built from it, and a project is opened on it as `rollcall
annotate project` does. Some answers of the set are wrong, because a sentence of their evidence states
something else; with `--verifier none` there are many. Simulated people with known error rates work
through the project in a real database: careful and hasty ones, and careless ones who click yes, throw
coins, or tire after a hundred judgments. A manager checks what the project asks for, and errs in 1 %. An
answer is right if the world's truth says that its sentences state its facts. `--rule` prints the exact
error rates of the rule that stops people.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from _harness import PROJECT, Arguments, Figures, made_world, measured, run_benchmark
from rollcall.build import Build
from rollcall.corpus import Corpus
from rollcall.evidence.labelled import STATES, WorldTruth
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.studio.export.version import ExportOptions, judgments_of_set, new_version, write_version
from rollcall.studio.figures import agreement, error_rates
from rollcall.studio.projects import NewProject, make_project, materials_at, open_database
from rollcall.studio.records import Collected, Item
from rollcall.studio.tasks.shown import identity

sys.path.insert(0, str(PROJECT / "tests" / "support"))

from simulated_team import CARELESS, Managed, SimulatedPerson, SimulatedTeam, team

GRAPH_KINDS = ("simple", "intersection", "composition")
"""Questions about tables have facts of lists, which the truth of sentences does not tell of."""
MISS_RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1.0)
POOLED = 1.5
"""So many questions for each that is wanted: the rest is the pool."""
SEEN = (10, 20, 50, 100, 200)


class World(NamedTuple):
    """A set, its files, and which of its answers are right."""

    set: Path
    graph: Path
    corpus: Path
    right: dict[tuple[str, str], bool]


class Outcome(NamedTuple):
    """What became of one team."""

    answers: int
    wrong_before: float
    wrong_after: float
    kept_right: float
    """The share of right answers that the export still has, of questions that were kept."""
    careless: int
    found: int
    good: int
    stopped_good: int
    warned_good: int
    judgments: int
    lost: int
    """Judgments that were made again, because their person was stopped."""
    managed: Managed
    alpha: float | None
    ac1: float | None
    traced: bool


def made_set(folder: Path, entities: int, seed: int, verifier: str) -> World:
    """Write a world, and build a set from it."""
    made_world(folder, entities, seed)
    changes = [f"evidence.verifier={verifier}"]
    Build(
        "qampari",
        graph=folder / "graph",
        corpus=folder / "corpus",
        out=folder / "built",
        changes=changes,
        jobs=1,
    ).run()
    built = QuestionSet.open(folder / "built")
    QuestionSet([one for one in built if one.kind in GRAPH_KINDS], built.manifest).save(folder / "set")
    truth = WorldTruth(folder / "world" / "truth.parquet", Corpus.open(folder / "corpus"))
    right = {
        (question.id, identity(answer)): is_right(answer, truth)
        for question in built
        if question.kind in GRAPH_KINDS
        for answer in question.answers
    }
    return World(folder / "set", folder / "graph", folder / "corpus", right)


def is_right(answer: Answer, truth: WorldTruth) -> bool:
    """Whether all sentences of an answer state their facts."""
    for piece in answer.evidence:
        subject, _, rest = (piece.fact or "").partition(" ")
        relation, _, object_ = rest.partition(" ")
        page = (piece.passage or "").rpartition("__")[0]
        if truth.state(subject, relation, object_, page, piece.text) != STATES:
            return False
    return bool(answer.evidence)


def simulate(
    world: World, folder: Path, people: list[SimulatedPerson], options: dict[str, object], seed: int
) -> Outcome:
    """Let a team validate a set, export it, and hold the export against the truth."""
    database = open_database(folder / f"team-{seed}.sqlite")
    materials = materials_at(world.set, world.corpus, world.graph, None, None)
    project = make_project(
        database,
        NewProject(task="validate", materials=materials, options=options, name="team", hourly_rate=12.5),
    )

    def truth(item: Item) -> bool:
        answer = item.hidden["answer"]
        assert isinstance(answer, dict)
        key = item.question, identity(Answer(str(answer["label"]), answer["id"]))
        return not item.injected and world.right[key]

    simulated = SimulatedTeam(database, project, people, truth, seed=seed)
    managed = simulated.work()
    collected = simulated.collected()
    database.close()
    before = QuestionSet.open(world.set)
    exported = new_version(before, collected, ExportOptions(undecided="leave-out"))
    write_version(exported, folder / f"exported-{seed}")
    return outcome(world, before, QuestionSet.open(folder / f"exported-{seed}"), collected, people, managed)


def outcome(
    world: World,
    before: QuestionSet,
    after: QuestionSet,
    collected: Collected,
    people: list[SimulatedPerson],
    managed: Managed,
) -> Outcome:
    asked = {item.question for item in collected.items if not item.pool}
    exported = {question.id: question for question in after if question.id in asked}
    states = {person.name: person.state for person in collected.people}
    careless = [person for person in people if person.is_careless]
    good = [person for person in people if person.kind not in CARELESS]
    was = list(rights(world, [question for question in before if question.id in asked]))
    now = list(rights(world, exported.values()))
    could = list(rights(world, [question for question in before if question.id in exported]))
    measured = {one.name: one.value for one in agreement(collected)[0].coefficients}
    judged = [one for one in collected.judged if one.role == "annotator"]
    traced = sorted(judgments_of_set(after, "team"), key=str) == sorted(collected.judged, key=str)
    return Outcome(
        answers=len(now),
        wrong_before=1 - float(np.mean(was)),
        wrong_after=1 - float(np.mean(now)),
        kept_right=sum(now) / max(1, sum(could)),
        careless=len(careless),
        found=sum(states[person.name] == "stopped" for person in careless),
        good=len(good),
        stopped_good=sum(states[person.name] == "stopped" for person in good),
        warned_good=sum(states[person.name] in ("warned", "stopped") for person in good),
        judgments=len(judged),
        lost=sum(not one.counted for one in judged),
        managed=managed,
        alpha=measured["alpha"],
        ac1=measured["AC1"],
        traced=traced,
    )


def rights(world: World, questions: "list[Question] | object") -> Iterator[bool]:
    """Whether each answer is right."""
    for question in questions:  # type: ignore[attr-defined]
        for answer in question.answers:
            yield world.right[question.id, identity(answer)]


def show_rule() -> None:
    """The exact probabilities of being stopped, by how much somebody misses and how many items they saw."""
    print("stopped after so many injected items, by the share that somebody misses")
    print("missed   " + "".join(f"{seen:>9}" for seen in SEEN) + "   items until stopped")
    for rate in MISS_RATES:
        found = [error_rates(rate, seen) for seen in SEEN]
        waited = found[-1].until_stopped
        shares = "".join(f"{100 * one.stopped:8.2f}%" for one in found)
        known = waited is not None and found[-1].stopped >= 0.5
        print(f"{rate:>6.0%}   {shares}   {f'{waited:.1f}' if known else ''}")


def show(found: list[Outcome], figures: Figures) -> None:
    """All worlds together."""

    def total(field: str) -> int:
        return sum(getattr(one, field) for one in found)

    answers = np.array([one.answers for one in found])
    wrong = float(np.average([one.wrong_after for one in found], weights=answers))
    figures |= {name: total(name) for name in ("found", "careless", "stopped_good", "good")}
    figures |= {
        "right before": 1 - float(np.mean([one.wrong_before for one in found])),
        "right in the export": 1 - wrong,
    }
    print(f"careless people found       {total('found')} of {total('careless')}")
    print(f"good people wrongly stopped {total('stopped_good')} of {total('good')}, ", end="")
    print(f"warned {total('warned_good')}")
    print(f"answers right before        {100 * figures['right before']:.2f} %")
    print(f"answers right in the export {100 * (1 - wrong):.2f} % of {answers.sum():,}")
    print(f"worst world                 {100 * (1 - max(one.wrong_after for one in found)):.2f} %")
    print(f"right answers kept          {100 * np.mean([one.kept_right for one in found]):.2f} %")
    print(f"judgments                   {total('judgments'):,}, of which {total('lost'):,} made again")
    print(f"checked by managers         {sum(one.managed.checked for one in found):,}, ", end="")
    print(f"adjudicated {sum(one.managed.adjudicated for one in found):,}")
    if any(one.alpha is not None for one in found):
        means = [
            np.mean([getattr(one, name) for one in found if getattr(one, name) is not None])
            for name in ("alpha", "ac1")
        ]
        print(f"agreement                   alpha {means[0]:.3f}, AC1 {means[1]:.3f}")
    print(f"every verdict traced        {'yes' if all(one.traced for one in found) else 'NO'}")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=2000, smoke=500)
    parser.add_argument("--questions", type=int, default=300, smoke=5)
    parser.add_argument("--worlds", type=int, default=3, smoke=1)
    parser.add_argument("--careful", type=int, default=5)
    parser.add_argument("--hasty", type=int, default=2)
    parser.add_argument("--overlap", type=int, default=1)
    parser.add_argument("--verifier", default="contrast")
    parser.add_argument("--no-careless", action="store_true")
    parser.add_argument("--rule", action="store_true")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    if given.rule:
        show_rule()
        return
    outcomes = []
    for seed in range(1, given.worlds + 1):
        cost, outcome_ = measured(lambda seed=seed: one_world(given, seed))
        outcomes.append(outcome_)
        print(f"world {seed}: {outcome_} ({cost.seconds:.0f} s)", file=sys.stderr, flush=True)
    show(outcomes, figures)


def one_world(given: Namespace, seed: int) -> Outcome:
    """Make a world and its set, and let a team work on it."""
    with TemporaryDirectory() as folder:
        world = made_set(Path(folder), given.entities, seed, given.verifier)
        careless = [] if given.no_careless else ["clicking", "guessing", "tired"]
        people = team(given.careful, given.hasty, careless, seed)
        options = {
            "quota": given.questions,
            "questions": round(given.questions * POOLED),
            "overlap": given.overlap,
            "agreement": "all",
            "seed": seed,
        }
        return simulate(world, Path(folder), people, options, seed)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
