"""The default verifier: learned from the user's own graph and corpus, without any download.

Every relation has a sparse logistic regression over n-grams with masked names; relations with few examples
also use a model that all relations share. A sentence must also score higher for its relation than for any of
the relation's rivals. Pages are divided into folds, and a sentence is scored only by models learned from
pages of other folds. An explanation gives the n-grams that count for and against.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers.contrast.features import BITS, feature_columns, features, hashed, of_names
from rollcall.evidence.verifiers.contrast.fit import FOLDS, Learned, Task, learn_relation
from rollcall.evidence.verifiers.contrast.lessons import Lessons, fold_of
from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights, sigmoid
from rollcall.evidence.verifiers.contrast.masking import masked
from rollcall.evidence.verifiers.contrast.model_file import Model, read_models, write_models
from rollcall.evidence.verifiers.contrast.sparse import Numbers, Rows, SparseRows
from rollcall.evidence.verifiers.verifier import Reason, Verifier
from rollcall.tables.engine import map_here, nothing

if TYPE_CHECKING:
    from rollcall.tables.engine import Engine
    from rollcall.wording import Lexicon

TARGET_LOSS = 0.03
_LOWEST, _HIGHEST = 0.4, 0.7
_BELIEVED = 0.5
_WORTHWHILE = 8
"""For fewer relations, starting a second process takes longer than it saves."""
_EXAMPLES_FOR_HALF = 15.0
_MARGIN, _SHARPNESS = 1.5, 1.5
"""How far (in log-odds) a rival must lead before it counts, and how steeply it then counts."""
_FLOOR = 0.02
"""Added to low scores, so that rivals still rank sentences that state the relation in rare words."""


def trust_in(model: Model) -> float:
    """The weight of a relation's own model beside the shared one."""
    return model.examples / (model.examples + _EXAMPLES_FOR_HALF)


class ContrastVerifier(Verifier):
    """Scores sentences by the wordings that occur with a relation and not with others."""

    name = "contrast"
    parallel = True

    def __init__(
        self,
        models: dict[str, Model],
        shared: tuple[FeatureWeights, ...],
        lexicon: "Lexicon | None" = None,
    ) -> None:
        """The `lexicon` gives the cues of relations that were not in the graph."""
        self.models, self._shared, self._lexicon = models, shared, lexicon
        self._unknown: dict[str, Model] = {}

    def scores(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """The probability that each sentence states its fact."""
        if not candidates:
            return np.zeros(0)
        matrix = hashed(feature_columns(masked(c), self._model(c.relation).cues) for c in candidates)
        folds = np.array([_fold(candidate) for candidate in candidates])
        return self.judged(matrix, [candidate.relation for candidate in candidates], folds)

    def judged(self, matrix: SparseRows, relations: Sequence[str], folds: Rows) -> Numbers:
        """The probabilities for sentences of these relations and folds: that the relation is stated, and not
        a rival instead.
        """
        found = np.zeros(matrix.height)
        for fold in range(FOLDS):
            rows = np.flatnonzero(folds == fold)
            if len(rows):
                found[rows] = self._judged(fold, matrix.take(rows), [relations[row] for row in rows.tolist()])
        return found

    def _judged(self, fold: int, matrix: SparseRows, relations: Sequence[str]) -> Numbers:
        """The probabilities for sentences of one fold; each model is used once, for all sentences."""
        own: dict[str, list[int]] = {}
        for row, relation in enumerate(relations):
            own.setdefault(relation, []).append(row)
        buffer = np.zeros(1 << BITS)
        found = sigmoid(self._logits(fold, matrix, own, buffer))
        leads = self._leads(fold, matrix, own, buffer)
        for relation, rows in own.items():
            model = self._model(relation)
            if model.rivals:
                unrivalled = sigmoid(_SHARPNESS * (leads[rows] + _MARGIN)) ** trust_in(model)
                found[rows] = (_FLOOR + (1 - _FLOOR) * found[rows]) * unrivalled
        return found

    def _logits(
        self, fold: int, matrix: SparseRows, own: Mapping[str, Sequence[int]], buffer: Numbers
    ) -> Numbers:
        """The log-odds that each sentence states its relation, by the relation's model and the shared one."""
        logits = self._shared[fold].logits(matrix, buffer)
        for relation, rows in own.items():
            model = self._model(relation)
            if model.weights:
                trust = trust_in(model)
                alone = model.weights[fold].logits(matrix.take(rows), buffer)
                logits[rows] = trust * alone + (1 - trust) * logits[rows]
        return logits

    def _leads(
        self, fold: int, matrix: SparseRows, own: Mapping[str, Sequence[int]], buffer: Numbers
    ) -> Numbers:
        """How far, in log-odds, the relation of each sentence leads the strongest of its rivals."""
        claimed: dict[str, list[int]] = {}
        for relation, rows in own.items():
            rivals = self._model(relation).rivals
            for rival in rivals:
                claimed.setdefault(rival, []).extend(rows)
            if rivals:
                claimed.setdefault(relation, [])
        leads, strongest = np.zeros(matrix.height), np.full(matrix.height, -np.inf)
        for claimant, rivalled in claimed.items():
            rows = own.get(claimant, [])
            logits = self.models[claimant].claims[fold].logits(matrix.take([*rows, *rivalled]), buffer)
            leads[rows] = logits[: len(rows)]
            strongest[rivalled] = np.maximum(strongest[rivalled], logits[len(rows) :])
        leads -= strongest
        return leads

    def accepts(self, candidates: Sequence[CandidateSentence], scores: Numbers) -> NDArray[np.bool_]:
        """Whether each score reaches its relation's threshold."""
        least = np.array([self._model(candidate.relation).threshold for candidate in candidates])
        accepted: NDArray[np.bool_] = scores >= least
        return accepted

    def explain(self, candidate: CandidateSentence, top: int = 10) -> list[Reason]:
        """The features of a sentence with the largest weights, for and against."""
        model = self._model(candidate.relation)
        names = features(masked(candidate), model.cues)
        matrix = hashed([[], *([column] for column in of_names(names))])
        own = {candidate.relation: range(matrix.height)}
        logits = self._logits(_fold(candidate), matrix, own, np.zeros(1 << BITS))
        weights = logits[1:] - logits[0]
        reasons = [Reason(name, round(float(weight), 4)) for name, weight in zip(names, weights, strict=True)]
        return sorted(reasons, key=lambda reason: (-abs(reason.weight), reason.feature))[:top]

    def _model(self, relation: str) -> Model:
        model = self.models.get(relation)
        if model is None:
            model = self._unknown.get(relation)
        if model is None:
            from rollcall.evidence.verifiers.contrast.cues import relation_cues

            model = self._unknown[relation] = Model(
                relation_cues({relation: relation}, self._lexicon)[relation]
            )
        return model

    def save(self, path: Path) -> None:
        """Store the learned models in a file."""
        write_models(path, self.models, self._shared)

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> "ContrastVerifier":
        """Load models that were stored before."""
        return cls(*read_models(path), lexicon)


def _fold(candidate: CandidateSentence) -> int:
    return fold_of(candidate.page) % FOLDS if candidate.page else 0


def draw_lessons(
    graph: Path,
    corpus: Path,
    lexicon: "Lexicon | None" = None,
    engine: "Engine | None" = None,
    work: Path | None = None,
) -> Lessons:
    """The sentences that all relations of a graph are learned from; the `lexicon` gives their cues.

    Without an `engine` one process of this machine searches. `work` is a folder for intermediate files, by
    default a temporary one.
    """
    from rollcall.evidence.verifiers.contrast.searching import searched_sample

    with searched_sample(graph, corpus, engine, work) as found:
        return found.lessons(lexicon)


def learn_contrast(
    lessons: Lessons,
    *,
    relations: Collection[str] | None = None,
    lexicon: "Lexicon | None" = None,
    earlier: Mapping[str, Model] | None = None,
    engine: "Engine | None" = None,
) -> ContrastVerifier:
    """Learn a verifier; the result is the same for any engine and number of jobs.

    With `relations`, only these are learned, each against the sentences of all; others are left to the shared
    model. The `lexicon` is that of the lessons. Relations among the `earlier` models, which were learned from
    the same lessons, are not learned again.
    """
    from rollcall.evidence.verifiers.contrast.cues import relation_cues
    from rollcall.evidence.verifiers.contrast.rivals import choose_rivals
    from rollcall.evidence.verifiers.contrast.shared import learn_shared

    cues = relation_cues(lessons.known.labels, lexicon)
    wanted = lessons.own.keys() & set(lessons.own if relations is None else relations) or {*lessons.own}
    learned = {
        relation: Learned(relation, model.weights, model.claims, model.labels)
        for relation, model in (earlier or {}).items()
        if relation in wanted and len(model.labels)
    }
    learned |= _learn_all(lessons, wanted - learned.keys(), engine)
    shared = learn_shared(lessons, learned, engine)
    rivals = choose_rivals(lessons, learned)
    models = {
        relation: Model(
            cues.get(relation, ()),
            learned[relation].weights,
            learned[relation].claims,
            len(learned[relation].labels),
            rivals=rivals.get(relation, ()),
            labels=learned[relation].labels,
        )
        if relation in learned
        else Model(cues.get(relation, ()))
        for relation in sorted(lessons.known.labels)
    }
    return _with_thresholds(ContrastVerifier(models, shared, lexicon), models, lessons, learned)


def _learn_all(lessons: Lessons, wanted: set[str], engine: "Engine | None") -> dict[str, Learned]:
    from rollcall.progress import Progress

    learned: dict[str, Learned] = {}
    run = map_here if engine is None or len(wanted) < _WORTHWHILE else engine.map_blocks
    with Progress("learning relations", len(wanted)) as progress:
        for result in run(_learn, lessons.tasks(wanted), nothing):
            learned[result.relation] = result
            progress.advance(1)
    return learned


def _learn(_prepared: None, task: Task) -> Learned:
    return learn_relation(task)


def _with_thresholds(
    verifier: ContrastVerifier, models: dict[str, Model], lessons: Lessons, learned: dict[str, Learned]
) -> ContrastVerifier:
    """Give each relation the threshold that loses only a given share of the sentences believed to be true."""
    believed = {
        relation: rows
        for relation, result in learned.items()
        if result.weights
        and len(rows := lessons.own[relation][result.labels >= _BELIEVED]) >= 1 / TARGET_LOSS
    }
    if not believed:
        return verifier
    every = np.concatenate(list(believed.values()))
    relations = [relation for relation, rows in believed.items() for _ in rows]
    scores = verifier.judged(lessons.matrix.take(every), relations, lessons.folds[every] % FOLDS)
    for relation, rows in believed.items():
        of_relation, scores = scores[: len(rows)], scores[len(rows) :]
        threshold = round(float(np.clip(np.quantile(of_relation, TARGET_LOSS), _LOWEST, _HIGHEST)), 4)
        models[relation] = models[relation]._replace(threshold=threshold)
    return verifier
