"""What would give more questions: a few changes to the recipe, each with the number of questions.

- `suggestions`: tries the changes on what the stages of a build have stored. `advice`: the same in words.

Queries that were mined are counted exactly, with other limits. Of queries that were not mined, only the
number of answers is known. They are expected to be proved as often as the facts of their relation were.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil, comb
from pathlib import Path
from typing import Any, NamedTuple

from rollcall._core.files import remove
from rollcall.evidence.validation import ValidationLimits, validate
from rollcall.mine.joins import DIRECTIONS, group_counts
from rollcall.tables.build import EvidenceRows, GroupCounts, ProvableFacts, ValidatedQueries
from rollcall.tables.engine import Engine, WorkOptions
from rollcall.tables.files import batches, count, read
from rollcall.tables.graph import Facts
from rollcall.tables.table import Rows, unbound

FEW = 50
"""A build with fewer questions is advised."""
_SHOWN = 3
_LEAST_GAIN, _GAIN_SHARE = 3, 0.2
"""A change must give so many questions more, and this share of those that there are."""
_FEWER_ANSWERS = (3, 2)
_LESS_PROVED = 0.6
_STAGES = ("simple", "simple-evidence", "simple-validated")


class Suggestion(NamedTuple):
    """Changes of the recipe, as options, and about how many simple questions they give."""

    changes: tuple[str, ...]
    questions: int
    at_most: bool = False
    """Whether no fact was sought in the text, so that all are counted as proved."""

    def __str__(self) -> str:
        about = "at most" if self.at_most else "about"
        return f"{' '.join(f'--set {change}' for change in self.changes)} {about} {self.questions:,}"


class _Trial(NamedTuple):
    """Limits to try: the fewest answers, the share that must be proved, and the ends asked for."""

    least: int
    share: float
    directions: tuple[str, ...]


def advice(parameters: Any, graph: Path, folder: Callable[[str], Path], options: WorkOptions) -> str:
    """In one line what would give more questions; empty if nothing is known that would."""
    suggested = suggestions(parameters, graph, folder, options)
    if not suggested:
        return ""
    now = _count_kept(folder)
    listed = "; ".join(map(str, suggested))
    return f"these would give more simple questions, instead of {now:,}: {listed}"


def suggestions(
    parameters: Any, graph: Path, folder: Callable[[str], Path], options: WorkOptions
) -> list[Suggestion]:
    """The changes that would give the most simple questions, best first; none if text proves nothing here.

    `folder` gives the finished output of a stage.
    """
    if not hasattr(parameters, "simple") or not all(folder(stage).is_dir() for stage in _STAGES):
        return []
    scratch = folder("simple").with_name(".suggestions")
    try:
        with options.opened() as engine:
            return _tried(_Stored(parameters, graph, folder, scratch, engine))
    finally:
        remove(scratch)


def _count_kept(folder: Callable[[str], Path]) -> int:
    """How many simple queries have enough proved answers."""
    return count(ValidatedQueries, folder("simple-validated") / "kept.parquet")


def _tried(stored: "_Stored") -> list[Suggestion]:
    current, now = stored.current, _count_kept(stored.folder)
    single: list[tuple[str, _Trial]] = [
        (f"answers.least={least}", current._replace(least=least))
        for least in _FEWER_ANSWERS
        if least < current.least
    ]
    if current.share > _LESS_PROVED:
        single.append((f"answers.validated={_LESS_PROVED}", current._replace(share=_LESS_PROVED)))
    if set(current.directions) != set(DIRECTIONS):
        ends = f"'simple.directions=[{', '.join(DIRECTIONS)}]'"
        single.append((ends, current._replace(directions=DIRECTIONS)))
    enough = max(now + _LEAST_GAIN, ceil(now * (1 + _GAIN_SHARE)))
    useful = [
        Suggestion((change,), questions, stored.is_unproved)
        for change, trial in single
        if (questions := stored.questions(trial)) >= enough
    ]
    best = sorted(useful, key=lambda suggestion: (-suggestion.questions, suggestion.changes))[:_SHOWN]
    helpful = {suggestion.changes[0] for suggestion in best}
    by_key: dict[str, tuple[str, _Trial]] = {}
    for change, trial in single:  # the smallest change of each key comes first
        if change in helpful:
            by_key.setdefault(change.partition("=")[0], (change, trial))
    if len(by_key) > 1:
        together = stored.questions(_combined(current, [trial for _change, trial in by_key.values()]))
        if together > best[0].questions:
            changes = tuple(change for change, _trial in by_key.values())
            best = [Suggestion(changes, together, stored.is_unproved), *best][:_SHOWN]
    return best


def _combined(current: _Trial, trials: Sequence[_Trial]) -> _Trial:
    """What several trials change, at once."""
    changed = {
        name: value
        for trial in trials
        for name, value in trial._asdict().items()
        if value != getattr(current, name)
    }
    return current._replace(**changed)


class _Stored:
    """What the stages have stored, with which limits can be tried."""

    def __init__(
        self, parameters: Any, graph: Path, folder: Callable[[str], Path], scratch: Path, engine: Engine
    ) -> None:
        self.folder = folder
        self._graph, self._scratch, self._engine = graph, scratch, engine
        answers = parameters.answers_of("simple")
        self._most = answers.most
        self._sizes: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        """For each direction, relations with numbers of answers and of groups."""
        for row in read(GroupCounts, folder("simple") / "group_sizes.parquet").to_pylist():
            self._sizes[row["direction"]].append((row["relation"], row["answers"], row["groups"]))
        self.current = _Trial(answers.least, answers.validated, tuple(self._sizes))
        self._rates = _proof_rates(folder)
        self.is_unproved = len(self._rates) == 1
        self._scale = self._kept_of_expected()

    def questions(self, trial: _Trial) -> int:
        """About how many simple queries have enough proved answers with other limits."""
        limits = ValidationLimits(share=trial.share, least=trial.least, most=self._most)
        simple, evidence = self.folder("simple"), self.folder("simple-evidence")
        kept = validate(
            simple / "queries.parquet",
            simple / "proofs.parquet",
            evidence / "evidence.parquet",
            self._scratch,
            limits,
            engine=self._engine,
        )
        expected = 0.0
        for direction in trial.directions:
            is_new = direction not in self.current.directions
            most = self._most if is_new else self.current.least - 1
            for relation, answers, groups in self._sizes[direction] if not is_new else self._new(direction):
                if trial.least <= answers <= most:
                    expected += groups * self._chance(relation, answers, trial)
        return kept.queries + round(expected * self._scale)

    def _kept_of_expected(self) -> float:
        """How many mined queries were kept, of those expected in the same way; at most 1.

        Pages of some things state their facts and others none, so chances alone promise too much.
        """
        expected = sum(
            groups * self._chance(relation, answers, self.current)
            for direction in self.current.directions
            for relation, answers, groups in self._sizes[direction]
            if self.current.least <= answers <= self._most
        )
        return min(1.0, (_count_kept(self.folder) + 1) / (expected + 1))

    def _new(self, direction: str) -> Sequence[tuple[str, int, int]]:
        """The sizes of groups of the other end, of the same relations."""
        if not self._sizes[direction]:
            relations = {relation for sizes in self._sizes.values() for relation, _answers, _groups in sizes}
            with self._engine.workbench(self._scratch / "spill") as bench:
                bench.read(Facts, self._graph / "facts.parquet")
                rows = bench.records(partial(_counts_of, direction))
            self._sizes[direction] = [
                (row["relation"], row["answers"], row["groups"])
                for row in rows
                if row["relation"] in relations
            ]
        return self._sizes[direction]

    def _chance(self, relation: str, answers: int, trial: _Trial) -> float:
        """How likely enough of some answers are proved."""
        rate = self._rates.get(relation, self._rates[""])
        needed = max(trial.least, ceil(trial.share * answers - 1e-9))
        if needed > answers:
            return 0.0
        alone = sum(
            comb(answers, proved) * rate**proved * (1 - rate) ** (answers - proved)
            for proved in range(needed, answers + 1)
        )
        # The facts of a query are proved neither independently nor all together: one list may state them.
        return (alone + rate) / 2


def _counts_of(direction: str) -> Rows[GroupCounts]:
    return group_counts(unbound(Facts), direction)


def _proof_rates(folder: Callable[[str], Path]) -> Mapping[str, float]:
    """For each relation, and for all together (""), the share of facts that text proved; 1 if unknown."""
    facts, proved = Counter[str](), Counter[str]()
    for batch in batches(ProvableFacts, folder("simple") / "facts.parquet", ["relation"]):
        facts.update(map(str, batch.column(0).to_pylist()))
    wanted = ["relation", "rank", "validated"]
    for batch in batches(EvidenceRows, folder("simple-evidence") / "evidence.parquet", wanted):
        proved.update(
            relation
            for relation, rank, accepted in zip(*batch.to_pydict().values(), strict=True)
            if rank == 1 and accepted
        )
    rates = {relation: proved[relation] / total for relation, total in facts.items()}
    return {**rates, "": sum(proved.values()) / sum(facts.values()) if facts else 1.0}
